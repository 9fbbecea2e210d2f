/**
 * What the session has used, from what the API reported and nothing else. Keyed by the model that answered. What a cut
 * stream had reported is kept apart, for it is only a lower bound.
 */
import { type DurableEvent, type ModelUsage, NO_USAGE, type Projection, projection } from "../../shared/index.ts";
import type { UsageTotals } from "../types.ts";

/** US dollars for this usage, or null when the model has no known price. `asked`: the id in the request, which may be another. */
export type Price = (model: string, usage: ModelUsage, asked?: string) => number | null;

interface OpenRequest {
  readonly requestId: string;
  readonly model: string;
  readonly purpose: string;
}

/** The fold's own state; readers see it as UsageTotals. */
export interface UsageFold extends UsageTotals {
  /** Requests that have not ended. */
  readonly open: readonly OpenRequest[];
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
  last: undefined,
  open: [],
});

export function usageTotals(price: Price): Projection<UsageFold> {
  return projection("usage-totals", noUsage, {
    "model.request-started": (state, { payload: { requestId, model, purpose } }) => ({
      ...state,
      requests: state.requests + 1,
      open: [...without(state.open, requestId), { requestId, model, purpose }],
    }),
    "model.response-completed": (state, { payload }) => completed(state, payload, price),
    "model.request-failed": (state, { payload: { requestId, usage } }) => {
      const open = without(state.open, requestId);
      if (!usage) return { ...state, open };
      const cost = price(requestOf(state, requestId)?.model ?? "unknown", usage);
      return {
        ...state,
        open,
        spentUsd: state.spentUsd + (cost ?? 0),
        unpriced: state.unpriced + (cost === null ? 1 : 0),
        cut: addUsage(state.cut, usage),
      };
    },
    // A break makes the next request shorter by what only its answer will tell: the old size no longer describes anything.
    "context.compacted": forgetLast,
    "context.pruned": forgetLast,
  });
}

function completed(
  state: UsageFold,
  { requestId, usage, resolvedModel }: DurableEvent<"model.response-completed">["payload"],
  price: Price,
): UsageFold {
  const request = requestOf(state, requestId);
  const model = resolvedModel ?? request?.model ?? "unknown";
  const before = Object.hasOwn(state.byModel, model) ? state.byModel[model] : undefined;
  const cost = price(model, usage, request?.model);
  return {
    ...state,
    byModel: {
      ...state.byModel,
      [model]: { ...addUsage(before ?? NO_USAGE, usage), responses: (before?.responses ?? 0) + 1 },
    },
    total: addUsage(state.total, usage),
    responses: state.responses + 1,
    costUsd: state.costUsd === null || cost === null ? null : state.costUsd + cost,
    spentUsd: state.spentUsd + (cost ?? 0),
    unpriced: state.unpriced + (cost === null ? 1 : 0),
    last: request?.purpose === "compaction" ? state.last : usage,
    open: without(state.open, requestId),
  };
}

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
