/**
 * A conversation as plain text, made without a model: what stands in its place when it cannot be sent as it was. Bounded, the
 * beginning and the newest part kept.
 */
import { type Block, bytePrefix, byteSuffix, isThinking, type Message } from "../shared/index.ts";

const PIECE_BYTES = 4 * 1024;
const HEAD_BYTES = 16 * 1024;
const TAIL_BYTES = 112 * 1024;

export function plainCheckpoint(messages: readonly Message[]): string {
  const lines = messages.flatMap(({ role, content }) => content.flatMap((block) => lineOf(role, block)));
  return [INTRODUCTION, "<conversation>", bounded(lines.join("\n\n")), "</conversation>", CONCLUSION].join("\n");
}

const INTRODUCTION =
  "This session goes on under another system prompt, so its earlier messages follow as plain text; long parts are cut.";
const CONCLUSION = "Go on from there. Look at the present state of files before relying on what was read earlier.";

function lineOf(role: Message["role"], block: Block): readonly string[] {
  if (isThinking(block) || block.type === "compaction") return [];
  if (block.type === "text") return [`${role}: ${cut(block.text)}`];
  if (block.type === "tool_use") return [`assistant called ${block.name} ${cut(JSON.stringify(block.input))}`];
  return [`result${block.is_error ? " (error)" : ""}: ${cut(block.content)}`];
}

function cut(text: string): string {
  const kept = bytePrefix(text, PIECE_BYTES);
  return kept === text ? text : `${kept} […]`;
}

function bounded(text: string): string {
  const [head, tail] = [bytePrefix(text, HEAD_BYTES), byteSuffix(text, TAIL_BYTES)];
  return head.length + tail.length >= text.length ? text : `${head}\n\n[… left out …]\n\n${tail}`;
}
