/** What a person is told when a run ends by an exception, and with which exit code. */
import { EXIT, type ExitCode, errorMessage, StoreError, UserError } from "../shared/index.ts";

/** What the user named or typed is at fault, and not the log. */
const USERS_OWN: ReadonlySet<StoreError["kind"]> = new Set(["not-found", "too-large"]);

export function describeFailure(error: unknown): { readonly message: string; readonly exitCode: ExitCode } {
  if (error instanceof UserError) return { message: error.message, exitCode: error.exitCode };
  if (error instanceof StoreError) {
    return { message: error.message, exitCode: USERS_OWN.has(error.kind) ? EXIT.usage : EXIT.log };
  }
  const detail = error instanceof Error && error.stack ? error.stack : errorMessage(error);
  return { message: `internal error: ${detail}`, exitCode: EXIT.internal };
}
