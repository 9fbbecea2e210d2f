/** Whatever an answer holds, what leaves the reader can be recorded in one line, walked, and sent back as it came. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { BrokenStream } from "../../src/anthropic/broken-stream.ts";
import { createStreamReader } from "../../src/anthropic/stream.ts";
import type { CompletedBlock } from "../../src/anthropic/types.ts";
import { byteLength, MAX_LINE_BYTES } from "../../src/shared/index.ts";
import { delta, ending, START, STOP, startBlock, stopBlock, textBlock, toolBlock } from "./answers.ts";

function blocks(events: readonly object[]): readonly CompletedBlock[] {
  const reader = createStreamReader();
  const seen = events.flatMap((event) => reader.push(JSON.stringify(event)));
  return seen.flatMap((event) => (event.type === "block-completed" ? [event.block] : []));
}
const inputOf = (json: string): unknown => {
  const [block] = blocks([START, ...toolBlock("t1", "bash", json)]);
  return block?.type === "tool_use" ? block.input : undefined;
};
const whole = (call: object) => [
  START,
  startBlock(0, { type: "tool_use", id: "t1", name: "bash", ...call }),
  stopBlock(0),
];
const nested = (levels: number, open = "[", close = "]"): string => `${open.repeat(levels)}${close.repeat(levels)}`;

describe("a part that no line of the log can hold", () => {
  const large = "x".repeat(MAX_LINE_BYTES);

  test("becomes a call whose input says how large it was", () => {
    for (const json of [JSON.stringify({ command: large }), `{"command":"${large}`]) {
      const said = inputOf(json) as Readonly<Record<string, string>>;
      expect(Object.keys(said)).toEqual(["INPUT_TOO_LARGE"]);
      expect(Number.parseInt(said.INPUT_TOO_LARGE ?? "", 10)).toBeGreaterThan(MAX_LINE_BYTES);
    }
  });

  test("ends the answer where it is no call, for half of it would be another answer", () => {
    const thinking = [
      startBlock(0, { type: "thinking", thinking: "", signature: "" }),
      delta(0, { type: "thinking_delta", thinking: large }),
      delta(0, { type: "signature_delta", signature: "s" }),
      stopBlock(0),
    ];
    const redacted = [startBlock(0, { type: "redacted_thinking", data: large }), stopBlock(0)];
    const named = [startBlock(0, { type: "tool_use", id: "t1", name: large, input: {} }), stopBlock(0)];
    for (const events of [textBlock(large), thinking, redacted, named]) {
      const code = (() => {
        try {
          return blocks([START, ...events]);
        } catch (error) {
          return (error as BrokenStream).code; // the reader throws nothing else here
        }
      })();
      expect(code).toBe("STREAM_TOO_LARGE");
    }
  });

  test("is measured as it will be written: escapes count", () => {
    const [kept] = blocks([START, ...textBlock("x".repeat(3_000_000))]);
    expect(kept?.type === "text" && kept.text.length).toBe(3_000_000);
    expect(() => blocks([START, ...textBlock("\u0000".repeat(3_000_000))])).toThrow("larger than");
  });

  test("is left out where only a person reads it, and names are cut", () => {
    const reader = createStreamReader();
    const start = { ...START, message: { ...START.message, id: large, model: large } };
    const last = { type: "message_delta", delta: { stop_reason: large, stop_details: { type: large } }, usage: {} };
    for (const event of [start, ...textBlock("a"), last, STOP]) reader.push(JSON.stringify(event));
    const finish = reader.finish();
    expect(finish).not.toHaveProperty("stopDetails");
    expect(byteLength(JSON.stringify(finish))).toBeLessThan(2000);
  });
});

describe("JSON that nests beyond all sense", () => {
  test("is no input: its text is answered with an error", () => {
    for (const levels of [300, 5_000, 20_000]) {
      const json = `{"a":${nested(levels)}}`;
      expect(inputOf(json)).toEqual({ INVALID_JSON: json });
      const objects = `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
      expect(inputOf(objects)).toEqual({ INVALID_JSON: objects });
      expect(blocks(whole({ input: JSON.parse(json) }))).toEqual([
        { type: "tool_use", id: "t1", name: "bash", input: {} },
      ]);
    }
  });

  test("is no detail of an ending, and no caller of a call", () => {
    const deep: unknown = JSON.parse(nested(5_000, '{"a":[', "]}").replaceAll("[]", "[1]"));
    const reader = createStreamReader();
    const last = { type: "message_delta", delta: { stop_reason: "refusal", stop_details: deep }, usage: {} };
    for (const event of [START, last, STOP]) reader.push(JSON.stringify(event));
    expect(reader.finish()).toMatchObject({ stopReason: "refusal" });
    expect(reader.finish()).not.toHaveProperty("stopDetails");
    expect(blocks(whole({ caller: deep }))).toEqual([{ type: "tool_use", id: "t1", name: "bash", input: {} }]);
  });

  test("up to what people and programs write, everything is taken", () => {
    const json = `{"a":${nested(200)}}`;
    expect(inputOf(json)).toEqual(JSON.parse(json));
  });
});

test("who made a call, and the toolset it is of, arrive with it", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.string({ maxLength: 20 }), { maxKeys: 4 }),
      fc.string(),
      (caller, set) => {
        expect(blocks(whole({ caller, toolset_name: set }))).toEqual([
          { type: "tool_use", id: "t1", name: "bash", input: {}, caller, toolsetName: set },
        ]);
      },
    ),
    { seed: 7, numRuns: 50 },
  );
  for (const caller of [null, "direct", 1, [], { type: "x".repeat(5_000) }]) {
    expect(blocks([...whole({ caller, toolset_name: null }), ending("tool_use"), STOP])).toEqual([
      { type: "tool_use", id: "t1", name: "bash", input: {} },
    ]);
  }
});
