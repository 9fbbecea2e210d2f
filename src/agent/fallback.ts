/**
 * Another model in place of one that does not answer. A switch takes the earlier thinking out of the conversation, and that of
 * an open loop has to stay: there everything up to here becomes one message in plain words first.
 */
import { plainCompaction } from "../context/index.ts";
import { isLoopOpen, type SessionState } from "../session/index.ts";
import type { DurableInput, Payload } from "../shared/index.ts";
import type { TurnPolicy } from "./actions.ts";

/** Once it has taken over there is no other, so a run falls back at most once. */
export const fallbackTo =
  (model: string): NonNullable<TurnPolicy["fallback"]> =>
  (state) => {
    const { turn } = state;
    if (!turn.lastFailure || turn.model === model || !isTheModelsOwn(turn.lastFailure)) return undefined;
    const payload = { from: turn.model, to: model, reason: "fallback" as const };
    return [...loopClosed(state), { type: "session.model-changed", payload }];
  };

/** What has to be published before another model takes over from here; no call may be open. */
export const loopClosed = (state: SessionState): readonly DurableInput[] =>
  isLoopOpen(state.conversation) ? [plainCompaction(state, "fallback")] : [];

const OVERLOADED: ReadonlySet<string> = new Set(["overloaded_error", "api_error", "timeout_error", "rate_limit_error"]);

/** Whether another model could do better: not where key, network, request or account are at fault. */
function isTheModelsOwn(failure: Payload<"model.request-failed">): boolean {
  const { kind, status = 0, errorType = "", limitReached } = failure;
  if (status === 404 || errorType === "not_found_error") return true;
  if (kind !== "retryable" || limitReached) return false;
  return status >= 500 || status === 429 || OVERLOADED.has(errorType);
}
