/**
 * What the session has used, from what the API reported and nothing else. Keyed by the model that answered. What a cut
 * stream had reported is kept apart, for it is only a lower bound.
 */
import { type DurableEvent, type ModelUsage, type Projection, projection } from "../../shared/index.ts";
import type { UsageTotals } from "../types.ts";

/** US dollars for this usage, or null when the model has no known price. `asked`: the id in the request, which may be another. */
export type Price = (model: string, usage: ModelUsage, asked?: string) => number | null;

interface OpenRequest {
  readonly model: string;
  readonly purpose: string;
}

/** The fold's own state; readers see it as UsageTotals. */
export interface UsageFold extends UsageTotals {
  /** Requests that have not ended, by id. */
  readonly open: ReadonlyMap<string, OpenRequest>;
}

const NOTHING: ModelUsage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

export const noUsage = (): UsageFold => ({
  byModel: {},
  total: NOTHING,
  cut: NOTHING,
  requests: 0,
  responses: 0,
  costUsd: 0,
  spentUsd: 0,
  unpriced: 0,
  open: new Map(),
});

export function usageTotals(price: Price): Projection<UsageFold> {
  return projection("usage-totals", noUsage, {
    "model.request-started": (state, { payload: { requestId, model, purpose } }) => ({
      ...state,
      requests: state.requests + 1,
      open: new Map([...state.open, [requestId, { model, purpose }]]),
    }),
    "model.response-completed": (state, { payload }) => completed(state, payload, price),
    "model.request-failed": (state, { payload: { requestId, usage } }) => {
      const ended = { ...state, open: without(state.open, requestId) };
      if (!usage) return ended;
      const cost = price(state.open.get(requestId)?.model ?? "unknown", usage);
      return { ...ended, ...spent(state, cost), cut: addUsage(state.cut, usage) };
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
  const request = state.open.get(requestId);
  const model = resolvedModel ?? request?.model ?? "unknown";
  const before = Object.hasOwn(state.byModel, model) ? state.byModel[model] : undefined;
  const cost = price(model, usage, request?.model);
  return {
    ...state,
    byModel: {
      ...state.byModel,
      [model]: { ...addUsage(before ?? NOTHING, usage), responses: (before?.responses ?? 0) + 1 },
    },
    total: addUsage(state.total, usage),
    responses: state.responses + 1,
    costUsd: state.costUsd === null || cost === null ? null : state.costUsd + cost,
    ...spent(state, cost),
    ...(request?.purpose !== "compaction" && { last: usage }),
    open: without(state.open, requestId),
  };
}

const spent = ({ spentUsd, unpriced }: UsageFold, cost: number | null): Pick<UsageTotals, "spentUsd" | "unpriced"> =>
  cost === null ? { spentUsd, unpriced: unpriced + 1 } : { spentUsd: spentUsd + cost, unpriced };

function forgetLast(state: UsageFold): UsageFold {
  const { last: _outdated, ...rest } = state;
  return rest;
}

const without = (open: UsageFold["open"], requestId: string): UsageFold["open"] =>
  new Map([...open].filter(([id]) => id !== requestId));

export function addUsage(a: ModelUsage, b: ModelUsage): ModelUsage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    ...optional("cacheWrite5m", a, b),
    ...optional("cacheWrite1h", a, b),
    ...optional("thinkingTokens", a, b),
  };
}

type OptionalCount = "cacheWrite5m" | "cacheWrite1h" | "thinkingTokens";

function optional(key: OptionalCount, a: ModelUsage, b: ModelUsage): Partial<ModelUsage> {
  return a[key] === undefined && b[key] === undefined ? {} : { [key]: (a[key] ?? 0) + (b[key] ?? 0) };
}
