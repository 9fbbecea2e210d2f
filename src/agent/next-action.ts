/**
 * What happens next, as a pure function of recorded state. The order is the policy: an interrupt first, then open calls, a
 * failed request, queued steering, a response that ended early or withholds its proof, too little room, and only then the
 * model again, while it has requests left.
 */
import type { SessionState, TurnState } from "../session/index.ts";
import type { Payload } from "../shared/index.ts";
import type { NextAction, Seam, Trigger, TurnPolicy } from "./actions.ts";
import { isDoomLoop } from "./doom-loop.ts";
import { gateStep } from "./evidence.ts";

const MAX_COMPACTIONS_IN_A_ROW = 3;

export function deriveNext(state: SessionState, policy: TurnPolicy): NextAction {
  const { turn } = state;
  const [call] = turn.pending;
  const [waiting] = turn.queued;
  if (turn.phase === "interrupted") return { kind: "interrupted" };
  if (turn.phase === "idle") {
    return waiting ? { kind: "inject-steering", item: waiting, seam: "pre-model-call" } : { kind: "idle" };
  }
  if (call) return isDoomLoop(turn) ? { kind: "ask-user", toolUseId: call.toolUseId } : { kind: "execute-tools" };
  return afterFailure(turn) ?? steering(turn) ?? afterResponse(turn) ?? askModel(state, policy);
}

function afterFailure(turn: TurnState): NextAction | undefined {
  const failure = turn.lastFailure;
  if (!failure || failure.kind === "cancelled") return undefined;
  if (failure.kind === "context-overflow") return compact(turn, "reactive-overflow");
  const repeatable = failure.kind === "retryable" && !failure.retriesExhausted;
  return repeatable ? undefined : giveUp("model-fatal-error", failure.message);
}

function steering(turn: TurnState): NextAction | undefined {
  const item = turn.queued.find((entry) => entry.deliver === "now");
  const seam: Seam = turn.lastResponse && turn.lastResponse.toolCalls > 0 ? "post-tool-batch" : "pre-model-call";
  return item && { kind: "inject-steering", item, seam };
}

function afterResponse(turn: TurnState): NextAction | undefined {
  const { stopReason, toolCalls, text } = turn.lastResponse ?? { stopReason: "none", toolCalls: 0, text: "" };
  switch (stopReason) {
    case "none":
      return undefined;
    case "refusal":
      return giveUp("refused", "The model refused this request. Its answer was left out of the conversation.");
    case "model_context_window_exceeded":
      return compact(turn, "reactive-overflow");
    case "pause_turn":
      return { kind: "continue", because: "paused" };
    case "max_tokens":
      if (toolCalls > 0) return undefined;
      return turn.continuations.maxTokens === 0
        ? { kind: "continue", because: "max-tokens" }
        : giveUp("budget", "The answer reached the output limit again after it had been continued once.");
    case "tool_use": // without a call it is an answer like any other: nothing may be asked behind it
    case "end_turn":
    case "stop_sequence":
      return toolCalls > 0 ? undefined : afterAnswer(turn, text);
    default:
      return giveUp("model-fatal-error", `The model stopped for a reason unknown to this version: ${stopReason}.`);
  }
}

function afterAnswer(turn: TurnState, text: string): NextAction {
  if (text !== "") {
    const step = gateStep(turn.verification);
    return step.kind === "complete" ? { kind: "complete" } : { kind: "verify", step };
  }
  if (turn.continuations.empty === 0) return { kind: "continue", because: "empty" };
  return giveUp("model-fatal-error", "The model ended its turn twice without saying anything.");
}

/** Room first: pruning at a turn's start, compaction wherever it may stand. Then the model, while there are requests left. */
function askModel(state: SessionState, { maxIterations, prune, needsCompaction }: TurnPolicy): NextAction {
  const { iterations } = state.turn;
  const decision = iterations === 0 ? prune(state) : undefined;
  if (decision) return { kind: "prune", decision };
  if (needsCompaction(state)) return compact(state.turn, "proactive-token-budget");
  if (iterations < maxIterations) return { kind: "call-model" };
  return giveUp("iteration-budget-exhausted", `The turn used its ${maxIterations} requests without finishing.`);
}

function compact(turn: TurnState, trigger: Trigger): NextAction {
  if (turn.compactionsInARow < MAX_COMPACTIONS_IN_A_ROW) return { kind: "compact", trigger };
  return giveUp("irreducible", "The conversation does not fit the model's window, even after three compactions.");
}

function giveUp(reason: Payload<"task.failed">["reason"], detail: string): NextAction {
  return { kind: "give-up", failure: { reason, detail } };
}
