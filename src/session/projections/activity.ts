/**
 * What was done in a log and what it cost, for statistics over many: turns and how they ended, requests, tokens and money by
 * model, calls by tool. Counts what is applied to it and can forget what it counted, so that a fork's inherited lines are
 * understood without being counted again.
 */
import {
  type DurableEvent,
  type DurableType,
  type ModelUsage,
  NO_USAGE,
  type Projection,
  projection,
} from "../../shared/index.ts";
import { MAX_OPEN } from "./open-requests.ts";
import { addUsage, type Price } from "./usage-totals.ts";

export interface ModelActivity {
  readonly usage: ModelUsage;
  readonly responses: number;
  /** US dollars of the responses whose price is known. */
  readonly costUsd: number;
  /** Responses whose price is not known. */
  readonly unpriced: number;
}

type Outcome = "completed" | "failed" | "interrupted";

export interface Activity {
  readonly turns: number;
  /** How turns ended; one that did not is `unfinished`. */
  readonly outcomes: Readonly<Record<Outcome | "unfinished", number>>;
  readonly requests: number;
  readonly byModel: ReadonlyMap<string, ModelActivity>;
  /** What streams that were cut had reported: spent at least that. Not part of `byModel`. */
  readonly cut: ModelUsage;
  readonly tools: ReadonlyMap<string, number>;
}

/** The fold's own state; `activityOf` gives what readers want. */
export interface ActivityFold extends Activity {
  /** The turn that is being told of, and how it ended, if it did. */
  readonly turn?: { readonly outcome?: Outcome };
  /** The models of requests that have not ended. */
  readonly open: ReadonlyMap<string, string>;
  /** How what waits in the queue will enter, by event id. */
  readonly queued: ReadonlyMap<string, "now" | "next-turn">;
}

const NOTHING: Activity = {
  turns: 0,
  outcomes: { completed: 0, failed: 0, interrupted: 0, unfinished: 0 },
  requests: 0,
  byModel: new Map(),
  cut: NO_USAGE,
  tools: new Map(),
};

export const noActivity = (): ActivityFold => ({ ...NOTHING, open: new Map(), queued: new Map() });

/** Nothing of it counts any more, but what was begun is known, and the price of its end will be. */
export const forgotten = ({ open, queued }: ActivityFold): ActivityFold => ({ ...NOTHING, open, queued });

/** With the turn that is still being told of among the others. */
export function activityOf(state: ActivityFold): Activity {
  const { turns, outcomes, requests, byModel, cut, tools } = closed(state);
  return { turns, outcomes, requests, byModel, cut, tools };
}

/** The only types that it looks at: a reader may pass over all others unread. */
export const ACTIVITY_TYPES: ReadonlySet<string> = new Set<DurableType>([
  "user.message-created",
  "user.steering-queued",
  "user.steering-injected",
  "user.interrupted",
  "model.request-started",
  "model.response-completed",
  "model.request-failed",
  "tool.requested",
  "task.completed",
  "task.failed",
]);

export function activity(price: Price): Projection<ActivityFold> {
  return projection("activity", noActivity, {
    "user.message-created": (state, { payload }) => (payload.by === "kernel" ? state : begun(state)),
    "user.steering-queued": (state, { payload, id }) => ({
      ...state,
      queued: new Map([...state.queued, [id, payload.deliver ?? "now"]]),
    }),
    "user.steering-injected": (state, { payload: { queuedEventId, seam } }) => {
      const deliver = state.queued.get(queuedEventId);
      const left = { ...state, queued: without(state.queued, queuedEventId) };
      if (seam === "withdrawn") return left;
      const isOpen = state.turn !== undefined && state.turn.outcome === undefined;
      return deliver === "next-turn" || !isOpen ? begun(left) : left;
    },
    "user.interrupted": (state) => ended(state, "interrupted"),
    "task.completed": (state) => ended(state, "completed"),
    "task.failed": (state) => ended(state, "failed"),
    "model.request-started": (state, { payload }) => ({
      ...state,
      requests: state.requests + 1,
      open: new Map([...state.open, [payload.requestId, payload.model] as const].slice(-MAX_OPEN)),
    }),
    "model.response-completed": (state, event) => answered(state, event, price),
    "model.request-failed": (state, { payload }) => ({
      ...state,
      open: without(state.open, payload.requestId),
      ...(payload.usage && { cut: addUsage(state.cut, payload.usage) }),
    }),
    "tool.requested": (state, { payload: { toolName } }) => ({
      ...state,
      tools: new Map(state.tools).set(toolName, (state.tools.get(toolName) ?? 0) + 1),
    }),
  });
}

const begun = (state: ActivityFold): ActivityFold => ({ ...closed(state), turns: state.turns + 1, turn: {} });

const ended = (state: ActivityFold, outcome: Outcome): ActivityFold =>
  state.turn ? { ...state, turn: { outcome } } : state;

function closed({ turn, ...state }: ActivityFold): ActivityFold {
  if (!turn) return state;
  const outcome = turn.outcome ?? "unfinished";
  return { ...state, outcomes: { ...state.outcomes, [outcome]: state.outcomes[outcome] + 1 } };
}

function answered(
  state: ActivityFold,
  { payload }: DurableEvent<"model.response-completed">,
  price: Price,
): ActivityFold {
  const { requestId, usage, resolvedModel } = payload;
  const asked = state.open.get(requestId);
  const model = resolvedModel ?? asked ?? "unknown";
  const cost = price(model, usage, asked);
  const answer = { usage, responses: 1, costUsd: cost ?? 0, unpriced: cost === null ? 1 : 0 };
  const byModel = new Map(state.byModel).set(model, addModels(state.byModel.get(model), answer));
  return { ...state, byModel, open: without(state.open, requestId) };
}

function addModels(a: ModelActivity | undefined, b: ModelActivity): ModelActivity {
  if (!a) return b;
  return {
    usage: addUsage(a.usage, b.usage),
    responses: a.responses + b.responses,
    costUsd: a.costUsd + b.costUsd,
    unpriced: a.unpriced + b.unpriced,
  };
}

const without = <T>(map: ReadonlyMap<string, T>, key: string): ReadonlyMap<string, T> =>
  new Map([...map].filter(([name]) => name !== key));

/** Both together. */
export function addActivity(a: Activity, b: Activity): Activity {
  const byModel = new Map(a.byModel);
  for (const [model, one] of b.byModel) byModel.set(model, addModels(byModel.get(model), one));
  const tools = new Map(a.tools);
  for (const [tool, count] of b.tools) tools.set(tool, (tools.get(tool) ?? 0) + count);
  return {
    turns: a.turns + b.turns,
    outcomes: {
      completed: a.outcomes.completed + b.outcomes.completed,
      failed: a.outcomes.failed + b.outcomes.failed,
      interrupted: a.outcomes.interrupted + b.outcomes.interrupted,
      unfinished: a.outcomes.unfinished + b.outcomes.unfinished,
    },
    requests: a.requests + b.requests,
    byModel,
    cut: addUsage(a.cut, b.cut),
    tools,
  };
}
