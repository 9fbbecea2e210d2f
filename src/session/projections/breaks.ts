/**
 * The few events that end what signatures are bound to: a prune, a compaction, a new epoch, another model. Between two of
 * them the conversation only grows.
 */
import {
  type AssistantBlock,
  type DurableEvent,
  isBlank,
  isThinking,
  type Message,
  type Payload,
  type UserBlock,
} from "../../shared/index.ts";
import { isSafeCut } from "../pairing.ts";
import { type Conversation, type Extent, joined } from "./conversation-state.ts";

/** Thinking recorded before a break goes, as one leading run; also that of an answer which only settles after it. */
export function afterBreak(state: Conversation): Conversation {
  const messages = state.messages.map((message) =>
    message.role === "assistant" && message.content.some(isThinking)
      ? { ...message, content: message.content.filter((block) => !isThinking(block)) }
      : message,
  );
  const { open } = state;
  const unbound = open && { ...open, blocks: open.blocks.filter(({ block }) => !isThinking(block)) };
  return {
    ...state,
    open: unbound,
    messages,
    sentBlocks: 0,
    sentTail: undefined,
    countedTail: undefined,
    breaks: state.breaks + 1,
    turnStart: hasLoopBefore(state) ? undefined : state.turnStart,
  };
}

/**
 * Whether the turn stands behind results that nobody answered before. Were it taken back after the break, their loop would be open
 * again, without the thinking that has to be in it: so it stays, though it be refused.
 */
function hasLoopBefore({ messages, turnStart }: Conversation): boolean {
  const before = turnStart && messages[turnStart.messages - 1]?.content.slice(0, turnStart.blocks);
  return before?.some(({ type }) => type === "tool_result") ?? false;
}

/** Named images go wherever they are, also from what is still to be sent. */
export function prune(state: Conversation, payload: Payload<"context.pruned">): Conversation {
  const { toolUseIds, placeholder, imageSha256s = [] } = payload;
  const [results, images] = [new Set(toolUseIds), new Set(imageSha256s)];
  const blanked = (block: UserBlock): UserBlock => {
    if (block.type === "tool_result" && results.has(block.tool_use_id)) return { ...block, content: placeholder };
    return block.type === "image" && images.has(block.source.sha256) ? { type: "text", text: placeholder } : block;
  };
  const messages = state.messages.map((message) =>
    message.role === "user" ? { ...message, content: message.content.map(blanked) } : message,
  );
  if (images.size === 0) return afterBreak({ ...state, messages });
  const queued = new Map([...state.queued].map(([id, item]) => [id, { ...item, blocks: item.blocks.map(blanked) }]));
  return afterBreak({ ...state, messages, queued, held: state.held.map(blanked) });
}

/** Nothing could stand for what it would replace. */
export const isEmptyCheckpoint = ({ block, message, checkpointYaml }: Payload<"context.compacted">): boolean =>
  !block && isBlank(message ?? checkpointYaml);

/** Everything up to the cut is replaced by one message. A cut that would part a call from its result is not applied. */
export function compact(state: Conversation, { payload }: DurableEvent<"context.compacted">): Conversation {
  const text = payload.message ?? payload.checkpointYaml;
  const first: Message = payload.block
    ? { role: "assistant", content: [payload.block as AssistantBlock] } // made by the server, sent back verbatim
    : { role: "user", content: [{ type: "text", text }] };
  if (isEmptyCheckpoint(payload) || !isSafeCut(state, payload.cut.toSeq)) return state;
  const from = state.spans.filter(({ last }) => last <= payload.cut.toSeq).length;
  const [tail, tailSpans] = [state.messages.slice(from), state.spans.slice(from)];
  const whole = tail[0] && joined(first, tail[0]);
  const own = { first: state.spans[0]?.first ?? 0, last: state.spans[from - 1]?.last ?? 0 };
  const made = afterBreak({
    ...state,
    messages: whole ? tail.with(0, whole) : [first, ...tail],
    spans: whole ? tailSpans.with(0, { ...own, last: tailSpans[0]?.last ?? own.last }) : [own, ...tailSpans],
  });
  const { turnStart } = state;
  return turnStart ? { ...made, turnStart: movedStart(turnStart, from, whole !== undefined) } : made;
}

/** Where the turn begins once `from` messages are one, and that one perhaps joined to the next: at the earliest behind it. */
function movedStart({ messages, blocks }: Extent, from: number, isJoined: boolean): Extent {
  const behind = messages - from;
  if (behind <= 0) return { messages: 1, blocks: 1 };
  return { messages: behind + (isJoined ? 0 : 1), blocks: blocks + (isJoined && behind === 1 ? 1 : 0) };
}

/** Hashes that differ from those in force name another prefix. */
export const epoch = (state: Conversation, payload: Payload<"session.resumed">): Conversation =>
  isNewEpoch(state, payload) ? afterBreak(withPrefix(state, payload)) : state;

/** The frozen prefix in force, by the names of its blobs. */
export type PrefixNames = Pick<Conversation, "systemSha256" | "toolsSha256" | "outputSchemaSha256">;

export const isNewEpoch = (inForce: PrefixNames, payload: Payload<"session.resumed">): boolean =>
  (payload.systemSha256 !== undefined && payload.systemSha256 !== inForce.systemSha256) ||
  (payload.toolsSha256 !== undefined && payload.toolsSha256 !== inForce.toolsSha256) ||
  (payload.outputSchemaSha256 !== undefined &&
    (payload.outputSchemaSha256 ?? undefined) !== inForce.outputSchemaSha256);

export function withPrefix<S extends PrefixNames>(
  state: S,
  payload: Pick<Payload<"session.resumed">, "systemSha256" | "toolsSha256" | "outputSchemaSha256">,
): S {
  const { systemSha256, toolsSha256, outputSchemaSha256: schema = state.outputSchemaSha256 } = payload;
  return {
    ...state,
    systemSha256: systemSha256 || state.systemSha256,
    toolsSha256: toolsSha256 || state.toolsSha256,
    outputSchemaSha256: schema || undefined,
  };
}
