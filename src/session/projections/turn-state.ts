/**
 * Where the turn stands: everything the kernel derives its next action from, and nothing else. Counters are counts of
 * events, so a crash, a restart or another front can neither lose nor repeat them.
 */
import { byteLength, isBlank, isSameJson, type Payload, type Projection, projection } from "../../shared/index.ts";
import { countsFor } from "../settlement.ts";
import type { EndedCall, PendingCall, TurnState } from "../types.ts";
import { consentHandlers, openPermissions } from "./consent.ts";
import { inRequest, requestFailed, requestStarted, responseCompleted } from "./turn-requests.ts";
import { interruptedVerification, NO_VERIFICATION, nextVerification, verificationHandlers } from "./verification.ts";

const initial = (): TurnState => ({
  model: "",
  auxModel: "",
  effort: undefined,
  thinking: undefined,
  maxOutputTokens: undefined,
  toolNames: undefined,
  phase: "idle",
  objective: "",
  turnStartSeq: 0,
  turns: 0,
  request: undefined,
  lastResponse: undefined,
  said: undefined,
  lastFailure: undefined,
  summaryAsked: undefined,
  compactionFailure: undefined,
  lastMessageId: undefined,
  pending: [],
  discarding: undefined,
  permissions: [],
  queued: [],
  iterations: 0,
  continuations: { maxTokens: 0, empty: 0 },
  answerRepair: undefined,
  limited: undefined,
  tooLarge: undefined,
  responses: 0,
  compactionsInARow: 0,
  compactedAt: [],
  thrashRefused: undefined,
  capturedContext: {},
  resultBytes: 0,
  recentCalls: [],
  loopGrants: [],
  verification: NO_VERIFICATION,
});

const named = projection<TurnState>("turn-state", initial, {
  "session.started": (state, { payload }) => {
    const { auxModel, toolNames } = payload;
    return { ...state, ...settings(payload), auxModel, toolNames };
  },
  "session.resumed": (state, { payload }) => {
    const resumed = { ...state, model: payload.model };
    if (!payload.fork) return resumed;
    const said = state.queued.length > 0 ? { capturedContext: {} } : {}; // what was captured with those is not
    return { ...resumed, ...said, queued: [], pending: state.pending.map(unasked) };
  },
  "session.model-changed": (state, { payload }) => {
    const changed = { ...state, ...settings({ ...payload, model: payload.to }) };
    return payload.reason === "fallback" ? { ...changed, lastFailure: undefined } : changed; // it is the answer to it
  },

  "user.message-created": (state, { payload, seq }) => {
    if (payload.shell) return state; // a command of the user's own begins no turn and belongs to none
    return payload.by === "kernel" ? nudged(state, payload) : begin(state, payload, seq);
  },
  "user.steering-queued": (state, { payload, id }) => ({
    ...state,
    queued: [...state.queued, { eventId: id, text: payload.text, deliver: payload.deliver ?? "now" }],
    capturedContext: { ...state.capturedContext, ...byName(payload.context) },
  }),
  "user.steering-injected": (state, { payload, seq }) => {
    const item = state.queued.find((entry) => entry.eventId === payload.queuedEventId);
    const rest = { ...state, queued: state.queued.filter((entry) => entry !== item) };
    // What was captured with it is not said either, and has to be said with the next message.
    if (payload.seam === "withdrawn") return item ? { ...rest, capturedContext: {} } : state;
    if (item && (item.deliver === "next-turn" || state.phase !== "open")) return begin(rest, item, seq);
    return withoutResponse(rest);
  },
  "user.interrupted": (state) => ({
    ...state,
    phase: "interrupted",
    verification: interruptedVerification(state),
    pending: [...state.pending, ...(state.request && countsFor(state.request.purpose) ? state.request.calls : [])],
  }),

  "model.request-started": (state, { payload }) => requestStarted(state, payload),
  "model.text-block-completed": (state, { payload, seq }) =>
    inRequest(state, payload, (request) =>
      isBlank(payload.text) ? request : { ...request, texts: [...request.texts, payload.text], textSeq: seq },
    ),
  "model.thinking-block-completed": (state, { payload }) => inRequest(state, payload, (request) => request),
  "tool.requested": (state, { payload, seq }) => {
    const call: PendingCall = { ...payload, seq, stage: "requested" };
    const next = inRequest(state, payload, (request) => ({ ...request, calls: [...request.calls, call] }));
    // What had arrived when the user stopped the answer may still settle, and then counts as the rest of it does.
    return next !== state && state.phase === "interrupted" ? { ...next, pending: [...state.pending, call] } : next;
  },
  "model.response-completed": (state, event) => responseCompleted(state, event),
  "model.request-failed": (state, { payload }) => requestFailed(state, payload),

  ...consentHandlers,
  "tool.completed": (state, { payload }) => ended(state, payload),
  "tool.failed": (state, { payload }) => ended(state, payload),
  "tool.cancelled": (state, { payload }) => ended(state, payload),

  // Less is sent: a request that was too long may go out again.
  "context.pruned": (state) =>
    state.lastFailure?.kind === "context-overflow" ? { ...state, lastFailure: undefined } : state,
  "context.compacted": (state) => {
    const isFull = state.lastResponse?.stopReason === "model_context_window_exceeded";
    // Between turns it is no answer to what ended the last one, unless that was the size.
    const isAnswered = state.phase === "open" || state.lastFailure?.kind === "context-overflow";
    return {
      ...state,
      lastFailure: isAnswered ? undefined : state.lastFailure,
      summaryAsked: undefined,
      compactionFailure: undefined,
      lastResponse: isFull ? undefined : state.lastResponse,
      compactionsInARow: state.compactionsInARow + 1,
      compactedAt: [...state.compactedAt, state.responses].slice(-KEPT_COMPACTIONS),
      tooLarge: undefined,
      resultBytes: 0,
      capturedContext: {}, // it may be gone with the cut range: it is said again with the next message
    };
  },

  ...verificationHandlers,
  "task.completed": (state) => ({
    ...state,
    phase: "idle",
    verification: { ...state.verification, settled: true },
  }),
  "task.failed": (state, { payload: { reason } }) => {
    const isLimit = reason === "budget" || reason === "iteration-budget-exhausted";
    const lacksSummary = reason === "model-fatal-error" && state.summaryAsked;
    if (reason === "irreducible") return { ...state, phase: "idle", limited: true, tooLarge: true };
    return { ...state, phase: "idle", ...((isLimit || lacksSummary) && { limited: true }) };
  },
});

export const turnState: Projection<TurnState> = {
  ...named,
  apply(state, event) {
    const next = named.apply(state, event);
    const permissions = openPermissions.apply(state.permissions, event);
    return permissions === next.permissions ? next : { ...next, permissions };
  },
};

function settings(payload: Partial<Payload<"session.started">>): Partial<TurnState> {
  const { model, effort, thinking, maxOutputTokens } = payload;
  return {
    ...(model !== undefined && { model }),
    ...(effort !== undefined && { effort: effort === "auto" ? undefined : effort }), // the model's own
    ...(thinking !== undefined && { thinking }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  };
}

const KEPT_COMPACTIONS = 3;

/** Nothing of what may have ended the turn before stands any more. */
const UNSTOPPED = {
  lastFailure: undefined,
  summaryAsked: undefined,
  compactionFailure: undefined,
  limited: undefined,
  tooLarge: undefined,
  thrashRefused: undefined,
} as const;

/** A user's message, or a queued one delivered between turns, begins a turn: every count starts again. */
function begin(state: TurnState, said: { readonly text: string; readonly context?: Context }, seq: number): TurnState {
  return {
    ...withoutResponse(state),
    ...UNSTOPPED,
    answerRepair: undefined,
    phase: "open",
    objective: said.text,
    turnStartSeq: seq,
    turns: state.turns + 1,
    iterations: 0,
    continuations: { maxTokens: 0, empty: 0 },
    responses: 0,
    compactionsInARow: 0,
    compactedAt: [],
    capturedContext: { ...state.capturedContext, ...byName(said.context) },
    resultBytes: 0,
    recentCalls: [],
    loopGrants: [],
    verification: nextVerification(state.verification),
  };
}

type Context = Payload<"user.message-created">["context"];

const byName = (context: Context = []): TurnState["capturedContext"] =>
  Object.fromEntries(context.map(({ name, text }) => [name, text]));

/** The kernel spoke: what it answered to tells which of its few reasons it had. Outside a turn it takes the last one up again. */
function nudged(state: TurnState, { answerRepair }: Payload<"user.message-created">): TurnState {
  const { lastResponse, continuations, verification } = state;
  const rest: TurnState = { ...withoutResponse(state), ...UNSTOPPED, phase: "open" };
  if (answerRepair) return { ...rest, answerRepair };
  if (!lastResponse || state.phase !== "open") return rest;
  const { stopReason, text: said } = lastResponse;
  if (stopReason === "pause_turn") return { ...rest, said };
  if (stopReason === "max_tokens") {
    return { ...rest, said, continuations: { ...continuations, maxTokens: continuations.maxTokens + 1 } };
  }
  if (lastResponse.text === "" && lastResponse.toolCalls === 0) {
    return { ...rest, continuations: { ...continuations, empty: continuations.empty + 1 } };
  }
  return verification.requested ? { ...rest, verification: { ...verification, nudged: true } } : rest;
}

const withoutResponse = (state: TurnState): TurnState => ({ ...state, lastResponse: undefined, said: undefined });

const unasked = (call: PendingCall): PendingCall => (call.stage === "waiting" ? { ...call, stage: "requested" } : call);

function ended(
  state: TurnState,
  { toolUseId, modelText }: Pick<Payload<"tool.cancelled">, "toolUseId" | "modelText">,
): TurnState {
  const call = state.pending.find((entry) => entry.toolUseId === toolUseId);
  if (!call) return closedDead(state, toolUseId);
  const { toolName, input } = call;
  return {
    ...state,
    pending: state.pending.filter((entry) => entry !== call),
    resultBytes: state.resultBytes + byteLength(modelText),
    recentCalls: [...state.recentCalls.slice(-1), { toolName, input, result: modelText }],
  };
}

function closedDead(state: TurnState, toolUseId: string): TurnState {
  if (!state.discarding?.includes(toolUseId)) return state;
  const left = state.discarding.filter((id) => id !== toolUseId);
  return { ...state, discarding: left.length > 0 ? left : undefined };
}

type Call = Pick<EndedCall, "toolName" | "input">;

/** Whether they are the same but for the order of their keys. */
export const isSameCall = (a: Call, b: Call): boolean => a.toolName === b.toolName && isSameJson(a.input, b.input);
