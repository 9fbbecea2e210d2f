/** A conversation as plain text, for whoever cannot be sent it as it is: thinking left out, long pieces cut, the whole bounded. */
import { type Block, bytePrefix, byteSuffix, type Message } from "../shared/index.ts";

const PIECE_BYTES = 4 * 1024;
/** What the user said, and a checkpoint that stands in their place, weighs more than what a tool printed. */
const SAID_BYTES = 32 * 1024;

/** One entry for each block that says something. */
export const plainLines = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap(({ role, content }) => content.flatMap((block) => lineOf(role, block)));

function lineOf(role: Message["role"], block: Block): readonly string[] {
  switch (block.type) {
    case "thinking":
    case "redacted_thinking":
      return [];
    case "compaction":
      return typeof block.content === "string" ? [`earlier, summed up: ${cut(block.content, SAID_BYTES)}`] : [];
    case "image":
      return [`${role}: [an image, left out here]`];
    case "text":
      return [`${role}: ${cut(block.text, role === "user" ? SAID_BYTES : PIECE_BYTES)}`];
    case "tool_use":
      return [`assistant called ${block.name} ${cut(JSON.stringify(block.input), PIECE_BYTES)}`];
    case "tool_result":
      return [`result${block.is_error ? " (error)" : ""}: ${cut(block.content, PIECE_BYTES)}`];
  }
}

function cut(text: string, bytes: number): string {
  const kept = bytePrefix(text, bytes);
  return kept === text ? text : `${kept} […]`;
}

/** The beginning and, with seven times its share, the end. */
export function boundedText(text: string, bytes: number): string {
  const [head, tail] = [bytePrefix(text, Math.floor(bytes / 8)), byteSuffix(text, Math.floor((bytes * 7) / 8))];
  return head.length + tail.length >= text.length ? text : `${head}\n\n[… left out …]\n\n${tail}`;
}
