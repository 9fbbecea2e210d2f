/** How requests move a turn on: they start, their blocks settle, they are answered or fail. A part of the turn state's fold. */
import type { DurableEvent, Payload } from "../../shared/index.ts";
import { countsFor, keptCalls } from "../settlement.ts";
import type { OpenRequest, PendingCall, TurnState } from "../types.ts";

export function requestStarted(state: TurnState, payload: Payload<"model.request-started">): TurnState {
  const { requestId, purpose, model, attempt = 1 } = payload;
  const isOfTurn = countsFor(purpose);
  const counts = isOfTurn && attempt === 1 ? 1 : 0;
  return {
    ...state,
    ...(isOfTurn && { lastFailure: undefined }), // what a compaction answers to still stands while it is made
    summaryAsked: isOfTurn ? undefined : true,
    compactionFailure: undefined,
    iterations: state.iterations + counts,
    request: { requestId, purpose, model, attempt, lastBlockIndex: -1, calls: [], texts: [] },
  };
}

/** A block settled in the open request. */
export function inRequest(
  state: TurnState,
  { requestId, blockIndex }: { readonly requestId: string; readonly blockIndex: number },
  change: (request: OpenRequest) => OpenRequest,
): TurnState {
  if (state.request?.requestId !== requestId) return state;
  const lastBlockIndex = Math.max(state.request.lastBlockIndex, blockIndex);
  return { ...state, request: change({ ...state.request, lastBlockIndex }) };
}

export function responseCompleted(
  state: TurnState,
  { payload, seq }: DurableEvent<"model.response-completed">,
): TurnState {
  const { request, said = "" } = state;
  if (request?.requestId !== payload.requestId) return state;
  if (!countsFor(request.purpose)) return discarding({ ...state, request: undefined }, request.calls);
  const calls = keptCalls(request.calls, request.lastBlockIndex, payload);
  const { requestId, stopReason, messageId } = payload;
  const ended: TurnState = {
    ...state,
    request: undefined,
    said: undefined,
    responses: state.responses + 1,
    compactionsInARow: 0,
    // The turn is taken back, and what was captured with it: that is said again with the next message.
    capturedContext: stopReason === "refusal" ? {} : state.capturedContext,
    // An interrupt that came first has already made the calls of this request pending.
    pending: [...state.pending.filter((call) => call.requestId !== requestId), ...calls],
    lastResponse: {
      requestId,
      stopReason,
      seq,
      text: said + request.texts.join("\n\n"),
      textSeq: request.textSeq ?? seq,
      toolCalls: calls.length,
    },
    lastMessageId: messageId || state.lastMessageId,
  };
  const dropped = request.calls.filter((call) => !calls.includes(call));
  return discarding(ended, dropped);
}

export function requestFailed(state: TurnState, payload: Payload<"model.request-failed">): TurnState {
  const { request } = state;
  if (request?.requestId !== payload.requestId) return state;
  if (!countsFor(request.purpose)) {
    const stopsTurn = state.phase === "open" && payload.kind !== "cancelled";
    const compactionFailure = stopsTurn ? payload : undefined;
    return discarding({ ...state, request: undefined, compactionFailure }, request.calls);
  }
  // The calls of an interrupted answer are pending; those of any other are dead.
  return discarding(
    { ...state, request: undefined, lastFailure: payload },
    state.phase === "interrupted" ? [] : request.calls,
  );
}

/** Calls that are not part of the conversation, until their own end is recorded. */
function discarding(state: TurnState, calls: readonly PendingCall[]): TurnState {
  if (calls.length === 0) return state;
  return { ...state, discarding: [...(state.discarding ?? []), ...calls.map(({ toolUseId }) => toolUseId)] };
}
