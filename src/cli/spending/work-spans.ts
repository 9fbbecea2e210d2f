/**
 * When there was work: a request was under way, a call ran, or both. Waiting for the user is none, nor is the time between turns.
 * Spans in epoch milliseconds, in their order, none touching another.
 */
import { type LogEvent, type Projection, projection } from "../../shared/index.ts";

export interface WorkSpan {
  readonly from: number;
  readonly to: number;
}

export interface WorkFold {
  /** Grows in place. */
  readonly spans: WorkSpan[];
  /** What is under way, by request and call. */
  readonly open: ReadonlySet<string>;
  readonly since: number;
  /** When anything happened last. */
  readonly last: number;
}

const named = projection<WorkFold>("work", () => ({ spans: [], open: new Set(), since: 0, last: 0 }), {
  "session.resumed": (state) => closed({ ...state, open: new Set() }, state.last), // what ran ended with the program
  "model.request-started": (state, { payload, ts }) => begun(state, payload.requestId, ts),
  "model.response-completed": (state, { payload, ts }) => ended(state, payload.requestId, ts),
  "model.request-failed": (state, { payload, ts }) => ended(state, payload.requestId, ts),
  "tool.started": (state, { payload, ts }) => begun(state, payload.toolUseId, ts),
  "tool.completed": (state, { payload, ts }) => ended(state, payload.toolUseId, ts),
  "tool.failed": (state, { payload, ts }) => ended(state, payload.toolUseId, ts),
  "tool.cancelled": (state, { payload, ts }) => ended(state, payload.toolUseId, ts),
});

export const workSpans: Projection<WorkFold> = {
  ...named,
  apply: (state, event: LogEvent) => ({ ...named.apply(state, event), last: event.ts }),
};

function begun(state: WorkFold, id: string, ts: number): WorkFold {
  const open = new Set(state.open).add(id);
  return state.open.size === 0 ? { ...state, open, since: ts } : { ...state, open };
}

function ended(state: WorkFold, id: string, ts: number): WorkFold {
  if (!state.open.has(id)) return state;
  const open = new Set(state.open);
  open.delete(id);
  return open.size > 0 ? { ...state, open } : closed({ ...state, open }, ts);
}

/** A clock that went back makes a span of no length. */
function closed(state: WorkFold, to: number): WorkFold {
  const { spans, since } = state;
  if (since > 0 && to > since) spans.push({ from: Math.max(since, spans.at(-1)?.to ?? since), to });
  return { ...state, since: 0 };
}
