/**
 * What happens next, as a pure function of recorded state. The order is the policy: an interrupt first, then the end of the
 * time, open calls, a failed request, queued steering, a response that ended early or withholds its proof, too little room,
 * and only then the model again. What costs a request is done only while no limit stands against it.
 */
import type { SessionState, TurnState } from "../session/index.ts";
import type { NextAction, Seam, TurnPolicy } from "./actions.ts";
import { afterFailure, compact, giveUp, unknownEnd } from "./after-failure.ts";
import { nextForCall } from "./doom-loop.ts";
import { gateStep } from "./evidence.ts";

export function deriveNext(state: SessionState, policy: TurnPolicy): NextAction {
  const { turn } = state;
  const [call] = turn.pending;
  const [waiting] = turn.queued;
  if (turn.phase === "interrupted") return { kind: "interrupted" };
  const late = policy.overdue?.();
  if (turn.phase === "idle") {
    return waiting && !late ? { kind: "inject-steering", item: waiting, seam: "pre-model-call" } : { kind: "idle" };
  }
  const answered = call ? unknownEnd(turn) : afterResponse(turn, policy);
  if (late) return answered?.kind === "complete" ? answered : { kind: "give-up", failure: late };
  if (call) return answered ?? nextForCall(turn, call);
  return withinLimits(
    afterFailure(state, policy) ?? steering(turn) ?? answered ?? askModel(state, policy),
    state,
    policy,
  );
}

function withinLimits(next: NextAction, state: SessionState, policy: TurnPolicy): NextAction {
  const limit = next.kind === "call-model" || next.kind === "compact" ? policy.exceeded(state) : undefined;
  return limit ? { kind: "give-up", failure: limit } : next;
}

function steering(turn: TurnState): NextAction | undefined {
  const item = turn.queued.find((entry) => entry.deliver === "now");
  const seam: Seam = turn.lastResponse && turn.lastResponse.toolCalls > 0 ? "post-tool-batch" : "pre-model-call";
  return item && { kind: "inject-steering", item, seam };
}

function afterResponse(turn: TurnState, policy: TurnPolicy): NextAction | undefined {
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
      return toolCalls > 0 ? undefined : afterAnswer(turn, text, policy);
    default:
      return unknownEnd(turn);
  }
}

function afterAnswer(turn: TurnState, text: string, { answerProblem }: TurnPolicy): NextAction {
  if (text !== "") {
    const step = gateStep(turn.verification);
    if (step.kind !== "complete") return { kind: "verify", step };
    const problem = answerProblem?.(text);
    if (problem === undefined) return { kind: "complete" };
    if (!turn.answerRepair) return { kind: "continue", because: "misfit", problem };
    return giveUp(
      "model-fatal-error",
      `The answer does not fit the JSON schema, also after it was asked for again: ${problem}.`,
    );
  }
  if (turn.continuations.empty === 0) return { kind: "continue", because: "empty" };
  return giveUp("model-fatal-error", "The model ended its turn twice without saying anything.");
}

/** Room first: pruning at a turn's start, compaction wherever it may stand. Then the model. */
function askModel(state: SessionState, { prune, needsCompaction }: TurnPolicy): NextAction {
  const decision = state.turn.iterations === 0 ? prune(state) : undefined;
  if (decision) return { kind: "prune", decision };
  return needsCompaction(state) ? compact(state.turn, "proactive-token-budget") : { kind: "call-model" };
}
