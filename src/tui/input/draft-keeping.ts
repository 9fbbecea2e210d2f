/** Keeps the draft where a crash does not reach it: half a second after the last key, and whenever it is left. */
import type { ComposerParts } from "./composer-parts.ts";
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
  /** Keeps the draft; from now on there is no session. */
  leave(): void;
  /** Half a second after the last call of it. */
  soon(): void;
  flush(): void;
  /** From now on the draft is the session's. */
  saidFirst(): void;
}

export function createDraftKeeping({ editor, clock, drafts, say }: ComposerParts): DraftKeeping {
  let session: ShownSession | undefined;
  let kept = "";
  /** Said once, not with every key. */
  let told: string | undefined;
  let cancel: (() => void) | undefined;
  const save = (text: string) => {
    if (!session || text === kept) return;
    kept = text;
    const problem = drafts.save(session.isNew ? undefined : session.id, text);
    if (problem !== undefined && problem !== told) say(problem, "warn");
    told = problem;
  };
  const flush = () => {
    cancel?.();
    cancel = undefined;
    save(lasting(editor().text(), editor().chips()));
  };
  return {
    session: () => session,
    begin(opened) {
      session = opened;
      kept = "";
      if (editor().text() !== "") this.soon();
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
