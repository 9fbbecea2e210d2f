/**
 * What ended the prefix that requests share, as it happens: the breaks that the conversation's fold makes, and a refused turn
 * that is taken out again. For whoever has to name them without holding the conversation.
 */
import { type DurableEvent, type LogEvent, type Payload, type Projection, projection } from "../../shared/index.ts";
import type { NamedBreak } from "../ledger-types.ts";
import { countsFor } from "../settlement.ts";
import { isEmptyCheckpoint, isNewEpoch, type PrefixNames, withPrefix } from "./breaks.ts";
import { beginsTurn, type TurnBounds, turnBounds } from "./turn-bounds.ts";

export interface BreakFold {
  /** The newest one. */
  readonly latest: NamedBreak | undefined;
  readonly names: PrefixNames;
  readonly turn: TurnBounds;
  /** A refusal would take the turn out: no tool has acted in it. */
  readonly isBare: boolean;
  /** Of what was last said to the model; undefined once it is gone with what it answered to: a refusal finds nothing to take. */
  readonly saidSeq: number | undefined;
  /** The conversation's request that has not ended. */
  readonly open: string | undefined;
  /** Calls of the conversation that have no end. */
  readonly calls: ReadonlySet<string>;
  /** The level that is set. */
  readonly effort: string | undefined;
  /** Of what last brought an image into the conversation. No break, for what stands before it is the same. */
  readonly imagesSeq: number | undefined;
  /** Queued messages with images, by event id. */
  readonly queuedImages: ReadonlySet<string>;
}

const initial = (): BreakFold => ({
  latest: undefined,
  names: { systemSha256: undefined, toolsSha256: undefined, outputSchemaSha256: undefined },
  turn: turnBounds.initial(),
  isBare: false,
  saidSeq: undefined,
  open: undefined,
  calls: new Set(),
  effort: undefined,
  imagesSeq: undefined,
  queuedImages: new Set(),
});

const named = projection<BreakFold>("prefix-breaks", initial, {
  "session.started": (state, { payload }) => ({
    ...state,
    names: withPrefix(state.names, payload),
    effort: payload.effort,
  }),
  "session.resumed": (state, { payload, seq }) => {
    const names = withPrefix(state.names, payload);
    return isNewEpoch(state.names, payload) ? { ...state, names, latest: { seq, kind: "epoch" } } : state;
  },
  "session.model-changed": (state, { payload, seq }) => ({
    ...state,
    latest: { seq, kind: changedSetting(state, payload) },
    effort: payload.effort ?? state.effort,
  }),
  "context.pruned": (state, { payload, seq }) => ({
    ...state,
    latest: { seq, kind: "pruned", tokens: payload.tokensReclaimedEstimate },
  }),
  "context.compacted": (state, { payload, seq }) => {
    if (isEmptyCheckpoint(payload)) return state; // it is not applied
    const { tokensBefore, tokensAfterEstimate: after, cut } = payload;
    const latest: NamedBreak = { seq, kind: "compacted", ...(after !== undefined && { tokens: tokensBefore - after }) };
    const isSwallowed = state.saidSeq !== undefined && state.saidSeq <= cut.toSeq;
    return { ...state, latest, saidSeq: isSwallowed ? undefined : state.saidSeq };
  },
  "user.message-created": (state, { payload, seq }) => ({
    ...state,
    saidSeq: seq,
    imagesSeq: payload.attachments?.length ? seq : state.imagesSeq,
  }),
  "user.steering-queued": (state, { payload, id }) =>
    payload.attachments?.length ? { ...state, queuedImages: new Set(state.queuedImages).add(id) } : state,
  "user.steering-injected": (state, { payload: { queuedEventId, seam }, seq }) => {
    if (!state.turn.queued.has(queuedEventId) || seam === "withdrawn") return state;
    return { ...state, saidSeq: seq, imagesSeq: state.queuedImages.has(queuedEventId) ? seq : state.imagesSeq };
  },
  "model.request-started": (state, { payload: { requestId, purpose } }) =>
    countsFor(purpose) ? { ...state, open: requestId } : state,
  "tool.requested": (state, { payload: { requestId, toolUseId } }) =>
    requestId === state.open ? { ...state, calls: new Set(state.calls).add(toolUseId) } : state,
  "model.response-completed": (state, { payload: { requestId, stopReason }, seq }) => {
    if (requestId !== state.open) return state;
    const isTaken = stopReason === "refusal" && state.isBare && state.saidSeq !== undefined;
    return { ...state, open: undefined, ...(isTaken && { latest: { seq, kind: "taken-back" }, saidSeq: undefined }) };
  },
  "model.request-failed": (state, { payload: { requestId } }) =>
    requestId === state.open ? { ...state, open: undefined } : state,
  "tool.completed": (state, event) => answered(state, event),
  "tool.failed": (state, event) => answered(state, event),
  "tool.cancelled": (state, event) => answered(state, event),
});

/** Both settings may be said where only one of them is another than before. */
function changedSetting(
  { effort: before }: BreakFold,
  { from, to, effort, thinking }: Payload<"session.model-changed">,
): NamedBreak["kind"] {
  if (from !== to) return "model";
  return thinking !== undefined && (effort === undefined || effort === before) ? "thinking" : "effort";
}

/** A discarded call is none of the conversation's. */
function answered(
  state: BreakFold,
  { type, payload }: DurableEvent<"tool.completed" | "tool.failed" | "tool.cancelled">,
): BreakFold {
  if (!state.calls.has(payload.toolUseId)) return state;
  const calls = new Set(state.calls);
  calls.delete(payload.toolUseId);
  const isDead = type === "tool.cancelled" && payload.reason === "discarded";
  return { ...state, calls, isBare: state.isBare && isDead };
}

export const prefixBreaks: Projection<BreakFold> = {
  ...named,
  apply(state, event) {
    const next = named.apply(state, event);
    const turn = turnBounds.apply(state.turn, event);
    if (isTurnsBegin(state, event)) return { ...next, turn, isBare: true };
    return turn === next.turn ? next : { ...next, turn };
  },
};

export const isTurnsBegin = ({ turn }: BreakFold, event: LogEvent): boolean => beginsTurn(turn, event);
