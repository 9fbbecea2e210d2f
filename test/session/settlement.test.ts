/** What of an answer counts, by how it ended. */
import { describe, expect, test } from "bun:test";
import { type Ending, keptCalls, type Settling, settledBlocks } from "../../src/session/settlement.ts";
import type { AssistantBlock } from "../../src/shared/index.ts";
import { thinking, use, words } from "./log-words.ts";

const inOrder = (...blocks: readonly AssistantBlock[]): Settling[] =>
  blocks.map((block, blockIndex) => ({ blockIndex, block }));
const [says] = words("says");
const [blank, lines] = words("", "\n\t \u2028");
if (!says || !blank || !lines) throw new Error("three texts were made");
const sealed = { type: "redacted_thinking" as const, data: "sealed" };
const stop = (stopReason: string): Ending => ({ stopReason });

const CASES: readonly (readonly [string, readonly AssistantBlock[], Ending, readonly AssistantBlock[]])[] = [
  [
    "everything, as it came",
    [thinking("s"), says, use("a"), use("b")],
    stop("tool_use"),
    [thinking("s"), says, use("a"), use("b")],
  ],
  [
    "thinking without words, for its signature is what counts",
    [thinking("s"), use("a")],
    stop("tool_use"),
    [thinking("s"), use("a")],
  ],
  ["redacted thinking", [sealed, use("a")], stop("tool_use"), [sealed, use("a")]],
  ["no thinking without its signature", [thinking("", "hm"), says], stop("end_turn"), [says]],
  ["no empty text beside a call", [blank, use("a")], stop("tool_use"), [use("a")]],
  ["no text of white space beside a call", [lines, use("a")], stop("tool_use"), [use("a")]],
  ["text after a call", [use("a"), says], stop("end_turn"), [use("a"), says]],
  ["no thinking at the end", [says, thinking("s"), sealed], stop("end_turn"), [says]],
  ["no thinking that only blank text follows", [thinking("s"), lines], stop("end_turn"), []],
  ["nothing of thinking alone", [thinking("s"), sealed], "interrupted", []],
  ["nothing of an empty answer", [], stop("end_turn"), []],
  ["nothing of a refusal", [thinking("s"), says, use("a")], stop("refusal"), []],
  ["not the call that the limit cut", [says, use("a"), use("b")], stop("max_tokens"), [says, use("a")]],
  ["not the call that the window cut", [says, use("a")], stop("model_context_window_exceeded"), [says]],
  ["not the thinking before a call that was cut", [says, thinking("s"), use("a")], stop("max_tokens"), [says]],
  ["a call before text that the limit cut", [use("a"), says], stop("max_tokens"), [use("a"), says]],
  ["a call before blank text that the limit cut", [use("a"), blank], stop("max_tokens"), [use("a")]],
  [
    "every settled call of an interrupted answer",
    [thinking("s"), use("a"), use("b")],
    "interrupted",
    [thinking("s"), use("a"), use("b")],
  ],
  ["what an unknown reason ended", [says, use("a")], stop("later_reason"), [says, use("a")]],
];

describe("an answer leaves", () => {
  test.each(CASES)("%s", (_what, blocks, ending, kept) => {
    expect(settledBlocks(inOrder(...blocks), ending)).toEqual([...kept]);
    expect(settledBlocks(inOrder(...blocks).toReversed(), ending)).toEqual([...kept]);
  });

  test.each(CASES)("the same calls to the kernel: %s", (_what, blocks, ending, kept) => {
    const calls = blocks.flatMap((block, blockIndex) =>
      block.type === "tool_use" ? [{ toolUseId: block.id, blockIndex }] : [],
    );
    const ids = keptCalls(calls, blocks.length - 1, ending).map(({ toolUseId }) => toolUseId);
    expect(ids).toEqual(kept.flatMap((block) => (block.type === "tool_use" ? [block.id] : [])));
  });
});
