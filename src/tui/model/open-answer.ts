/**
 * The answer that is under way. Its settled blocks become items when it ends well, or was stopped; those of a failed request
 * are dead and never do, as in the conversation that the model sees.
 */
import { bytePrefix, type DurableEvent, isBlank } from "../../shared/index.ts";
import type { Item } from "./items.ts";
import { type OpenAnswer, push, pushAll, type Timeline } from "./timeline-state.ts";

/** Others, such as the summary of a compaction, are no part of the conversation. */
const isShown = (purpose: string): boolean => purpose === "main" || purpose === "verification-nudge";

export function beginAnswer(state: Timeline, { payload }: DurableEvent<"model.request-started">): Timeline {
  if (!isShown(payload.purpose)) return hidden(state, payload.requestId);
  const open: OpenAnswer = { requestId: payload.requestId, blocks: [], isInterrupted: false };
  return { ...settleStopped(state), open };
}

const hidden = (state: Timeline, requestId: string): Timeline =>
  state.hiddenRequests === undefined
    ? state
    : { ...state, hiddenRequests: new Set([...state.hiddenRequests, requestId].slice(-MAX_HIDDEN)) };

/** One streams at a time. */
const MAX_HIDDEN = 16;

/** Something that the log held is lost here: what, in words. Of an answer that was under way stays what there is of it. */
export function breakOff(state: Timeline, text: string): Timeline {
  const kept = state.open ? settled(state, state.open, "interrupted") : state;
  const hiddenRequests = kept.hiddenRequests ?? new Set();
  const id = `gap-${kept.revision}`;
  return push({ ...kept, hiddenRequests }, { id, seq: 0, kind: "notice", tone: "error", text, isGap: true });
}

type BlockEvent = DurableEvent<"model.text-block-completed" | "model.thinking-block-completed" | "tool.requested">;

export function settleBlock(state: Timeline, event: BlockEvent): Timeline {
  const { open } = state;
  const { requestId, blockIndex } = event.payload;
  if (open?.requestId !== requestId) return isLeftOver(state, requestId) ? pushed(state, itemOf(event)) : state;
  return { ...state, open: { ...open, blocks: [...open.blocks, { blockIndex, item: itemOf(event) }] } };
}

/** Its request began, or ended, in what is lost. */
const isLeftOver = ({ hiddenRequests }: Timeline, requestId: string): boolean =>
  hiddenRequests !== undefined && !hiddenRequests.has(requestId);

const pushed = (state: Timeline, item: Item): Timeline => (saysSomething(item) ? push(state, item) : state);

function itemOf({ id, seq, ...event }: BlockEvent): Item {
  switch (event.type) {
    case "model.text-block-completed": {
      const { text, partial } = event.payload;
      return { id, seq, kind: "answer", text, ...(partial && { isPartial: true }) };
    }
    case "model.thinking-block-completed": {
      const { thinking, redacted } = event.payload;
      return { id, seq, kind: "thinking", text: thinking, ...(redacted !== undefined && { isRedacted: true }) };
    }
    case "tool.requested": {
      const { toolUseId, toolName: name, input } = event.payload;
      return {
        id,
        seq,
        kind: "call",
        toolUseId,
        name,
        input: bounded(input),
        state: "requested",
        output: "",
        changes: [],
      };
    }
  }
}

/** The most of one text in an input: a whole file that is written stays in the log. */
const MAX_INPUT_BYTES = 16 * 1024;

function bounded(input: unknown): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const entries = Object.entries(input);
  if (!entries.some(([, value]) => isLong(value))) return input;
  return Object.fromEntries(entries.map(([key, value]) => [key, isLong(value) ? cut(value) : value]));
}

const isLong = (value: unknown): value is string => typeof value === "string" && value.length > MAX_INPUT_BYTES;

/** A copy: a slice would hold the whole text. */
function cut(text: string): string {
  const head = bytePrefix(text, MAX_INPUT_BYTES);
  return `${head}\n… ${text.length - head.length} more characters`;
}

export function endAnswer(state: Timeline, { payload }: DurableEvent<"model.response-completed">): Timeline {
  const { open } = state;
  if (open?.requestId !== payload.requestId) return state;
  return settled(state, open, payload.stopReason);
}

export function failAnswer(state: Timeline, event: DurableEvent<"model.request-failed">): Timeline {
  const { payload, id, seq } = event;
  const { open } = state;
  if (open?.requestId !== payload.requestId) return state;
  if (open.isInterrupted) return settleStopped(state);
  const isForGood = payload.retriesExhausted && payload.kind !== "cancelled" && payload.kind !== "context-overflow";
  const failure = isForGood ? { id, seq, message: payload.message } : state.failure;
  return { ...state, open: undefined, failure };
}

export function stopAnswer(state: Timeline, { id, seq }: DurableEvent<"user.interrupted">): Timeline {
  const stopped = { ...state, inTurn: false, stopped: { id, seq } };
  return state.open ? { ...stopped, open: { ...state.open, isInterrupted: true } } : settleStopped(stopped);
}

/** What is kept of an answer that the user stopped, and the word that it was stopped, unless what is kept says so itself. */
export function settleStopped(state: Timeline): Timeline {
  const { open, stopped } = state;
  const kept = open?.isInterrupted ? settled(state, open, "interrupted") : state;
  if (!stopped) return kept;
  const told = { ...kept, stopped: undefined };
  const newest = open?.isInterrupted ? told.items.at(-1) : undefined;
  if (newest?.kind === "answer" && newest.isPartial) return told;
  return push(told, { ...stopped, kind: "notice", tone: "warn", text: "Stopped.", isStop: true });
}

function settled(state: Timeline, { blocks }: OpenAnswer, ending: string): Timeline {
  const rest = { ...state, open: undefined };
  if (ending === "refusal") return rest;
  const ordered = [...blocks].sort((a, b) => a.blockIndex - b.blockIndex).map(({ item }) => item);
  if (CUTTING.has(ending) && ordered.at(-1)?.kind === "call") ordered.pop();
  return pushAll(rest, ordered.filter(saysSomething));
}

const CUTTING: ReadonlySet<string> = new Set(["max_tokens", "model_context_window_exceeded"]);

const saysSomething = (item: Item): boolean => {
  if (item.kind === "answer") return !isBlank(item.text);
  return item.kind !== "thinking" || item.isRedacted === true || !isBlank(item.text);
};
