/**
 * The messages that the model sees. The only author of messages: every byte comes from an event, so a rebuild gives what
 * was sent. Between breaks (prune, compaction, new epoch, new model) blocks are only ever added at the end.
 */
import {
  type AssistantBlock,
  type DurableEvent,
  isBlank,
  isThinking,
  type Message,
  type Payload,
  projection,
  type ToolResultBlock,
  type UserBlock,
  wellFormed,
} from "../../shared/index.ts";
import { type Ending, type Settling, settledBlocks } from "../settlement.ts";
import type { ConversationState } from "../types.ts";

interface OpenAnswer {
  readonly requestId: string;
  readonly blocks: readonly Settling[];
  readonly interrupted: boolean;
}

/** The fold's own state; readers see it as ConversationState. */
export interface Conversation extends ConversationState {
  readonly messages: Message[];
  readonly spans: { readonly first: number; readonly last: number }[];
  /** The request whose blocks are still settling. */
  readonly open?: OpenAnswer;
  readonly results: ReadonlyMap<string, ToolResultBlock>;
  /** User blocks that came while results were missing: they follow the results. */
  readonly held: readonly UserBlock[];
  readonly queued: ReadonlyMap<string, readonly UserBlock[]>;
  /** How much there was before the turn's own message, for taking it back after a refusal. */
  readonly turnStart: { readonly messages: number; readonly blocks: number };
}

const initial = (): Conversation => ({
  messages: [],
  spans: [],
  sentBlocks: 0,
  breaks: 0,
  awaiting: [],
  results: new Map(),
  held: [],
  queued: new Map(),
  turnStart: { messages: 0, blocks: 0 },
});

export const conversation = projection<Conversation>("conversation", initial, {
  "session.started": (state, { payload }) => withPrefix(state, payload),
  "session.resumed": (state, { payload }) => epoch(state, payload),
  "session.model-changed": (state) => afterBreak(state),

  "user.message-created": (state, { payload, seq }) => {
    const settled = settleInterrupted(state, seq);
    const begun = payload.by === "kernel" ? settled : { ...settled, turnStart: extent(settled) };
    return say(begun, userBlocks(payload.text, payload.context), seq);
  },
  "user.steering-queued": (state, { payload, id }) => ({
    ...state,
    queued: new Map(state.queued).set(id, userBlocks(payload.text, payload.context)),
  }),
  "user.steering-injected": (state, { payload, seq }) => {
    const queued = new Map(state.queued);
    const blocks = queued.get(payload.queuedEventId) ?? [];
    queued.delete(payload.queuedEventId);
    return say({ ...settleInterrupted(state, seq), queued }, blocks, seq);
  },
  "user.interrupted": (state) => (state.open ? { ...state, open: { ...state.open, interrupted: true } } : state),

  "model.request-started": (state, { payload, seq }) => {
    if (payload.purpose === "compaction") return state;
    const settled = settleInterrupted(state, seq);
    const tail = lastPosition(settled.messages);
    return {
      ...settled,
      open: { requestId: payload.requestId, blocks: [], interrupted: false },
      sentBlocks: countBlocks(settled.messages),
      ...(tail && { sentTail: tail }),
    };
  },
  "model.text-block-completed": (state, { payload }) =>
    settling(state, payload, { type: "text", text: wellFormed(payload.text) }),
  "model.thinking-block-completed": (state, { payload }) => settling(state, payload, thinkingBlock(payload)),
  "tool.requested": (state, { payload }) =>
    settling(state, payload, {
      type: "tool_use",
      id: payload.toolUseId,
      name: payload.toolName,
      input: payload.input,
    }),
  "model.response-completed": (state, { payload, seq }) =>
    state.open?.requestId === payload.requestId ? settle(state, state.open, { ...payload }, seq) : state,
  "model.request-failed": (state, { payload, seq }) => {
    if (state.open?.requestId !== payload.requestId) return state;
    return state.open.interrupted ? settleInterrupted(state, seq) : { ...closed(state), results: new Map() };
  },

  "tool.completed": (state, { payload, seq }) => answer(state, payload.toolUseId, { text: payload.modelText }, seq),
  "tool.failed": (state, { payload, seq }) =>
    answer(state, payload.toolUseId, { text: payload.modelText, isError: true }, seq),
  "tool.cancelled": (state, { payload, seq }) =>
    answer(state, payload.toolUseId, { text: payload.modelText, isError: true }, seq),

  "context.pruned": (state, { payload }) => prune(state, payload),
  "context.compacted": (state, event) => compact(state, event),
});

/** Each captured piece is a block of its own, so that no joiner can change a byte later; blank ones are refused. */
function userBlocks(text: string, context: Payload<"user.message-created">["context"]): readonly UserBlock[] {
  return [...(context ?? []).map((entry) => entry.text), text]
    .filter((piece) => !isBlank(piece))
    .map((piece) => ({ type: "text", text: wellFormed(piece) }));
}

function thinkingBlock(payload: Payload<"model.thinking-block-completed">): AssistantBlock {
  return payload.redacted === undefined
    ? { type: "thinking", thinking: payload.thinking, signature: payload.signature }
    : { type: "redacted_thinking", data: payload.redacted };
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
function settle(state: Conversation, open: OpenAnswer, ending: Ending, seq: number): Conversation {
  const rest = closed(state);
  if (ending !== "interrupted" && ending.stopReason === "refusal") return takeBackRefused(rest);
  const content = settledBlocks(open.blocks, ending);
  if (content.length === 0) return rest;
  rest.messages.push({ role: "assistant", content });
  rest.spans.push({ first: seq, last: seq });
  const awaiting = content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
  return deliver({ ...rest, awaiting }, seq);
}

function settleInterrupted(state: Conversation, seq: number): Conversation {
  return state.open?.interrupted ? settle(state, state.open, "interrupted", seq) : state;
}

function closed(state: Conversation): Conversation {
  const { open: _ended, ...rest } = state;
  return rest;
}

/** A refused turn that stays tends to be refused again: its text goes, unless a tool has already acted on it. */
function takeBackRefused(state: Conversation): Conversation {
  const { messages, blocks } = state.turnStart;
  const since = state.messages.slice(messages);
  if (since.some((message) => message.content.some((block) => block.type === "tool_result"))) return state;
  const before = state.messages[messages - 1];
  state.messages.length = messages;
  state.spans.length = messages;
  if (before?.role === "user" && before.content.length > blocks) {
    state.messages[messages - 1] = { role: "user", content: before.content.slice(0, blocks) };
  }
  return { ...state, sentBlocks: Math.min(state.sentBlocks, countBlocks(state.messages)) };
}

/** The first terminal event of a call counts; a result for anything that is not in the conversation is not for it. */
function answer(
  state: Conversation,
  toolUseId: string,
  { text, isError }: { readonly text: string; readonly isError?: true },
  seq: number,
): Conversation {
  const settlingCall = state.open?.blocks.some(({ block }) => block.type === "tool_use" && block.id === toolUseId);
  if (!settlingCall && !state.awaiting.includes(toolUseId)) return state;
  if (state.results.has(toolUseId)) return state;
  const result: ToolResultBlock = {
    type: "tool_result",
    tool_use_id: toolUseId,
    content: isBlank(text) ? "(no output)" : wellFormed(text),
    ...(isError && { is_error: true }),
  };
  return deliver({ ...state, results: new Map(state.results).set(toolUseId, result) }, seq);
}

/** When every awaited result is there, they go out in block order, and what the user said meanwhile follows. */
function deliver(state: Conversation, seq: number): Conversation {
  if (state.awaiting.length === 0) return state;
  const results = state.awaiting.flatMap((id) => state.results.get(id) ?? []);
  if (results.length < state.awaiting.length) return state;
  const held = state.held;
  return say({ ...state, awaiting: [], results: new Map(), held: [] }, [...results, ...held], seq);
}

/** Adds blocks at the end of the conversation, in the last message when that is the user's. */
function say(state: Conversation, blocks: readonly UserBlock[], seq: number): Conversation {
  if (blocks.length === 0) return state;
  if (state.awaiting.length > 0) return { ...state, held: [...state.held, ...blocks] };
  const at = state.messages.length - 1;
  const last = state.messages[at];
  if (last?.role === "user") {
    state.messages[at] = { role: "user", content: [...last.content, ...blocks] };
    state.spans[at] = { first: state.spans[at]?.first ?? seq, last: seq };
  } else {
    state.messages.push({ role: "user", content: blocks });
    state.spans.push({ first: seq, last: seq });
  }
  return { ...state };
}

function prune(state: Conversation, { toolUseIds, placeholder }: Payload<"context.pruned">): Conversation {
  const named = new Set(toolUseIds);
  const blank = (block: UserBlock): UserBlock =>
    block.type === "tool_result" && named.has(block.tool_use_id) ? { ...block, content: placeholder } : block;
  const messages = state.messages.map((message) =>
    message.role === "user" ? { ...message, content: message.content.map(blank) } : message,
  );
  return afterBreak({ ...state, messages });
}

/** Replaces the cut range by one message. A cut that would part a call from its result is not applied. */
function compact(state: Conversation, { payload }: DurableEvent<"context.compacted">): Conversation {
  const kept = state.spans.findIndex(({ last }) => last > payload.cut.toSeq);
  const from = kept === -1 ? state.messages.length : kept;
  const tail = state.messages.slice(from);
  const torn = tail[0]?.content.some((block) => block.type === "tool_result") ?? false;
  if (torn || (state.awaiting.length > 0 && tail.length === 0)) return state;
  const first: Message = payload.block
    ? { role: "assistant", content: [payload.block as AssistantBlock] } // made by the server, sent back verbatim
    : { role: "user", content: [{ type: "text", text: payload.message ?? payload.checkpointYaml }] };
  const span = { first: payload.cut.fromSeq, last: payload.cut.toSeq };
  const next = tail[0];
  const merged = first.role === "user" && next?.role === "user";
  const messages: Message[] = merged
    ? [{ role: "user", content: [...first.content, ...next.content] }, ...tail.slice(1)]
    : [first, ...tail];
  const spans = merged ? state.spans.slice(from) : [span, ...state.spans.slice(from)];
  if (merged && spans[0]) spans[0] = { first: payload.cut.fromSeq, last: spans[0].last };
  const made = afterBreak({ ...state, messages, spans });
  return { ...made, turnStart: extent(made) };
}

/** A break ends what signatures are bound to: thinking recorded before it goes, as one leading run. */
function afterBreak(state: Conversation): Conversation {
  const messages = state.messages.map((message) =>
    message.role === "assistant" && message.content.some(isThinking)
      ? { ...message, content: message.content.filter((block) => !isThinking(block)) }
      : message,
  );
  const { sentTail: _gone, ...rest } = state;
  return { ...rest, messages, spans: [...state.spans], sentBlocks: 0, breaks: state.breaks + 1 };
}

function epoch(state: Conversation, payload: Payload<"session.resumed">): Conversation {
  const changed =
    (payload.systemSha256 !== undefined && payload.systemSha256 !== state.systemSha256) ||
    (payload.toolsSha256 !== undefined && payload.toolsSha256 !== state.toolsSha256);
  return changed ? afterBreak(withPrefix(state, payload)) : state;
}

function withPrefix(
  state: Conversation,
  { systemSha256, toolsSha256 }: Pick<Payload<"session.resumed">, "systemSha256" | "toolsSha256">,
): Conversation {
  return { ...state, ...(systemSha256 && { systemSha256 }), ...(toolsSha256 && { toolsSha256 }) };
}

const countBlocks = (messages: readonly Message[]): number => messages.reduce((sum, m) => sum + m.content.length, 0);

function extent(state: Conversation): Conversation["turnStart"] {
  const last = state.messages.at(-1);
  return { messages: state.messages.length, blocks: last?.content.length ?? 0 };
}

function lastPosition(messages: readonly Message[]): ConversationState["sentTail"] {
  const last = messages.at(-1);
  return last ? { message: messages.length - 1, block: last.content.length - 1 } : undefined;
}
