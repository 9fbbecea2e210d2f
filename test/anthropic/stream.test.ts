/** The reading of one answer's events: tolerant of what it does not know, strict about what would be unsafe. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { BrokenStream } from "../../src/anthropic/broken-stream.ts";
import { createStreamReader } from "../../src/anthropic/stream.ts";
import type { ModelEvent } from "../../src/anthropic/types.ts";
import {
  delta,
  ending,
  HELLO,
  jsonDelta,
  START,
  STOP,
  startBlock,
  stopBlock,
  textBlock,
  textDelta,
  textStart,
  toolBlock,
  toolStart,
} from "./answers.ts";

const read = (events: readonly object[]) => {
  const reader = createStreamReader();
  const seen = events.flatMap((event) => reader.push(JSON.stringify(event)));
  return { reader, seen };
};
const blocksOf = (seen: readonly ModelEvent[]) =>
  seen.flatMap((event) => (event.type === "block-completed" ? [event.block] : []));
const inputOf = (json: string): unknown => {
  const [block] = blocksOf(read([START, ...toolBlock("t1", "bash", json)]).seen);
  return block?.type === "tool_use" ? block.input : undefined;
};
const codeOf = (run: () => unknown): string | undefined => {
  try {
    run();
  } catch (error) {
    return (error as BrokenStream).code; // the reader throws nothing else here
  }
};

test("the model is the one that the server handed over to", () => {
  const hop = (index: number, model: string) => [
    startBlock(index, { type: "fallback", from: { model: "x" }, to: { model } }),
    stopBlock(index),
  ];
  const events = [START, ...hop(0, "claude-opus-5"), ...hop(1, "claude-sonnet-5"), ...textBlock("hi", 2)];
  const { reader, seen } = read([...events, ending("end_turn"), STOP]);
  expect([reader.finish().resolvedModel, blocksOf(seen)]).toEqual(["claude-sonnet-5", [{ type: "text", text: "hi" }]]);
});

test("an answer that was there before its stream began stands in its beginning", () => {
  const call = { type: "tool_use", id: "t1", name: "look", input: { id: 1 }, caller: { type: "code" } };
  const content = [{ type: "code_execution_tool_result", tool_use_id: "s1" }, call];
  const start = { ...START, message: { ...START.message, content, stop_reason: "tool_use" } };
  const { reader, seen } = read([start, STOP]);
  expect(seen).toEqual([
    { type: "tool-call-started", blockIndex: 1, toolUseId: "t1", toolName: "look" },
    { type: "block-completed", blockIndex: 1, block: call as never },
  ]);
  expect(reader.finish().stopReason).toBe("tool_use");
  expect(codeOf(() => read([start, ...textBlock("x")]))).toBe("STREAM_MALFORMED");
  expect(blocksOf(read([start, ...textBlock("x", 2)]).seen).length).toBe(2);
});

describe("a block that a limit cuts off", () => {
  const cutCall = [toolStart("t2", "write", 1), jsonDelta('{"content":"half', 1)];

  for (const reason of ["max_tokens", "model_context_window_exceeded"]) {
    test(`may lack its end (${reason}): what came of it is all of it`, () => {
      const { reader, seen } = read([START, ...textBlock("I write"), ...cutCall, ending(reason), STOP]);
      expect(blocksOf(seen)).toEqual([
        { type: "text", text: "I write" },
        { type: "tool_use", id: "t2", name: "write", input: { INVALID_JSON: '{"content":"half' } },
      ]);
      expect(reader.finish().stopReason).toBe(reason);
    });
  }

  test("is the last one; an earlier or a second one is a broken answer", () => {
    const open = [textStart(), ...toolBlock("t2", "write", "{}", 1)];
    for (const blocks of [open, [textStart(), ...cutCall]]) {
      expect(codeOf(() => read([START, ...blocks, ending("max_tokens"), STOP]).reader.finish())).toBe(
        "STREAM_MALFORMED",
      );
    }
  });

  test("is one only under a limit", () => {
    const events = [START, ...textBlock("I write"), ...cutCall, ending("tool_use"), STOP];
    expect(codeOf(() => read(events).reader.finish())).toBe("STREAM_MALFORMED");
  });
});

describe("a call's input", () => {
  test("without arguments is an empty object", () => {
    expect(inputOf("")).toEqual({});
    expect(blocksOf(read([START, toolStart("t1", "x"), jsonDelta(""), stopBlock(0)]).seen)).toEqual([
      { type: "tool_use", id: "t1", name: "x", input: {} },
    ]);
  });

  test("that is no JSON object arrives as the text it was", () => {
    for (const json of ['{"path": "a', "[1]", '"text"', "null", "7", "{a:1}"]) {
      expect(inputOf(json)).toEqual({ INVALID_JSON: json });
    }
  });

  test("that was given at the start is taken when nothing follows", () => {
    const start = startBlock(0, { type: "tool_use", id: "t1", name: "x", input: { a: 1 } });
    expect(blocksOf(read([START, start, stopBlock(0)]).seen)).toEqual([
      { type: "tool_use", id: "t1", name: "x", input: { a: 1 } },
    ]);
  });

  test("keeps its bytes however it is cut, key order included", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.nat(40)), (input, cuts) => {
        const json = JSON.stringify(input);
        const pieces: string[] = [];
        let at = 0;
        for (const size of cuts) {
          pieces.push(json.slice(at, at + size));
          at += size;
        }
        pieces.push(json.slice(at));
        const { seen } = read([START, toolStart("t1", "x"), ...pieces.map((piece) => jsonDelta(piece)), stopBlock(0)]);
        const [block] = blocksOf(seen);
        expect(block?.type === "tool_use" && JSON.stringify(block.input)).toBe(JSON.stringify(JSON.parse(json)));
        const streamed = seen.map((event) => (event.type === "tool-input-delta" ? event.partialJson : ""));
        expect(streamed.join("")).toBe(json);
        expect(streamed.slice(1, -1)).not.toContain("");
      }),
      { seed: 3, numRuns: 300 },
    );
  });
});

describe("thinking", () => {
  test("without text but with a signature settles", () => {
    const { seen } = read([
      START,
      startBlock(0, { type: "thinking", thinking: "", signature: "" }),
      delta(0, { type: "signature_delta", signature: "sig" }),
      stopBlock(0),
    ]);
    expect(seen).toEqual([
      { type: "block-completed", blockIndex: 0, block: { type: "thinking", thinking: "", signature: "sig" } },
    ]);
  });

  test("without a signature is shown but does not settle", () => {
    const { seen } = read([
      START,
      startBlock(0, { type: "thinking", thinking: "" }),
      delta(0, { type: "thinking_delta", thinking: "hm" }),
      delta(0, { type: "thinking_delta", thinking: "" }),
      stopBlock(0),
    ]);
    expect(seen).toEqual([{ type: "thinking-delta", blockIndex: 0, text: "hm" }]);
  });
});

describe("usage", () => {
  test("is cumulative: later reports overwrite, null and absence keep what was said", () => {
    const { reader } = read([
      START,
      { type: "message_delta", delta: {}, usage: { output_tokens: 5, input_tokens: null } },
      {
        type: "message_delta",
        delta: { stop_reason: "end_turn" },
        usage: { output_tokens: 12, cache_read_input_tokens: 21, output_tokens_details: { thinking_tokens: 7 } },
      },
      STOP,
    ]);
    expect(reader.finish().usage).toEqual({
      inputTokens: 100,
      outputTokens: 12,
      cacheReadTokens: 21,
      cacheWriteTokens: 30,
      cacheWrite5m: 10,
      cacheWrite1h: 20,
      thinkingTokens: 7,
    });
  });

  test("that is nonsense is not taken, and none at all counts as nothing", () => {
    const odd = { type: "message_delta", delta: {}, usage: { output_tokens: -1, input_tokens: "7" } };
    expect(read([odd]).reader.usage.read()).toBeUndefined();
    expect(read([odd, STOP]).reader.finish().usage).toEqual({
      inputTokens: 0,
      outputTokens: 0,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
    });
  });
});

describe("the end", () => {
  test("passes every stop reason and its details through, known or not", () => {
    for (const reason of ["end_turn", "refusal", "pause_turn", "model_context_window_exceeded", "from_the_future"]) {
      const details = { type: reason, category: "cyber" };
      const last = { type: "message_delta", delta: { stop_reason: reason, stop_details: details }, usage: {} };
      expect(read([START, last, STOP]).reader.finish()).toMatchObject({ stopReason: reason, stopDetails: details });
    }
  });

  test("without a stop reason is told by the blocks", () => {
    expect(read([START, ...toolBlock("t1", "x", "{}"), STOP]).reader.finish().stopReason).toBe("tool_use");
    expect(read([START, ...textBlock("done"), STOP]).reader.finish().stopReason).toBe("end_turn");
  });

  test("names the server's reason for a missed cache", () => {
    const diagnostics = { cache_miss_reason: { type: "tools_changed", cache_missed_input_tokens: 5 } };
    const start = { ...START, message: { ...START.message, diagnostics } };
    expect(read([start, ending("end_turn"), STOP]).reader.finish().cacheMissReason).toBe("tools_changed");
    for (const nothing of [null, { cache_miss_reason: null }]) {
      const quiet = { ...START, message: { ...START.message, diagnostics: nothing } };
      expect(read([quiet, ending("end_turn"), STOP]).reader.finish()).not.toHaveProperty("cacheMissReason");
    }
  });

  test("takes nothing more after it", () => {
    const { reader, seen } = read([...HELLO, ...textBlock("late", 1), { type: "error", error: {} }]);
    expect(blocksOf(seen)).toEqual([{ type: "text", text: "hello" }]);
    expect(reader.finish().stopReason).toBe("end_turn");
  });
});

test("what would be unsafe is refused", () => {
  expect(codeOf(() => read([START, ...textBlock("a")]).reader.finish())).toBe("STREAM_CUT");
  expect(codeOf(() => read([START, toolStart("t1", "x"), STOP]).reader.finish())).toBe("STREAM_MALFORMED");
  expect(codeOf(() => read([START, toolStart("t1", "x"), toolStart("t2", "x")]))).toBe("STREAM_MALFORMED");
  expect(codeOf(() => read([START, ...textBlock("a"), ...textBlock("b")]))).toBe("STREAM_MALFORMED");
  expect(codeOf(() => read([START, ...textBlock("a"), START]))).toBe("STREAM_MALFORMED");
  expect(codeOf(() => read([{ type: "content_block_start", content_block: {} }]))).toBe("STREAM_MALFORMED");
  expect(codeOf(() => read([START, textDelta("b")]))).toBe("STREAM_MALFORMED");
  expect(codeOf(() => read([START, stopBlock(0)]))).toBe("STREAM_MALFORMED");
  expect(codeOf(() => read([START, ...textBlock("a"), textDelta("b")]))).toBe("STREAM_MALFORMED");
  expect(codeOf(() => createStreamReader().push("{oops"))).toBe("STREAM_MALFORMED");
});

test("only what moves the answer forward counts as a step", () => {
  const { reader } = read([START, { type: "ping" }, { type: "from_the_future" }, textStart(), textDelta("x")]);
  expect(reader.steps).toBe(3);
});

test("any JSON between the events of an answer changes nothing, unless it is an event itself", () => {
  const alien = fc.oneof(
    fc.jsonValue().filter((value) => typeof value !== "object" || value === null || !("type" in value)),
    fc.record({ type: fc.constantFrom("ping", "x", "content_block_odd"), index: fc.nat(3), delta: fc.jsonValue() }),
  );
  const expected = read(HELLO);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(HELLO.length - 1), alien), { maxLength: 8 }), (insertions) => {
      const payloads: unknown[] = [...HELLO];
      for (const [at, value] of insertions) payloads.splice(at, 0, value);
      const reader = createStreamReader();
      const seen = payloads.flatMap((payload) => reader.push(JSON.stringify(payload)));
      expect(seen).toEqual(expected.seen);
      expect(reader.finish()).toEqual(expected.reader.finish());
    }),
    { seed: 5, numRuns: 300 },
  );
});
