/** Where a key goes: to what lies on top, then to what the keymap says, in the end to the draft. */
import { unreachable } from "../../shared/index.ts";
import type { KeyActions } from "../input/composer-parts.ts";
import type { Keymap } from "../input/key-dispatch.ts";
import { shownKeys } from "../input/key-names.ts";
import type { ActionName, KeyContext } from "../input/keymap.ts";
import type { Vim } from "../input/vim.ts";
import { type Key, keyName } from "../key.ts";
import type { Core } from "./core.ts";

interface KeyParts {
  readonly core: Pick<Core, "layers" | "transcript" | "say" | "redraw">;
  readonly keymap: Keymap;
  readonly actions: KeyActions;
  /** While vim's keys are on. */
  readonly vim: () => Pick<Vim, "key"> | undefined;
}

const TYPING: readonly KeyContext[] = ["composer", "global"];
const READING: readonly KeyContext[] = ["transcript", "global"];

/** True: the draft does not get it. */
export function createKeys({ core, keymap, actions, vim }: KeyParts): (key: Key) => boolean {
  const { layers, transcript, say, redraw } = core;
  let pending: string | undefined;
  const act = (names: readonly ActionName[]) => names.some((action) => actions[action]?.() === true);
  /** Whoever types while the transcript has the keys goes on with the draft. */
  function unknown(key: Key): boolean {
    if (key.text === undefined || transcript.focused() === undefined) return false;
    transcript.unfocus();
    redraw();
    return false;
  }
  function byKeymap(key: Key): boolean {
    const contexts = transcript.focused() ? READING : TYPING;
    const [found, before] = [keymap.resolve(keyName(key), { contexts, pending }), pending];
    pending = undefined;
    switch (found?.kind) {
      case undefined:
        return unknown(key);
      case "pending":
        pending = found.pending;
        say(`${shownKeys(pending)} …`);
        return true;
      case "unknown":
        say(`${found.keys} is not bound.`);
        return true;
      case "actions":
        if (before !== undefined) say("");
        return act(found.actions) || before !== undefined;
      default:
        return unreachable(found);
    }
  }
  const byVim = (key: Key) => !transcript.focused() && vim()?.key(key) === true;
  return (key) => (pending === undefined && (layers.key(key) || byVim(key))) || byKeymap(key);
}
