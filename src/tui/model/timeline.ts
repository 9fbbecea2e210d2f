/**
 * The transcript's items as a fold over the log: the same function for live events and for replay. Total, so that a new
 * event type cannot be forgotten. The list is pushed in place by this fold only; an item that changes is a new object.
 */
import { type DurableEvent, total } from "../../shared/index.ts";
import type { CallItem, Item } from "./items.ts";

export interface Timeline {
  readonly items: readonly Item[];
  /** Where calls stand in `items`, by toolUseId. */
  readonly calls: ReadonlyMap<string, number>;
  /** The lowest index that changed since the fold began to count; for whoever keeps something by index. */
  readonly lastSeq: number;
}

interface Draft {
  items: Item[];
  calls: Map<string, number>;
  lastSeq: number;
}

const draftOf = (state: Timeline): Draft => state as unknown as Draft; // the fold owns its lists

function push(state: Timeline, item: Item): Timeline {
  const draft = draftOf(state);
  draft.items.push(item);
  if (item.kind === "call") draft.calls.set(item.toolUseId, draft.items.length - 1);
  return { ...draft, lastSeq: item.seq };
}

function changeCall(state: Timeline, toolUseId: string, change: Partial<CallItem>): Timeline {
  const draft = draftOf(state);
  const at = draft.calls.get(toolUseId);
  const item = at === undefined ? undefined : draft.items[at];
  if (at === undefined || item?.kind !== "call") return state;
  draft.items[at] = { ...item, ...change };
  return { ...draft };
}

const asItem = ({ id, seq }: DurableEvent) => ({ id, seq });

export const timeline = total<Timeline>("timeline", () => ({ items: [], calls: new Map(), lastSeq: 0 }), {
  "git.baseline-recorded": "ignored",
  "session.model-changed": "ignored",
  "session.renamed": "ignored",
  "session.resumed": "ignored",
  "session.started": "ignored",
  "user.steering-injected": "ignored",
  "user.steering-queued": "ignored",
  "user.interrupted": (state, event) =>
    push(state, { ...asItem(event), kind: "notice", tone: "warn", text: "Stopped." }),
  "user.message-created": (state, event) =>
    push(state, {
      ...asItem(event),
      kind: "user",
      text: event.payload.text,
      mentions: event.payload.mentions,
      images: [],
    }),
  "model.request-failed": "ignored",
  "model.request-started": "ignored",
  "model.response-completed": "ignored",
  "model.text-block-completed": (state, event) =>
    push(state, { ...asItem(event), kind: "answer", text: event.payload.text }),
  "model.thinking-block-completed": (state, event) =>
    push(state, { ...asItem(event), kind: "thinking", text: event.payload.thinking }),
  "permission.denied": "ignored",
  "permission.granted": "ignored",
  "permission.requested": "ignored",
  "tool.approved": "ignored",
  "tool.cancelled": (state, { payload }) => changeCall(state, payload.toolUseId, { state: "cancelled" }),
  "tool.completed": (state, { payload }) =>
    changeCall(state, payload.toolUseId, {
      state: "done",
      durationMs: payload.durationMs,
      summary: payload.ui.summary,
    }),
  "tool.failed": (state, { payload }) =>
    changeCall(state, payload.toolUseId, { state: "failed", output: payload.modelText }),
  "tool.requested": (state, event) =>
    push(state, {
      ...asItem(event),
      kind: "call",
      toolUseId: event.payload.toolUseId,
      name: event.payload.toolName,
      input: event.payload.input,
      state: "requested",
      output: "",
      changes: [],
    }),
  "tool.started": (state, { payload, ts }) => changeCall(state, payload.toolUseId, { state: "running", startedAt: ts }),
  "file.modified": "ignored",
  "file.read": "ignored",
  "process.exited": "ignored",
  "process.started": "ignored",
  "context.compacted": "ignored",
  "context.pruned": "ignored",
  "task.completed": "ignored",
  "task.failed": (state, event) =>
    push(state, { ...asItem(event), kind: "notice", tone: "error", text: event.payload.detail }),
  "task.verification-requested": "ignored",
  "verify.result": "ignored",
  "memory.written": "ignored",
  "phase.approved": "ignored",
  "phase.artifact": "ignored",
  "phase.entered": "ignored",
  "phase.rejected": "ignored",
  "subtask.completed": "ignored",
  "subtask.created": "ignored",
});
