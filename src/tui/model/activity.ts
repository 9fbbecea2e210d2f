/**
 * What is going on, as the events tell it: nothing is guessed from time that passes. Kept as the few facts that the words
 * follow from; what streams at the moment is added by whoever sees it.
 */
import { type Payload, type Projection, projection } from "../../shared/index.ts";
import { subjectOf } from "./call-subject.ts";
import type { Activity, LiveBlock } from "./items.ts";

export interface Doings {
  /** Since the newest event that moved the turn on; undefined outside of a turn. */
  readonly turn: number | undefined;
  readonly request: { readonly id: string; readonly since: number } | undefined;
  /** A request for a summary of the conversation, within a turn or between two. */
  readonly summary: { readonly id: string; readonly since: number } | undefined;
  /** `isOfSummary`: it is a request for a summary that is tried again. */
  readonly retry: { readonly until: number; readonly message: string; readonly isOfSummary?: true } | undefined;
  readonly verifying: number | undefined;
  /** Calls that were asked for and have not ended, by toolUseId. */
  readonly asked: ReadonlyMap<string, Called>;
  /** Of these, those that run, the oldest first. */
  readonly running: ReadonlyMap<string, Called & { readonly since: number }>;
}

interface Called {
  readonly name: string;
  readonly what: string;
}

const NONE: ReadonlyMap<string, never> = new Map<string, never>();

const NOTHING: Doings = {
  turn: undefined,
  request: undefined,
  summary: undefined,
  retry: undefined,
  verifying: undefined,
  asked: NONE,
  running: NONE,
};

export const doings: Projection<Doings> = projection<Doings>("doings", () => NOTHING, {
  "session.resumed": ({ asked }) => ({ ...NOTHING, asked }), // a call that waited may still run
  "user.message-created": (state, { payload, ts }) =>
    payload.shell ? state : { ...state, turn: ts, retry: undefined },
  "user.steering-injected": (state, { payload, ts }) =>
    payload.seam === "withdrawn" ? state : { ...state, turn: ts, retry: undefined },
  "user.interrupted": () => NOTHING,
  "task.completed": () => NOTHING,
  "task.failed": () => NOTHING,

  "model.request-started": (state, { payload, ts }) => {
    if (payload.purpose !== "compaction") return begun(state, payload.requestId, ts);
    return { ...state, retry: undefined, summary: { id: payload.requestId, since: ts } };
  },
  "model.text-block-completed": (state, { payload, ts }) => settled(state, payload, ts),
  "model.thinking-block-completed": (state, { payload, ts }) => settled(state, payload, ts),
  "tool.requested": (state, { payload, ts }) => {
    const called = { name: payload.toolName, what: subjectOf(payload.input) };
    return { ...settled(state, payload, ts), asked: new Map(state.asked).set(payload.toolUseId, called) };
  },
  "model.response-completed": (state, { payload, ts }) => answered(state, payload.requestId, ts),
  "model.request-failed": (state, { payload, ts }) => {
    const ended = answered(state, payload.requestId, ts);
    if (ended === state || payload.kind !== "retryable" || payload.retriesExhausted) return ended;
    const retry = { until: ts + (payload.retryAfterMs ?? 0), message: payload.message };
    return { ...ended, retry: state.summary ? { ...retry, isOfSummary: true } : retry };
  },

  "tool.started": (state, { payload, ts }) => {
    const called = state.asked.get(payload.toolUseId) ?? { name: payload.toolName, what: "" };
    return { ...state, turn: ts, running: new Map(state.running).set(payload.toolUseId, { ...called, since: ts }) };
  },
  "tool.completed": (state, { payload, ts }) => ended(state, payload, ts),
  "tool.failed": (state, { payload, ts }) => ended(state, payload, ts),
  "tool.cancelled": (state, { payload, ts }) => ended(state, payload, ts),

  "task.verification-requested": (state, { ts }) => (state.turn === undefined ? state : { ...state, verifying: ts }),
  "verify.result": (state) => (state.verifying === undefined ? state : { ...state, verifying: undefined }),
});

function begun(state: Doings, id: string, ts: number): Doings {
  const request = { id, since: ts };
  const cleared = { retry: undefined, summary: undefined, verifying: undefined };
  return { ...state, ...cleared, turn: ts, request, asked: NONE, running: NONE }; // every call before it has its result
}

/** What comes next is measured from here. */
function settled(state: Doings, { requestId }: { readonly requestId: string }, ts: number): Doings {
  return state.request?.id === requestId ? { ...state, request: { ...state.request, since: ts } } : state;
}

function answered(state: Doings, requestId: string, ts: number): Doings {
  if (state.summary?.id === requestId) {
    return { ...state, summary: undefined, turn: state.turn === undefined ? undefined : ts };
  }
  return state.request?.id === requestId ? { ...state, request: undefined, turn: ts } : state;
}

function ended(state: Doings, { toolUseId }: Pick<Payload<"tool.failed">, "toolUseId">, ts: number): Doings {
  if (!state.asked.has(toolUseId) && !state.running.has(toolUseId)) return state;
  const without = <T>(map: ReadonlyMap<string, T>): ReadonlyMap<string, T> => {
    const left = new Map(map);
    left.delete(toolUseId);
    return left;
  };
  // What a resume closes belongs to a turn that nobody is at: it goes on when the user says something.
  const turn = state.turn === undefined ? undefined : ts;
  return { ...state, turn, asked: without(state.asked), running: without(state.running) };
}

/** What is seen of it beside the events. */
export interface Seen {
  readonly isAsking: boolean;
  readonly newest: LiveBlock | undefined;
  /** Of the summary that streams. */
  readonly characters: number;
  /** A summary between two turns is made: no event tells the end of one that was stopped between two attempts. */
  readonly isCompacting: () => boolean;
}

/** The words for it. What waits for the user goes first, for nothing else goes on by itself. */
export function activityOf(state: Doings, { isAsking, newest, characters, isCompacting }: Seen): Activity {
  if (isAsking) return { kind: "asking" };
  const { request, turn, retry, summary, verifying } = state;
  if (summary && (turn !== undefined || isCompacting())) return { kind: "summing", since: summary.since, characters };
  if (retry?.isOfSummary && (turn !== undefined || isCompacting())) return retrying(retry);
  if (turn === undefined) return { kind: "idle" };
  const [call] = state.running.values();
  if (call) return { kind: "calling", ...call };
  if (request) return { kind: streaming(newest), since: request.since };
  if (retry) return retrying(retry);
  return verifying === undefined ? { kind: "waiting-for-model", since: turn } : { kind: "verifying", since: verifying };
}

const retrying = ({ until, message }: NonNullable<Doings["retry"]>): Activity => ({ kind: "retrying", until, message });

function streaming(newest: LiveBlock | undefined): "waiting-for-model" | "thinking" | "writing" {
  if (!newest || newest.isSettled) return "waiting-for-model";
  return newest.kind === "thinking" ? "thinking" : "writing";
}
