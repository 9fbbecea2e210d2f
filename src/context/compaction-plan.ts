/**
 * Where a compaction cuts, what it keeps, and whether it is worth it. At a turn's start the newest part stays as it is, word for
 * word; inside a turn everything goes, for its thinking is bound to every byte before it (the API drops thinking only up to a
 * user's message). Pure: it decides nothing that is not in the state.
 */
import { isAtTurnStart, isSafeCut, type SessionState } from "../session/index.ts";
import { err, type Message, ok, type Payload, type Result } from "../shared/index.ts";
import { type ContextLimits, tokensOf, tokensWithoutThinking } from "./budget.ts";

export interface CompactionPlan {
  /** So many messages, from the first, become one. */
  readonly going: number;
  /** seq of the last event that made them: a safe cut. */
  readonly toSeq: number;
  /** seq of the first event that made what stays; undefined when nothing stays. */
  readonly keptFromSeq?: number;
  /** The turn goes on behind it: what the user said in it has to stand in the checkpoint. */
  readonly isInTurn: boolean;
  /** Estimated: the frozen prefix, what goes, and what stays without its thinking. */
  readonly fixedTokens: number;
  readonly goingTokens: number;
  readonly keptTokens: number;
}

/**
 * As the end of the turn that it is. `irreducible`: nothing would get smaller. `model-fatal-error`: nobody answered; nothing is
 * lost, and it can be tried again. Others: a limit stands against asking.
 */
export interface CompactionFailure {
  readonly reason: Payload<"task.failed">["reason"];
  readonly message: string;
}

/** Less than this is not worth the loss. */
const MIN_GAIN = 0.1;

export function planCompaction(
  state: SessionState,
  limits: ContextLimits,
  fixedTokens: number,
): Result<CompactionPlan, CompactionFailure> {
  const { conversation } = state;
  const { messages, spans, awaiting } = conversation;
  if (awaiting.length > 0) return err({ reason: "irreducible", message: "A call has no result yet." });
  const isInTurn = !isAtTurnStart(state);
  const going = isInTurn ? messages.length : firstKept(state, limits);
  const toSeq = spans[going - 1]?.last;
  const tooLittle = err(tooLittleToSumUp(state, fixedTokens));
  if (toSeq === undefined || !isSafeCut(conversation, toSeq)) return tooLittle;
  const keptFromSeq = spans[going]?.first;
  const plan: CompactionPlan = {
    going,
    toSeq,
    ...(keptFromSeq !== undefined && { keptFromSeq }),
    isInTurn,
    fixedTokens,
    goingTokens: tokensOf(messages.slice(0, going)),
    keptTokens: tokensWithoutThinking(messages.slice(going)),
  };
  return isWorthIt(plan) ? ok(plan) : tooLittle;
}

/** What is left of it, when the checkpoint has this size; estimated. */
export const tokensAfter = ({ fixedTokens, keptTokens }: CompactionPlan, checkpoint: number): number =>
  fixedTokens + keptTokens + checkpoint;

const MIN_CHECKPOINT_TOKENS = 300;

function isWorthIt(plan: CompactionPlan): boolean {
  const { fixedTokens, goingTokens, keptTokens } = plan;
  const before = fixedTokens + goingTokens + keptTokens;
  return tokensAfter(plan, MIN_CHECKPOINT_TOKENS) <= before * (1 - MIN_GAIN);
}

/** Names what fills the window, the largest first. */
function tooLittleToSumUp({ conversation, usage }: SessionState, fixedTokens: number): CompactionFailure {
  const rate = usage.calibration ?? 1;
  const parts: readonly (readonly [name: string, tokens: number])[] = [
    ["the newest message", tokensOf(conversation.messages.slice(-1))],
    ["what stands before it", tokensOf(conversation.messages.slice(0, -1))],
    ["the instructions and tools", fixedTokens],
  ];
  const named = parts
    .filter(([, tokens]) => tokens > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([name, tokens]) => `${name} (about ${Math.round(tokens * rate)} tokens)`);
  const message =
    `There is too little that could be summed up. What fills the window is ${named.join(", then ")}. ` +
    "Say it in smaller parts, or go on with a model that has a larger window.";
  return { reason: "irreducible", message };
}

/** The index of the first message that stays: of those that fit, the earliest at a safe cut. The unanswered message always stays. */
function firstKept({ conversation, turn }: SessionState, { keptTailTokens }: ContextLimits): number {
  const { messages, spans } = conversation;
  const isUnanswered = turn.phase === "open" && messages.at(-1)?.role === "user";
  const newest = messages.length - (isUnanswered ? 1 : 0);
  const budget = Math.min(keptTailTokens, Math.floor(tokensOf(messages) / 4));
  let first = newest;
  let kept = 0;
  for (let at = newest - 1; at > 0; at--) {
    kept += tokensWithoutThinking([messages[at] as Message]); // as: `at` is an index of it
    if (kept > budget) break;
    const before = spans[at - 1];
    if (before && isSafeCut(conversation, before.last)) first = at;
  }
  return first;
}
