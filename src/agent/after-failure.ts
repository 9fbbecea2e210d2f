/** What a failed request leads to: another attempt, another model, a smaller conversation, or the end of the turn. */
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
