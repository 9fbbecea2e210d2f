/**
 * The content blocks of a streamed answer: how one begins, and what it is when it is complete. Whatever leaves here can be
 * recorded and sent again: it fits into one line of the log and nests no deeper than JSON can be walked.
 */
import { byteLength, MAX_LINE_BYTES } from "../shared/index.ts";
import { BrokenStream, malformed } from "./broken-stream.ts";
import { type Foreign, isObject, isShallow, textOf } from "./foreign.ts";
import type { CompletedBlock, ModelEvent } from "./types.ts";

export type OpenBlock =
  | { readonly kind: "text"; text: string }
  | { readonly kind: "thinking"; thinking: string; signature: string }
  | { readonly kind: "redacted"; readonly data: string }
  | { readonly kind: "tool"; readonly call: CallHead; readonly given: unknown; json: string }
  | { readonly kind: "compaction"; block: Foreign }
  | { readonly kind: "unknown" };

type CallBlock = Extract<CompletedBlock, { type: "tool_use" }>;
type CallHead = Omit<CallBlock, "type" | "input">;

/** A line of the log holds the block and the few other fields of its event. */
const MAX_BLOCK_BYTES = MAX_LINE_BYTES - 64 * 1024;
const MAX_CALLER_BYTES = 4 * 1024;

export function openBlock(block: Foreign): OpenBlock {
  switch (block.type) {
    case "text":
      return { kind: "text", text: textOf(block.text) ?? "" };
    case "thinking":
      return { kind: "thinking", thinking: textOf(block.thinking) ?? "", signature: textOf(block.signature) ?? "" };
    case "redacted_thinking":
      return { kind: "redacted", data: textOf(block.data) ?? "" };
    case "tool_use":
      return { kind: "tool", call: callHead(block), given: block.input, json: "" };
    case "compaction":
      return { kind: "compaction", block };
    default:
      return { kind: "unknown" };
  }
}

function callHead({ id, name, caller, toolset_name }: Foreign): CallHead {
  // A call without an id could never be answered.
  if (!textOf(id) || !textOf(name)) throw malformed("a tool call has no id or no name");
  const isKept = isObject(caller) && isShallow(caller) && jsonBytes(caller) <= MAX_CALLER_BYTES;
  const toolset = textOf(toolset_name);
  return {
    id: String(id),
    name: String(name),
    ...(isKept ? { caller } : {}),
    ...(toolset !== undefined ? { toolsetName: toolset } : {}),
  };
}

export function growThinking(
  block: Extract<OpenBlock, { kind: "thinking" }>,
  delta: Foreign,
  index: number,
): readonly ModelEvent[] {
  if (delta.type === "signature_delta") block.signature = textOf(delta.signature) ?? block.signature;
  if (delta.type !== "thinking_delta") return [];
  const text = textOf(delta.thinking) ?? "";
  block.thinking += text;
  return text === "" ? [] : [{ type: "thinking-delta", blockIndex: index, text }];
}

/** A summary comes whole with its start or in a delta, whose fields are the last word. None of them is left out. */
export function growCompaction(open: Extract<OpenBlock, { kind: "compaction" }>, delta: Foreign): void {
  if (delta.type === "compaction_delta") open.block = { ...open.block, ...delta, type: "compaction" };
}

/** Null for what does not settle: unknown blocks, and thinking without its signature, which can never be sent again. */
export function completed(block: OpenBlock): CompletedBlock | null {
  switch (block.kind) {
    case "text":
      return fitting({ type: "text", text: block.text });
    case "thinking":
      if (block.signature === "") return null;
      return fitting({ type: "thinking", thinking: block.thinking, signature: block.signature });
    case "redacted":
      return fitting({ type: "redacted_thinking", data: block.data });
    case "tool":
      return completedCall(block);
    case "compaction":
      if (!isShallow(block.block)) throw malformed("a summary is nested beyond all sense");
      return fitting({ type: "compaction", block: block.block });
    case "unknown":
      return null;
  }
}

function completedCall({ call, given, json }: Extract<OpenBlock, { kind: "tool" }>): CompletedBlock {
  const made: CallBlock = { type: "tool_use", ...call, input: toolInput(json, given) };
  const bytes = jsonBytes(made);
  return bytes <= MAX_BLOCK_BYTES ? made : fitting({ ...made, input: { INPUT_TOO_LARGE: `${bytes} bytes` } });
}

/** A call without arguments streams nothing or an empty text. Keys keep the order in which they came. */
function toolInput(json: string, given: unknown): unknown {
  if (json.trim() === "") return isObject(given) && isShallow(given) ? given : {};
  try {
    const input: unknown = JSON.parse(json);
    if (isObject(input) && isShallow(input)) return input;
  } catch {
    // Not JSON: the text itself is the finding, and the tool runtime answers it.
  }
  return { INVALID_JSON: json };
}

/** No unit of a text takes more than this in JSON, so that most texts need not be written out to be measured. */
const MOST_BYTES_A_UNIT = 6;

function fitting(block: CompletedBlock): CompletedBlock {
  if (block.type === "text" && block.text.length * MOST_BYTES_A_UNIT < MAX_BLOCK_BYTES / 2) return block;
  if (jsonBytes(block) <= MAX_BLOCK_BYTES) return block;
  throw new BrokenStream("a part of the answer is larger than 16 MiB", { code: "STREAM_TOO_LARGE" });
}

const jsonBytes = (value: unknown): number => byteLength(JSON.stringify(value));
