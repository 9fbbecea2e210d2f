/**
 * What the session has used, from what the API reported and nothing else. Keyed by the model that answered. What a cut
 * stream had reported is kept apart, for it is only a lower bound.
 */
import { type DurableEvent, type ModelUsage, NO_USAGE, type Projection, projection } from "../../shared/index.ts";
import { countsFor } from "../settlement.ts";
import type { UsageTotals } from "../types.ts";
import { MAX_OPEN } from "./open-requests.ts";
import { beginsTurn, type TurnBounds, turnBounds } from "./turn-bounds.ts";

/** US dollars for this usage, or null when the model has no known price. `asked`: the id in the request, which may be another. */
export type Price = (model: string, usage: ModelUsage, asked?: string) => number | null;

interface OpenRequest {
  readonly requestId: string;
  readonly model: string;
  readonly purpose: string;
  readonly estimatedTokens: number;
}

/** The fold's own state; readers see it as UsageTotals. */
export interface UsageFold extends UsageTotals {
  /** Requests that have not ended, the newest few. */
  readonly open: readonly OpenRequest[];
  readonly turn: TurnBounds;
}

export const noUsage = (): UsageFold => ({
  byModel: {},
  total: NO_USAGE,
  cut: NO_USAGE,
  requests: 0,
  responses: 0,
  costUsd: 0,
  spentUsd: 0,
  unpriced: 0,
  turnUsd: 0,
  recentUsd: {},
  last: undefined,
  calibration: undefined,
  open: [],
  turn: turnBounds.initial(),
});

export function usageTotals(price: Price): Projection<UsageFold> {
  const named = counting(price);
  return {
    ...named,
    apply(state, event) {
      const turn = turnBounds.apply(state.turn, event);
      if (beginsTurn(state.turn, event)) return named.apply({ ...state, turn, turnUsd: 0 }, event);
      return named.apply(turn === state.turn ? state : { ...state, turn }, event);
    },
  };
}

const counting = (price: Price): Projection<UsageFold> =>
  projection("usage-totals", noUsage, {
    // What was spent before a fork is its origin's: it stands on the bill of that turn and that day.
    "session.resumed": (state, { payload: { fork } }) => (fork ? { ...state, turnUsd: 0, recentUsd: {} } : state),
    "model.request-started": (state, { payload: { requestId, model, purpose, contextStats } }) => {
      // Of an image only the most that it can be is known: such a request tells nothing about text.
      const hasImages = contextStats.sections.some(({ name }) => name === "images");
      const estimatedTokens = hasImages ? 0 : contextStats.estimatedInputTokens;
      const request = { requestId, model, purpose, estimatedTokens };
      return {
        ...state,
        requests: state.requests + 1,
        open: [...without(state.open, requestId), request].slice(-MAX_OPEN),
      };
    },
    "model.response-completed": (state, event) => completed(state, event, price),
    "model.request-failed": (state, { payload: { requestId, usage }, ts }) => {
      const open = without(state.open, requestId);
      if (!usage) return { ...state, open };
      const cost = price(requestOf(state, requestId)?.model ?? "unknown", usage);
      return { ...state, ...spent(state, cost, ts), open, cut: addUsage(state.cut, usage) };
    },
    // A break makes the next request shorter by what only its answer will tell: the old size no longer describes anything.
    "context.compacted": forgetLast,
    "context.pruned": forgetLast,
  });

function completed(
  state: UsageFold,
  { payload: { requestId, usage, resolvedModel }, ts }: DurableEvent<"model.response-completed">,
  price: Price,
): UsageFold {
  const request = requestOf(state, requestId);
  const model = resolvedModel ?? request?.model ?? "unknown";
  const before = Object.hasOwn(state.byModel, model) ? state.byModel[model] : undefined;
  const cost = price(model, usage, request?.model);
  const isOfConversation = request !== undefined && countsFor(request.purpose);
  return {
    ...state,
    ...spent(state, cost, ts),
    byModel: {
      ...state.byModel,
      [model]: { ...addUsage(before ?? NO_USAGE, usage), responses: (before?.responses ?? 0) + 1 },
    },
    total: addUsage(state.total, usage),
    responses: state.responses + 1,
    costUsd: state.costUsd === null || cost === null ? null : state.costUsd + cost,
    last: isOfConversation ? usage : state.last,
    calibration: isOfConversation ? (calibrationOf(request, usage) ?? state.calibration ?? 1) : state.calibration,
    open: without(state.open, requestId),
  };
}

/** Beyond it something else than text was counted. */
const MAX_RATE = 4;

/** How many tokens the API counted for one that was estimated. */
function calibrationOf(request: OpenRequest | undefined, usage: ModelUsage): number | undefined {
  const counted = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  if (!request || request.estimatedTokens <= 0 || counted <= 0) return undefined;
  return Math.min(MAX_RATE, Math.max(1 / MAX_RATE, counted / request.estimatedTokens));
}

/** A quarter of an hour: every zone's day begins and ends on one. */
export const SLOT_MS = 15 * 60_000;
/** More than a day and a zone's shift, were something spent in every one of them. */
const KEPT_SLOTS = 4 * 50;

function spent(
  state: UsageFold,
  cost: number | null,
  ts: number,
): Pick<UsageFold, "spentUsd" | "unpriced" | "turnUsd" | "recentUsd"> {
  const { spentUsd, unpriced, turnUsd, recentUsd } = state;
  if (cost === null) return { spentUsd, unpriced: unpriced + 1, turnUsd, recentUsd };
  return {
    spentUsd: spentUsd + cost,
    unpriced,
    turnUsd: turnUsd + cost,
    recentUsd: Number.isFinite(ts) ? withSlot(recentUsd, Math.floor(ts / SLOT_MS), cost) : recentUsd,
  };
}

/** The oldest goes, but never the present one, and only for want of room: a clock that was wrong for a while forgets no spending. */
function withSlot(recentUsd: UsageFold["recentUsd"], slot: number, cost: number): UsageFold["recentUsd"] {
  const grown = { ...recentUsd, [slot]: (recentUsd[slot] ?? 0) + cost };
  const slots = Object.keys(grown).map(Number);
  if (slots.length <= KEPT_SLOTS) return grown;
  const oldest = Math.min(...slots.filter((at) => at !== slot));
  return Object.fromEntries(Object.entries(grown).filter(([at]) => Number(at) !== oldest));
}

/** US dollars, at least: of the quarters of an hour that began at `since` or later, epoch milliseconds. */
export const spentSince = (recentUsd: UsageTotals["recentUsd"], since: number): number =>
  Object.entries(recentUsd).reduce((sum, [at, usd]) => (Number(at) * SLOT_MS >= since ? sum + usd : sum), 0);

const forgetLast = (state: UsageFold): UsageFold => ({ ...state, last: undefined });

const requestOf = ({ open }: UsageFold, requestId: string): OpenRequest | undefined =>
  open.find((request) => request.requestId === requestId);

const without = (open: UsageFold["open"], requestId: string): UsageFold["open"] =>
  open.filter((request) => request.requestId !== requestId);

/** Counts that neither has stay away. */
export function addUsage(a: ModelUsage, b: ModelUsage): ModelUsage {
  const sum: { -readonly [K in keyof ModelUsage]: ModelUsage[K] } = {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
  };
  const cacheWrite5m = either(a.cacheWrite5m, b.cacheWrite5m);
  if (cacheWrite5m !== undefined) sum.cacheWrite5m = cacheWrite5m;
  const cacheWrite1h = either(a.cacheWrite1h, b.cacheWrite1h);
  if (cacheWrite1h !== undefined) sum.cacheWrite1h = cacheWrite1h;
  const thinkingTokens = either(a.thinkingTokens, b.thinkingTokens);
  if (thinkingTokens !== undefined) sum.thinkingTokens = thinkingTokens;
  return sum;
}

const either = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined ? b : a + (b ?? 0);
