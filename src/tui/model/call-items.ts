/** What happens to a call, on its item: from its request to its one end. What comes after the end changes nothing. */
import type { DurableEvent, Payload } from "../../shared/index.ts";
import { oneName } from "../spelling.ts";
import { type KeptText, keepHead, keepTail } from "./bounded-text.ts";
import type { CallItem, CallState, FileChangeView } from "./items.ts";
import { changeCall, push, type Timeline } from "./timeline-state.ts";

const ENDED: ReadonlySet<CallState> = new Set<CallState>(["done", "failed", "cancelled"]);

export const isEnded = ({ state }: CallItem): boolean => ENDED.has(state);

/** Nothing comes after an end. */
const unlessEnded =
  (change: (call: CallItem) => CallItem) =>
  (call: CallItem): CallItem =>
    isEnded(call) ? call : change(call);

export const startCall = (state: Timeline, { payload, ts }: DurableEvent<"tool.started">): Timeline =>
  changeCall(
    state,
    payload.toolUseId,
    unlessEnded((call) => ({ ...call, state: "running", startedAt: ts })),
  );

/** The call is lost, but its end is not. */
function withLostCall(
  state: Timeline,
  event: DurableEvent<"tool.completed" | "tool.failed" | "tool.cancelled">,
): Timeline {
  const { id, seq, payload } = event;
  const { toolUseId } = payload;
  const isOpen = state.open?.blocks.some(({ item }) => item.kind === "call" && item.toolUseId === toolUseId);
  if (state.hiddenRequests === undefined || state.calls.has(toolUseId) || isOpen) return state;
  const lost = { name: "(a call that is lost)", input: {}, output: "", changes: [] };
  return push(state, { id, seq, kind: "call", toolUseId, state: "requested", ...lost });
}

export const completeCall = (state: Timeline, event: DurableEvent<"tool.completed">): Timeline =>
  completedIn(withLostCall(state, event), event);

const completedIn = (state: Timeline, { payload }: DurableEvent<"tool.completed">): Timeline =>
  changeCall(
    state,
    payload.toolUseId,
    unlessEnded((call) => completed(call, payload)),
  );

function completed(call: CallItem, { modelText, durationMs, ui }: Payload<"tool.completed">): CallItem {
  const { summary, diffStats, exitCode } = ui;
  return {
    ...withoutOutput(call),
    state: "done",
    durationMs,
    summary,
    ...keptOf(ui.kind, modelText),
    ...(diffStats && { diffStats }),
    ...(exitCode !== undefined && { exitCode }),
  };
}

/** Of what a command printed the end tells most, of what was read or found the beginning. */
const keptOf = (kind: Payload<"tool.completed">["ui"]["kind"], text: string): KeptText =>
  kind === "exec" || kind === "process" ? keepTail(text) : keepHead(text);

export const failCall = (state: Timeline, event: DurableEvent<"tool.failed">): Timeline => {
  const { toolUseId, modelText, durationMs } = event.payload;
  const failed = (call: CallItem): CallItem => ({
    ...withoutOutput(call),
    state: "failed",
    durationMs,
    ...keepTail(modelText),
  });
  return changeCall(withLostCall(state, event), toolUseId, unlessEnded(failed));
};

export const cancelCall = (state: Timeline, event: DurableEvent<"tool.cancelled">): Timeline => {
  const { toolUseId, modelText } = event.payload;
  const cancelled = (call: CallItem): CallItem => ({
    ...withoutOutput(call),
    state: "cancelled",
    ...keepTail(modelText),
  });
  return changeCall(withLostCall(state, event), toolUseId, unlessEnded(cancelled));
};

/** What was printed while it ran goes with the result: a replay has seen none of it. */
function withoutOutput({ isCut: _cut, ...call }: CallItem): CallItem {
  return { ...call, output: "" };
}

/** Asked about, and answered. */
export const askAbout = (state: Timeline, { payload }: DurableEvent<"permission.requested">): Timeline =>
  payload.toolUseId === undefined ? state : atState(state, payload.toolUseId, "asking");

export function answered(
  state: Timeline,
  { payload }: DurableEvent<"permission.granted" | "permission.denied">,
): Timeline {
  const question = state.questions.find(({ requestId }) => requestId === payload.permissionRequestId);
  return question?.toolUseId === undefined ? state : atState(state, question.toolUseId, "requested");
}

const atState = (state: Timeline, toolUseId: string, reached: CallState): Timeline =>
  changeCall(
    state,
    toolUseId,
    unlessEnded((call) => (call.state === reached || call.state === "running" ? call : { ...call, state: reached })),
  );

/** A change belongs to the call that made it; one that no call made is told by itself. */
export function modifyFile(state: Timeline, { payload, id, seq }: DurableEvent<"file.modified">): Timeline {
  const { path, operation, diffStats, diff, unlisted, toolUseId } = payload;
  const change: FileChangeView = {
    path,
    operation,
    diffStats,
    ...(diff !== undefined && { diff }),
    ...(unlisted !== undefined && { unlisted }),
  };
  const changed = toolUseId === undefined ? state : changeCall(state, toolUseId, (call) => withChange(call, change));
  if (changed !== state) return changed;
  const { added, removed } = diffStats;
  const what = operation === "restore" ? "Restored" : "Changed";
  const lines = added + removed === 0 ? "" : ` +${added} −${removed}`;
  return push(state, { id, seq, kind: "notice", tone: "muted", text: `${what} ${oneName(path)}${lines}` });
}

const withChange = (call: CallItem, change: FileChangeView): CallItem => ({
  ...call,
  changes: [...call.changes, change],
});

/** What a running call prints: its newest lines. Of a call that does not run, nothing. */
export const addOutput = (state: Timeline, toolUseId: string, text: string): Timeline =>
  changeCall(state, toolUseId, (call) => {
    if (call.state !== "running") return call;
    const { output, isCut = call.isCut } = keepTail(call.output + text);
    return { ...call, output, ...(isCut && { isCut }) };
  });
