/**
 * Turns the JSON payloads of one streamed answer into model events, without touching the network. What it does not know it
 * skips; what would make the answer unsafe to use (an error, a block that nothing closed, an end that never came) it refuses.
 */
import { NO_USAGE } from "../shared/index.ts";
import { completed, growCompaction, growThinking, type OpenBlock, openBlock } from "./blocks.ts";
import { BrokenStream, malformed } from "./broken-stream.ts";
import { type Foreign, fields, isShallow, textOf } from "./foreign.ts";
import type { ModelEvent } from "./types.ts";
import { createUsageMeter, type UsageMeter } from "./usage.ts";

/** The server gave up in mid-stream; `error` is the body it sent, shaped like that of an HTTP error. */
export class StreamedError extends Error {
  readonly error: Foreign;
  constructor(error: Foreign) {
    super("the server reported an error in mid-stream");
    this.name = "StreamedError";
    this.error = error;
  }
}

export type Finish = Omit<Extract<ModelEvent, { type: "finished" }>, "durationMs">;

export interface StreamReader {
  /** Takes the data of one server-sent event. Throws StreamedError or BrokenStream. */
  push(data: string): readonly ModelEvent[];
  /** How many payloads moved the answer forward; pings and unknown ones do not. */
  readonly steps: number;
  /** Whether the server has said that the answer is complete. */
  readonly ended: boolean;
  /** The summary of a complete answer. Throws BrokenStream when it is not. */
  finish(): Finish;
  readonly usage: UsageMeter;
}

interface Answer {
  readonly usage: UsageMeter;
  readonly open: Map<number, OpenBlock>;
  readonly closed: Set<number>;
  steps: number;
  ended: boolean;
  hasToolCall: boolean;
  stopReason?: string;
  stopDetails?: unknown;
  messageId?: string;
  resolvedModel?: string;
  cacheMissReason?: string;
}

type Step = (answer: Answer, event: Foreign) => readonly ModelEvent[];

const NOTHING: readonly ModelEvent[] = [];
const MAX_DETAILS_LENGTH = 64 * 1024;
/** Ids and names are short; what is longer is cut, so that the record of the answer stays one. */
const MAX_NAME_LENGTH = 256;

export function createStreamReader(): StreamReader {
  const answer: Answer = {
    usage: createUsageMeter(),
    open: new Map(),
    closed: new Set(),
    steps: 0,
    ended: false,
    hasToolCall: false,
  };
  return {
    push(data) {
      const event = fields(parsed(data));
      const step = STEPS.get(textOf(event.type) ?? "");
      if (!step || answer.ended) return NOTHING;
      answer.steps++;
      return step(answer, event);
    },
    get steps() {
      return answer.steps;
    },
    get ended() {
      return answer.ended;
    },
    finish: () => finish(answer),
    usage: answer.usage,
  };
}

/** Some gateways send events without data, or close with a marker of their own. */
function parsed(data: string): unknown {
  if (data === "" || data === "[DONE]") return null;
  try {
    return JSON.parse(data);
  } catch (error) {
    throw new BrokenStream("the server sent an event that is not JSON", { code: "STREAM_MALFORMED", cause: error });
  }
}

const STEPS: ReadonlyMap<string, Step> = new Map<string, Step>([
  ["message_start", startMessage],
  ["content_block_start", startBlock],
  ["content_block_delta", growBlock],
  ["content_block_stop", closeBlock],
  ["message_delta", takeEnding],
  ["message_stop", endMessage],
  ["error", refuse],
]);

function startMessage(answer: Answer, event: Foreign): readonly ModelEvent[] {
  // Gateways that repeat a request on their own splice a second answer into the first.
  if (answer.open.size + answer.closed.size > 0) throw malformed("a second answer began inside the first");
  const message = fields(event.message);
  answer.usage.report(message.usage);
  assignText(answer, "messageId", message.id);
  assignText(answer, "resolvedModel", message.model);
  assignText(answer, "cacheMissReason", fields(fields(message.diagnostics).cache_miss_reason).type);
  takeEnding(answer, { delta: message });
  return Array.isArray(message.content)
    ? message.content.flatMap((block, index) => whole(answer, block, index))
    : NOTHING;
}

/** Where an answer was there before its stream began, its blocks stand in the beginning, as a rule alone. */
function whole(answer: Answer, block: unknown, index: number): readonly ModelEvent[] {
  const started = startBlock(answer, { index, content_block: block });
  return [...started, ...closeBlock(answer, { index })];
}

function startBlock(answer: Answer, event: Foreign): readonly ModelEvent[] {
  const index = indexOf(event);
  if (answer.open.has(index) || answer.closed.has(index)) throw malformed(`content block ${index} began twice`);
  const given = fields(event.content_block);
  const block = openBlock(given);
  answer.open.set(index, block);
  // The server handed over to another model: from here on it is that one which answers, and which is paid for.
  if (given.type === "fallback") assignText(answer, "resolvedModel", fields(given.to).model);
  switch (block.kind) {
    case "text":
      return block.text === "" ? NOTHING : [{ type: "text-delta", blockIndex: index, text: block.text }];
    case "thinking":
      return block.thinking === "" ? NOTHING : [{ type: "thinking-delta", blockIndex: index, text: block.thinking }];
    case "tool":
      answer.hasToolCall = true;
      return [{ type: "tool-call-started", blockIndex: index, toolUseId: block.call.id, toolName: block.call.name }];
    case "redacted":
    case "compaction":
    case "unknown":
      return NOTHING;
  }
}

function growBlock(answer: Answer, event: Foreign): readonly ModelEvent[] {
  const index = indexOf(event);
  const block = openAt(answer, index);
  const delta = fields(event.delta);
  if (block.kind === "text" && delta.type === "text_delta") {
    const text = textOf(delta.text) ?? "";
    block.text += text;
    return text === "" ? NOTHING : [{ type: "text-delta", blockIndex: index, text }];
  }
  if (block.kind === "thinking") return growThinking(block, delta, index);
  if (block.kind === "compaction") growCompaction(block, delta);
  if (block.kind === "tool" && delta.type === "input_json_delta") {
    const partialJson = textOf(delta.partial_json) ?? "";
    block.json += partialJson;
    if (partialJson === "") return NOTHING;
    return [{ type: "tool-input-delta", blockIndex: index, toolUseId: block.call.id, partialJson }];
  }
  return NOTHING;
}

function closeBlock(answer: Answer, event: Foreign): readonly ModelEvent[] {
  const index = indexOf(event);
  const open = openAt(answer, index);
  answer.open.delete(index);
  answer.closed.add(index);
  const block = completed(open);
  return block ? [{ type: "block-completed", blockIndex: index, block }] : NOTHING;
}

/** What belongs to no open block may be the rest of one whose beginning was lost, and with it a part of the answer. */
function openAt({ open }: Answer, index: number): OpenBlock {
  const block = open.get(index);
  if (!block) throw malformed(`an event belongs to content block ${index}, which is not open`);
  return block;
}

function takeEnding(answer: Answer, event: Foreign): readonly ModelEvent[] {
  const delta = fields(event.delta);
  answer.usage.report(event.usage);
  assignText(answer, "stopReason", delta.stop_reason);
  if (isSmall(delta.stop_details)) answer.stopDetails = delta.stop_details;
  return NOTHING;
}

function endMessage(answer: Answer): readonly ModelEvent[] {
  answer.ended = true;
  const cut = cutByLimit(answer);
  return cut === undefined ? NOTHING : closeBlock(answer, { index: cut });
}

const LIMITS: ReadonlySet<string | undefined> = new Set(["max_tokens", "model_context_window_exceeded"]);

/**
 * Where a limit strikes in the middle of a block, the API may end the message without ending the block first, as recorded
 * streams of tool input show. What came of the last block then counts as all of it; a second open block is no such thing.
 */
function cutByLimit({ open, closed, stopReason }: Answer): number | undefined {
  const [last, ...others] = open.keys();
  if (last === undefined || others.length > 0 || !LIMITS.has(stopReason)) return undefined;
  return [...closed].every((index) => index < last) ? last : undefined;
}

function refuse(_answer: Answer, event: Foreign): readonly ModelEvent[] {
  throw new StreamedError(event);
}

/** Where a gateway lost the stop reason, the blocks tell it: an answer with calls waits for their results. */
function finish(answer: Answer): Finish {
  if (!answer.ended) throw new BrokenStream("the answer stopped before its end", { code: "STREAM_CUT" });
  if (answer.open.size > 0) throw malformed("the answer ended with an open content block");
  const { stopDetails, messageId, resolvedModel, cacheMissReason } = answer;
  return {
    type: "finished",
    stopReason: answer.stopReason ?? (answer.hasToolCall ? "tool_use" : "end_turn"),
    ...(stopDetails !== undefined ? { stopDetails } : {}),
    usage: answer.usage.read() ?? NO_USAGE,
    ...(messageId !== undefined ? { messageId } : {}),
    ...(resolvedModel !== undefined ? { resolvedModel } : {}),
    ...(cacheMissReason !== undefined ? { cacheMissReason } : {}),
  };
}

/** Details that only a person reads: without them the answer is as good. */
const isSmall = (details: unknown): boolean =>
  details !== undefined &&
  details !== null &&
  isShallow(details) &&
  JSON.stringify(details).length <= MAX_DETAILS_LENGTH;

type TextField = "stopReason" | "messageId" | "resolvedModel" | "cacheMissReason";

function assignText(answer: Answer, field: TextField, value: unknown): void {
  const text = textOf(value);
  if (text !== undefined && text !== "") answer[field] = text.slice(0, MAX_NAME_LENGTH);
}

function indexOf(event: Foreign): number {
  if (typeof event.index === "number" && Number.isSafeInteger(event.index)) return event.index;
  throw malformed("a content block has no index");
}
