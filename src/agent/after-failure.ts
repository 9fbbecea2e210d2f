/** What a failed request leads to: another attempt, another model, a smaller conversation, or the end of the turn; and what an unknown end does. */
import type { SessionState, TurnState } from "../session/index.ts";
import type { Payload } from "../shared/index.ts";
import type { NextAction, Trigger, TurnPolicy } from "./actions.ts";

const MAX_COMPACTIONS_IN_A_ROW = 3;

/** Undefined: there was no failure, or the request goes out again. */
export function afterFailure(state: SessionState, { fallback }: TurnPolicy): NextAction | undefined {
  const { turn } = state;
  const failure = turn.lastFailure;
  if (!failure || failure.kind === "cancelled") return undefined;
  if (failure.kind === "context-overflow") return compact(turn, "reactive-overflow");
  if (failure.kind === "retryable" && !failure.retriesExhausted) return undefined;
  const events = fallback?.(state);
  return events ? { kind: "fall-back", events } : giveUp("model-fatal-error", failure.message);
}

export function compact(turn: TurnState, trigger: Trigger): NextAction {
  if (turn.compactionsInARow < MAX_COMPACTIONS_IN_A_ROW) return { kind: "compact", trigger };
  return giveUp("irreducible", "The conversation does not fit the model's window, even after three compactions.");
}

export function giveUp(reason: Payload<"task.failed">["reason"], detail: string): NextAction {
  return { kind: "give-up", failure: { reason, detail } };
}

/** With what the switch over a response knows; `none`: there is no response. */
const KNOWN_ENDS: ReadonlySet<string> = new Set([
  "none",
  "end_turn",
  "max_tokens",
  "model_context_window_exceeded",
  "pause_turn",
  "refusal",
  "stop_sequence",
  "tool_use",
]);

/** A response that ended for a reason of a later version: nothing that it asked for is done, for that reason may forbid it. */
export function unknownEnd({ lastResponse }: TurnState): NextAction | undefined {
  const { stopReason = "none" } = lastResponse ?? {};
  if (KNOWN_ENDS.has(stopReason)) return undefined;
  return giveUp("model-fatal-error", `The model stopped for a reason unknown to this version: ${stopReason}.`);
}
