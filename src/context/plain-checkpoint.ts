/**
 * A conversation as plain text, made without a model: what stands in its place when it cannot be sent as it was. Bounded, the
 * beginning and the newest part kept.
 */
import type { SessionState } from "../session/index.ts";
import type { DurableInput, Message } from "../shared/index.ts";
import { usedTokens } from "./budget.ts";
import { boundedLines, ENTRIES, plainLines } from "./plain-text.ts";

const TEXT_BYTES = 128 * 1024;

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
      route: "none",
      message: text,
    },
  };
}

function plainCheckpoint(messages: readonly Message[], introduction: string): string {
  const text = boundedLines(plainLines(messages), TEXT_BYTES);
  return [introduction, ENTRIES, "<conversation>", text, "</conversation>", CONCLUSION].join("\n");
}

const INTRODUCTIONS = {
  "new-epoch":
    "This session goes on under another system prompt, so its earlier messages follow as plain text; long parts are cut.",
  fallback:
    "This session goes on with another model, so its earlier messages follow as plain text; long parts are cut.",
} as const;
const CONCLUSION = "Go on from there. Look at the present state of files before relying on what was read earlier.";
