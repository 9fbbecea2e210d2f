/**
 * A conversation as plain text, made without a model: what stands in its place when it cannot be sent as it was. Bounded, the
 * beginning and the newest part kept.
 */
import type { SessionState } from "../session/index.ts";
import { type Block, bytePrefix, byteSuffix, type DurableInput, isThinking, type Message } from "../shared/index.ts";
import { usedTokens } from "./budget.ts";

const PIECE_BYTES = 4 * 1024;
const HEAD_BYTES = 16 * 1024;
const TAIL_BYTES = 112 * 1024;

/** The compaction that swallows everything up to here, to be published as it is. No call may be open. */
export function plainCompaction(
  { conversation, usage, lastSeq }: SessionState,
  trigger: keyof typeof INTRODUCTIONS,
): DurableInput {
  const text = plainCheckpoint(conversation.messages, INTRODUCTIONS[trigger]);
  return {
    type: "context.compacted",
    payload: {
      checkpointYaml: text,
      cut: { fromSeq: 1, toSeq: lastSeq },
      trigger,
      tokensBefore: usage.last ? usedTokens(usage.last) : 0,
      summaryModel: "none",
      message: text,
    },
  };
}

function plainCheckpoint(messages: readonly Message[], introduction: string): string {
  const lines = messages.flatMap(({ role, content }) => content.flatMap((block) => lineOf(role, block)));
  return [introduction, "<conversation>", bounded(lines.join("\n\n")), "</conversation>", CONCLUSION].join("\n");
}

const INTRODUCTIONS = {
  "new-epoch":
    "This session goes on under another system prompt, so its earlier messages follow as plain text; long parts are cut.",
  fallback:
    "This session goes on with another model, so its earlier messages follow as plain text; long parts are cut.",
} as const;
const CONCLUSION = "Go on from there. Look at the present state of files before relying on what was read earlier.";

function lineOf(role: Message["role"], block: Block): readonly string[] {
  if (isThinking(block) || block.type === "compaction") return [];
  if (block.type === "image") return [`${role}: [an image, left out here]`];
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
