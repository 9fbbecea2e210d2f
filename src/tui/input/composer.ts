/**
 * How the draft behaves: what sends it, what clears it, what comes back. Nothing that was written is lost: a cleared draft is
 * in the history, an unsent one below it, and what is written is kept half a second after the last key.
 */
import type { KhaelorEvent } from "../../shared/index.ts";
import type { SaidBefore } from "../ports.ts";
import { changing, leaving, sending, walking } from "./composer-keys.ts";
import type { ComposerParts, KeyActions } from "./composer-parts.ts";
import { createDraftKeeping, type ShownSession } from "./draft-keeping.ts";
import { draftFrom } from "./kept-draft.ts";
import { outsideEditing } from "./outside-editing.ts";
import { judgePaste } from "./pastes.ts";
import { picturePasting } from "./picture-pasting.ts";
import { createPromptHistory, type Written } from "./prompt-history.ts";
import { lasting } from "./said.ts";
import { createTakeBack } from "./take-back.ts";

export interface Composer {
  /** What the keys of the draft do. */
  readonly actions: KeyActions;
  paste(text: string): void;
  /** The text or the cursor changed. */
  edited(): void;
  /** Every event of the session, at once. */
  observe(event: KhaelorEvent): void;
  /** The session is left, and its draft stays with it: what is typed from now on is for the next. */
  leave(): void;
  /** Another session is shown: its draft comes back, unless something was typed meanwhile. */
  open(session: ShownSession, history: Promise<readonly SaidBefore[]>): Promise<void>;
  /** This was sent in place of the draft, which is empty now. */
  sent(text: string): void;
  /** Replaces the draft; what stood there is in the history. */
  replace(text: string): void;
  /** At the end, with what was said and is in no log: gives back what could not be kept. */
  rescue(unrecorded: readonly string[]): Promise<string | undefined>;
  /** Keeps the draft now. */
  flush(): void;
}

/** A kept draft that is longer comes back as a chip. */
const MAX_RESTORED_UNITS = 32 * 1024;

export function createComposer(parts: ComposerParts): Composer {
  const { editor, drafts } = parts;
  const history = createPromptHistory();
  const keeping = createDraftKeeping(parts);
  const takeBack = createTakeBack(parts);
  const clear = () => empty({ text: editor().text(), chips: editor().chips() });
  function empty(said: Written): void {
    history.add(said);
    editor().setText("");
    keeping.flush();
  }
  function leave(): void {
    if (!keeping.session()) return;
    keeping.leave();
    editor().setText("");
  }
  function restore({ text, chips }: Written): void {
    const isLong = text.length > MAX_RESTORED_UNITS;
    editor().setText(isLong ? "" : text, isLong ? [] : chips);
    if (isLong) paste(lasting(text, chips), parts);
  }
  async function restoreKept({ id, isNew }: ShownSession): Promise<void> {
    const kept = (await drafts.load(isNew ? undefined : id)) ?? "";
    if (keeping.session()?.id !== id) return; // left meanwhile
    if (editor().text() !== "") return history.add(draftFrom(kept));
    keeping.restored(kept);
    restore(draftFrom(kept));
  }
  return {
    actions: {
      ...sending(parts, clear),
      ...walking(parts, history),
      ...leaving(parts, clear),
      ...changing(parts),
      "take-back": takeBack.take,
      editor: outsideEditing(parts),
      "paste-picture": picturePasting(parts),
    },
    paste: (text) => paste(text, parts),
    edited: keeping.soon,
    observe(event) {
      takeBack.observe(event);
      if (event.type === "user.message-created") keeping.saidFirst();
    },
    leave,
    async open(session, older) {
      leave();
      keeping.begin(session);
      await Promise.all([restoreKept(session), older.then(history.setOlder)]); // each also without the other
    },
    sent: (text) => empty({ text, chips: [] }),
    replace(text) {
      clear();
      restore({ text, chips: [] });
    },
    rescue: keeping.rescue,
    flush: keeping.flush,
  };
}

function paste(text: string, { editor, say, paths }: ComposerParts): void {
  const judged = judgePaste(text, paths);
  switch (judged.kind) {
    case "text":
      editor().insert(judged.text);
      break;
    case "chips":
      for (const [at, chip] of judged.chips.entries()) {
        if (at > 0) editor().insert(" ");
        editor().insertChip(chip);
      }
      break;
    case "too-large":
      say(`${Math.round(judged.bytes / 1024 / 1024)} MiB are too much: put it into a file and mention that.`, "warn");
      break;
    default:
      judged satisfies never;
  }
}
