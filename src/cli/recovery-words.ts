/** What a resume had to mend, in a line each: nothing is repaired silently. */
import type { SessionHandle } from "../session/index.ts";
import { type DurableInput, StoreError, UserError } from "../shared/index.ts";
import { counted, tornText } from "./words.ts";

/** `recovery`: what was recorded to close what was open. */
export function recovered({ torn }: Pick<SessionHandle, "torn">, recovery: readonly DurableInput[]): readonly string[] {
  const closed = recovery.flatMap((input) => (input.type === "tool.cancelled" ? [input.payload] : []));
  const open = closed.filter(({ reason }) => reason === "resume-recovery").length;
  const dead = closed.length - open;
  return [
    ...(torn ? [`The log had ${tornText(torn.bytes)} to ${torn.path}. It was never accepted.`] : []),
    ...(open > 0
      ? [`${counted(open, "call")} had no result when the program ended, and ${wasWere(open)} closed.`]
      : []),
    ...(dead > 0
      ? [`${counted(dead, "call")} of an answer that never ended ${wasWere(dead)} closed without being run.`]
      : []),
  ];
}

const wasWere = (count: number): string => (count === 1 ? "was" : "were");

/** The same error, which ended a resume before it could tell what it had mended: then the error is all that a person reads. */
export function withRecovery(error: unknown, session: Pick<SessionHandle, "torn"> | undefined): unknown {
  const mended = session ? recovered(session, []) : [];
  if (error instanceof UserError || error instanceof StoreError) error.message = [error.message, ...mended].join(" ");
  return error;
}
