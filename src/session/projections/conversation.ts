/**
 * The messages that the model sees. The only author of messages: every byte comes from an event, so a rebuild gives what
 * was sent. Between breaks (see breaks.ts) blocks are only ever added at the end; a refused turn alone is taken back.
 */
import {
  type AssistantBlock,
  isBlank,
  type Message,
  type Payload,
  projection,
  type ToolResultBlock,
  type UserBlock,
  wellFormed,
} from "../../shared/index.ts";
import { countsFor, type Ending, settledBlocks } from "../settlement.ts";
import { afterBreak, compact, epoch, prune, withPrefix } from "./breaks.ts";
import {
  blockCount,
  type Conversation,
  countBlocks,
  extentOf,
  NO_RESULTS,
  type OpenAnswer,
  tailOf,
} from "./conversation-state.ts";
import { withReadableBlock } from "./server-block.ts";
import { userBlocks } from "./user-blocks.ts";

const initial = (): Conversation => ({
  messages: [],
  spans: [],
  sentBlocks: 0,
  sentTail: undefined,
  countedTail: undefined,
  breaks: 0,
  systemSha256: undefined,
  toolsSha256: undefined,
  outputSchemaSha256: undefined,
  awaiting: [],
  callIds: new Set(),
  open: undefined,
  results: NO_RESULTS,
  held: [],
  queued: new Map(),
  inTurn: false,
  turnStart: undefined,
});

export const conversation = projection<Conversation>("conversation", initial, {
  "session.started": (state, { payload }) => withPrefix(state, payload),
  "session.resumed": (state, { payload }) => epoch(payload.fork ? { ...state, queued: new Map() } : state, payload),
  "session.model-changed": (state, { payload: { from, to } }) =>
    afterBreak(from === to ? state : withReadableBlock(state)),

  "user.message-created": (state, { payload, seq }) => {
    const settled = settleInterrupted(state, seq);
    if (payload.shell) return say(settled, userBlocks(payload), seq); // it begins nothing
    const begun = payload.by === "kernel" ? { ...settled, inTurn: true } : beginTurn(settled);
    return say(begun, userBlocks(payload), seq);
  },
  "user.steering-queued": (state, { payload, id }) => {
    const item = { blocks: userBlocks(payload), beginsTurn: payload.deliver === "next-turn" };
    return { ...state, queued: new Map(state.queued).set(id, item) };
  },
  "user.steering-injected": (state, { payload, seq }) => {
    const item = state.queued.get(payload.queuedEventId);
    if (!item) return state;
    const queued = new Map(state.queued);
    queued.delete(payload.queuedEventId);
    if (payload.seam === "withdrawn") return { ...state, queued };
    const settled = settleInterrupted({ ...state, queued }, seq);
    return say(item.beginsTurn || !state.inTurn ? beginTurn(settled) : settled, item.blocks, seq);
  },
  "user.interrupted": (state) => ({
    ...state,
    inTurn: false,
    open: state.open && { ...state.open, interrupted: true },
  }),

  "model.request-started": (state, { payload, seq }) => {
    if (!countsFor(payload.purpose)) return state;
    const settled = settleInterrupted(state, seq);
    return {
      ...settled,
      open: { requestId: payload.requestId, blocks: [], interrupted: false },
      sentBlocks: blockCount(settled),
      sentTail: tailOf(settled.messages) ?? settled.sentTail,
    };
  },
  "model.text-block-completed": (state, { payload }) =>
    settling(state, payload, { type: "text", text: wellFormed(payload.text) }),
  "model.thinking-block-completed": (state, { payload }) => settling(state, payload, thinkingBlock(payload)),
  "tool.requested": (state, { payload }) => {
    state.callIds.add(payload.toolUseId);
    return settling(state, payload, callBlock(payload));
  },
  "model.response-completed": (state, { payload, seq }) =>
    state.open?.requestId === payload.requestId ? settle(state, state.open, payload, seq) : state,
  "model.request-failed": (state, { payload, seq }) => {
    if (state.open?.requestId !== payload.requestId) return state;
    return state.open.interrupted ? settleInterrupted(state, seq) : closed(state);
  },

  "tool.completed": (state, { payload, seq }) => answer(state, payload.toolUseId, { text: payload.modelText }, seq),
  "tool.failed": (state, { payload, seq }) =>
    answer(state, payload.toolUseId, { text: payload.modelText, isError: true }, seq),
  "tool.cancelled": (state, { payload, seq }) =>
    answer(state, payload.toolUseId, { text: payload.modelText, isError: true }, seq),

  "context.pruned": (state, { payload }) => prune(state, payload),
  "context.compacted": (state, event) => compact(state, event),

  "task.completed": (state) => ({ ...state, inTurn: false }),
  "task.failed": (state) => ({ ...state, inTurn: false }),
});

function thinkingBlock(payload: Payload<"model.thinking-block-completed">): AssistantBlock {
  return payload.redacted === undefined
    ? { type: "thinking", thinking: payload.thinking, signature: payload.signature }
    : { type: "redacted_thinking", data: payload.redacted };
}

const beginTurn = (state: Conversation): Conversation => ({
  ...state,
  inTurn: true,
  turnStart: extentOf(state.messages),
});

function callBlock(payload: Payload<"tool.requested">): AssistantBlock {
  const { toolUseId: id, toolName: name, input, caller, toolsetName } = payload;
  return {
    type: "tool_use",
    id,
    name,
    input,
    ...(caller !== undefined && { caller }),
    ...(toolsetName !== undefined && { toolset_name: toolsetName }),
  };
}

function settling(
  state: Conversation,
  { requestId, blockIndex }: { readonly requestId: string; readonly blockIndex: number },
  block: AssistantBlock,
): Conversation {
  if (state.open?.requestId !== requestId) return state;
  return { ...state, open: { ...state.open, blocks: [...state.open.blocks, { blockIndex, block }] } };
}

/** The open request ended: what counts of it becomes the assistant's message. */
function settle(state: Conversation, { blocks }: OpenAnswer, ending: Ending, seq: number): Conversation {
  const rest = closed(state);
  if (ending !== "interrupted" && ending.stopReason === "refusal") return takeBackRefused(rest);
  const content = settledBlocks(blocks, ending);
  if (content.length === 0) return rest;
  rest.messages.push({ role: "assistant", content });
  rest.spans.push({ first: seq, last: seq });
  const awaiting = content.filter((block) => block.type === "tool_use").map(({ id }) => id);
  const countedTail = ending === "interrupted" ? rest.countedTail : tailOf(rest.messages);
  return deliver({ ...rest, awaiting, countedTail }, state.results, seq);
}

function settleInterrupted(state: Conversation, seq: number): Conversation {
  return state.open?.interrupted ? settle(state, state.open, "interrupted", seq) : state;
}

/** Results that came for calls of a request that does not count are none. */
const closed = (state: Conversation): Conversation => ({ ...state, open: undefined, results: NO_RESULTS });

/** A refused turn that stays tends to be refused again: it goes, unless a tool has already acted on it. */
function takeBackRefused(state: Conversation): Conversation {
  if (!state.turnStart) return state;
  const { messages: kept, blocks } = state.turnStart;
  const messages = state.messages.slice(0, kept);
  const last = messages.at(-1);
  if (last?.role === "user" && last.content.length > blocks) {
    messages[kept - 1] = { role: "user", content: last.content.slice(0, blocks) };
  }
  const left = countBlocks(messages);
  const sentTail = state.sentBlocks > left ? tailOf(messages) : state.sentTail;
  const sentBlocks = Math.min(state.sentBlocks, left);
  return { ...state, messages, spans: state.spans.slice(0, kept), sentBlocks, sentTail, countedTail: undefined };
}

/** The first terminal event of a call counts; a result for anything that is not in the conversation is not for it. */
function answer(
  state: Conversation,
  toolUseId: string,
  { text, isError }: { readonly text: string; readonly isError?: true },
  seq: number,
): Conversation {
  const isSettling = state.open?.blocks.some(({ block }) => block.type === "tool_use" && block.id === toolUseId);
  if (!isSettling && !state.awaiting.includes(toolUseId)) return state;
  if (state.results.has(toolUseId)) return state;
  const result: ToolResultBlock = {
    type: "tool_result",
    tool_use_id: toolUseId,
    content: isBlank(text) ? "(no output)" : wellFormed(text),
    ...(isError && { is_error: true }),
  };
  return deliver(state, new Map(state.results).set(toolUseId, result), seq);
}

/** When every awaited result is there, they go out in block order, and what the user said meanwhile follows. */
function deliver(state: Conversation, results: Conversation["results"], seq: number): Conversation {
  const { awaiting, held } = state;
  const found = awaiting.map((id) => results.get(id)).filter((result) => result !== undefined);
  if (awaiting.length === 0 || found.length < awaiting.length) return { ...state, results };
  const delivered = { ...state, awaiting: [], results: NO_RESULTS, held: [], turnStart: undefined }; // a tool has acted
  return say(delivered, [...found, ...held], seq);
}

/** Adds blocks at the end of the conversation, in the last message when that is the user's. */
function say(state: Conversation, blocks: readonly UserBlock[], seq: number): Conversation {
  if (blocks.length === 0) return state;
  if (state.awaiting.length > 0) return { ...state, held: [...state.held, ...blocks] };
  const { messages, spans } = state;
  const last = messages.at(-1);
  const span = spans.at(-1);
  if (last?.role !== "user" || !span) {
    messages.push({ role: "user", content: blocks });
    spans.push({ first: seq, last: seq });
    return { ...state };
  }
  // A longer message takes the place of one that readers may hold: the list is theirs, so it is a new one.
  const longer: Message = { role: "user", content: [...last.content, ...blocks] };
  return { ...state, messages: messages.with(-1, longer), spans: spans.with(-1, { first: span.first, last: seq }) };
}
