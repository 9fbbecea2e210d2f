/** Keeps the draft where a crash does not reach it: half a second after the last key, and whenever it is left. */
import type { ComposerParts } from "./composer-parts.ts";
import { draftFrom, keptDraft } from "./kept-draft.ts";
import { lasting } from "./said.ts";

const KEEP_AFTER_MS = 500;

export interface ShownSession {
  readonly id: string;
  /** Nothing was said in it yet. Such a session is gone at the next start, so its draft is the project's. */
  readonly isNew: boolean;
}

export interface DraftKeeping {
  /** Undefined: there is none yet. */
  session(): ShownSession | undefined;
  begin(session: ShownSession): void;
  /** What was kept of the session is the draft again. */
  restored(text: string): void;
  /** Keeps the draft; from now on there is no session. */
  leave(): void;
  /** Half a second after the last call of it. */
  soon(): void;
  flush(): void;
  /**
   * The program ends, and this is in no log: it is kept as the draft, with the project's where there is no session. Gives it
   * back where it cannot be kept.
   */
  rescue(unrecorded: readonly string[]): Promise<string | undefined>;
  /** From now on the draft is the session's. */
  saidFirst(): void;
}

export function createDraftKeeping({ editor, clock, drafts, say }: ComposerParts): DraftKeeping {
  let session: ShownSession | undefined;
  /** Undefined: nobody said yet. Then nothing is no reason to take away what may be there. */
  let kept: string | undefined;
  /** Said once, not with every key. */
  let told: string | undefined;
  let cancel: (() => void) | undefined;
  const save = (text: string) => {
    if (!session || text === (kept ?? "")) return;
    kept = text;
    const problem = drafts.save(session.isNew ? undefined : session.id, text);
    if (problem !== undefined && problem !== told) say(problem, "warn");
    told = problem;
  };
  const flush = () => {
    cancel?.();
    cancel = undefined;
    save(keptDraft({ text: editor().text(), chips: editor().chips() }));
  };
  async function rescue(unrecorded: readonly string[]): Promise<string | undefined> {
    if (session && unrecorded.length === 0 && told === undefined) return undefined; // the last flush has kept it
    const before = session ? undefined : await drafts.load(undefined);
    const written = [...unrecorded, lasting(editor().text(), editor().chips())].filter((text) => text.trim() !== "");
    if (written.length === 0) return undefined;
    const earlier = draftFrom(before ?? "");
    const all = [lasting(earlier.text, earlier.chips), ...written].filter((text) => text !== "").join("\n\n");
    const problem = drafts.save(session?.isNew === false ? session.id : undefined, all);
    return problem === undefined ? undefined : written.join("\n\n");
  }
  return {
    session: () => session,
    rescue,
    begin(opened) {
      session = opened;
      kept = undefined;
      if (editor().text() !== "") this.soon();
    },
    restored(text) {
      kept ??= text;
    },
    soon() {
      if (!session) return;
      cancel?.();
      cancel = clock.after(KEEP_AFTER_MS, flush);
    },
    flush,
    leave() {
      flush();
      session = undefined;
    },
    saidFirst() {
      if (!session?.isNew) return;
      save("");
      session = { ...session, isNew: false };
      queueMicrotask(flush); // when what was said has left the draft
    },
  };
}
