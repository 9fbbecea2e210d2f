/** What a failed request leads to: another attempt, another model, a smaller conversation, or the end of the turn; and what an unknown end does. */
import type { SessionState, TurnState } from "../session/index.ts";
import type { Payload } from "../shared/index.ts";
import type { NextAction, Trigger, TurnPolicy } from "./actions.ts";

const MAX_COMPACTIONS_IN_A_ROW = 3;

/** Undefined: there was no failure, or the request goes out again. */
export function afterFailure(state: SessionState, { fallback, prune }: TurnPolicy): NextAction | undefined {
  const { turn } = state;
  const failure = turn.lastFailure;
  if (!failure || failure.kind === "cancelled") return undefined;
  if (failure.kind === "context-overflow") {
    const decision = prune(state);
    return decision ? { kind: "prune", decision } : compact(turn, "reactive-overflow");
  }
  if (failure.kind === "retryable" && !failure.retriesExhausted) return undefined;
  const events = fallback?.(state);
  return events ? { kind: "fall-back", events } : giveUp("model-fatal-error", failure.message);
}

export function compact(turn: TurnState, trigger: Trigger): NextAction {
  if (turn.compactionsInARow >= MAX_COMPACTIONS_IN_A_ROW) {
    return giveUp("irreducible", STILL_TOO_LONG);
  }
  if (turn.thrashRefused) return giveUp("irreducible", THRASHING);
  return isThrashing(turn) ? { kind: "ask-user" } : { kind: "compact", trigger };
}

const STILL_TOO_LONG =
  "The conversation does not fit the model's window, even after three compactions: what fills it is the newest message, the " +
  "checkpoint before it, and the instructions and tools. /context tells how large each is; a model with a larger window may go on.";

const THRASHING =
  "The conversation was summed up again and again, with only a few answers between: what the task reads at once is too much for " +
  "the model's window. Give it a smaller part of the task, or a model with a larger window, and go on.";

/** A fourth compaction when the last three left room for so few answers. */
const MIN_ANSWERS = 9;

const isThrashing = ({ compactedAt: [first, , third], responses }: TurnState): boolean =>
  first !== undefined && third !== undefined && responses - first < MIN_ANSWERS;

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
  const what = `The model stopped for a reason unknown to this version: ${stopReason}`;
  return giveUp(
    "model-fatal-error",
    `${what}. Nothing that it asked for was done; update khaelor, or go on with other words.`,
  );
}
