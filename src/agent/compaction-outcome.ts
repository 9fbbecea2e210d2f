/** What a compaction that was tried leaves in the log: the checkpoint, or the end of the turn, unless the user stopped it. */
import type { CompactionFailure } from "../context/index.ts";
import type { DurableInput, Payload, Result } from "../shared/index.ts";

export function compacted(
  made: Result<Payload<"context.compacted">, CompactionFailure>,
  signal: AbortSignal,
): readonly DurableInput[] {
  if (made.ok) return [{ type: "context.compacted", payload: made.value }];
  if (signal.aborted) return [];
  return [{ type: "task.failed", payload: { reason: made.error.reason, detail: made.error.message } }];
}
