/** What a compaction that was tried leaves in the log: the checkpoint, or the end of the turn, unless the user stopped it. */
import type { DurableInput, Payload, Result } from "../shared/index.ts";

export function compacted(
  made: Result<Payload<"context.compacted">, { readonly message: string }>,
  signal: AbortSignal,
): readonly DurableInput[] {
  if (made.ok) return [{ type: "context.compacted", payload: made.value }];
  if (signal.aborted) return [];
  return [{ type: "task.failed", payload: { reason: "irreducible", detail: made.error.message } }];
}
