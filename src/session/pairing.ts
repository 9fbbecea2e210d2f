/**
 * The one authority on calls and their results: which calls are open, and where the conversation may be cut without
 * parting one from the other.
 */
import { countsFor } from "./settlement.ts";
import type { ConversationState, PendingCall, SessionState, TurnState } from "./types.ts";

/** Calls without a terminal event, those of an unfinished answer included. */
export function openCalls(turn: TurnState): readonly PendingCall[] {
  const { phase, request } = turn;
  const settling = request && (phase !== "interrupted" || !countsFor(request.purpose)) ? request.calls : [];
  return [...turn.pending, ...settling];
}

/** Whether no answer and no call is open: a log that ends here can be gone on with as it is. */
export const isSettled = ({ request, pending, discarding }: TurnState): boolean =>
  request === undefined && pending.length === 0 && discarding === undefined;

/**
 * The seqs at which a compaction's `cut.toSeq` may land: at the last event of a message whose successor, if any, carries no
 * results. While results are missing, the newest message is not such a place.
 */
export function safeCuts(conversation: ConversationState): readonly number[] {
  return conversation.spans.flatMap(({ last }, at) => (isWholeUpTo(conversation, at) ? [last] : []));
}

/** Whether a compaction may replace everything up to `toSeq`. */
export function isSafeCut(conversation: ConversationState, toSeq: number): boolean {
  const at = conversation.spans.findLastIndex(({ last }) => last <= toSeq);
  return at !== -1 && isWholeUpTo(conversation, at);
}

/** The message behind this one answers none of its calls. */
function isWholeUpTo({ messages, awaiting }: ConversationState, at: number): boolean {
  const next = messages[at + 1];
  return next ? !next.content.some((block) => block.type === "tool_result") : awaiting.length === 0;
}

/**
 * Whether the newest user message still answers calls: what is said in it belongs to their loop, whose thinking may not be
 * dropped. Then the only break is a compaction that keeps nothing.
 */
export function isLoopOpen({ messages, awaiting }: ConversationState): boolean {
  const last = messages.findLast(({ role }) => role === "user");
  const trailing = messages.at(-1);
  const answers = last === trailing && (last?.content.some((block) => block.type === "tool_result") ?? false);
  return answers || awaiting.length > 0;
}

/**
 * Whether the next request is the first that answers the user: only then may a break keep something behind it, for the thinking
 * of a turn under way may not be dropped.
 */
export const isAtTurnStart = ({ conversation, turn }: Pick<SessionState, "conversation" | "turn">): boolean =>
  (turn.phase !== "open" || turn.responses === 0) && !isLoopOpen(conversation);
