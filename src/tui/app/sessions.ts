/**
 * Which session is shown: opens one, and finds a way on where that fails. Without a key it is asked for; where words name several
 * sessions the user chooses; and one that cannot be opened leaves the one before in its place.
 */
import { asError } from "../../shared/index.ts";
import { keyTakenFrom } from "../input/secrets.ts";
import type { Outside, SessionChoice } from "../ports.ts";
import { createMissingKey } from "../view/missing-key.ts";
import type { Core } from "./core.ts";
import type { Views } from "./views.ts";

export interface Sessions {
  /** Resolves when something is open, or something stands on the screen that asks how to go on. */
  open(choice: SessionChoice): Promise<void>;
}

export interface SessionsParts {
  readonly core: Pick<Core, "screen" | "feed" | "measure" | "redraw" | "say">;
  readonly views: Pick<Views, "over" | "pickSession">;
  readonly storeKey: Outside["storeKey"];
  /** What is open is left. */
  readonly onLeaving: () => void;
  /** Something else is shown from now on. */
  readonly onOpened: () => void;
  /** Nothing can be opened, not even what was open before. */
  readonly onFailure: (error: Error) => void;
  readonly quit: () => void;
}

export function createSessions({ core, views, ...parts }: SessionsParts): Sessions {
  const { feed } = core;
  /** What was open last, also while something else is being opened. */
  let before: string | undefined;
  async function attempt(choice: SessionChoice): Promise<void> {
    parts.onLeaving();
    await feed.open(choice);
    before = feed.session()?.id;
    parts.onOpened();
  }
  async function otherwise(error: Error, choice: SessionChoice): Promise<void> {
    if (error.name === "MissingKey") return askForKey(error, choice);
    if (error.name === "Choose") return choose(choice);
    if (before === undefined) return parts.onFailure(error);
    core.say(error.message, "error");
    await attempt({ resume: before })
      .catch(() => attempt({})) // nothing was said in it, and so nothing of it was kept
      .catch((last: unknown) => parts.onFailure(asError(last)));
  }
  /** What was pasted before anybody asked for it must not stay where it can be read. */
  function keyFromDraft(): string {
    const { editor } = core.screen();
    const taken = keyTakenFrom({ text: editor.text(), chips: editor.chips() });
    if (taken) editor.setText(taken.rest.text, taken.rest.chips);
    return taken?.key ?? "";
  }
  function askForKey({ message }: Error, choice: SessionChoice): void {
    views.over((close) =>
      createMissingKey({
        message,
        key: keyFromDraft(),
        storeKey: parts.storeKey,
        async reopen() {
          await attempt(choice);
          close();
        },
        onQuit: parts.quit,
        measure: core.measure,
        onChange: core.redraw,
      }),
    );
  }
  async function choose({ pick, name }: SessionChoice): Promise<void> {
    const id = await views.pickSession(pick?.text);
    const instead = before === undefined ? {} : { resume: before };
    await open(id === undefined ? instead : { resume: id, ...(name !== undefined && { name }) });
  }
  async function open(choice: SessionChoice): Promise<void> {
    try {
      await attempt(choice);
    } catch (error) {
      await otherwise(asError(error), choice);
    }
  }
  return { open };
}
