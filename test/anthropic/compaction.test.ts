/** The API's own compaction: how it is asked for, how its block is read and sent back, and what it costs. */
import { describe, expect, test } from "bun:test";
import { type ModelRequest, modelFacts, requestBody } from "../../src/anthropic/index.ts";
import { MODEL_TABLE } from "../../src/anthropic/models-data.ts";
import { createStreamReader } from "../../src/anthropic/stream.ts";
import type { Message } from "../../src/shared/index.ts";
import { delta, ending, hello, START, STOP, startBlock, stopBlock, streamed } from "./answers.ts";
import { clientOf, gather, REQUEST, withServer } from "./driver.ts";

const BLOCK = {
  type: "compaction",
  content: "so far",
  encrypted_content: null,
  signature: "c2ln",
  tool_changes: [{ type: "tool_removal", tool: { type: "tool_reference", name: "bash" } }],
  later: { field: true },
} as const;

const read = (...events: readonly object[]) => {
  const reader = createStreamReader();
  const seen = events.flatMap((event) => reader.push(JSON.stringify(event)));
  return { seen, reader };
};
const blocks = (...events: readonly object[]) =>
  read(START, ...events).seen.flatMap((event) => (event.type === "block-completed" ? [event.block] : []));

describe("the block", () => {
  test("that comes whole is kept with every field it has, in their order", () => {
    const [block] = blocks(startBlock(0, BLOCK), stopBlock(0));
    expect(JSON.stringify(block)).toBe(JSON.stringify({ type: "compaction", block: BLOCK }));
  });

  test("that comes in a delta is the same block", () => {
    const { content, encrypted_content, ...rest } = BLOCK;
    const start = startBlock(0, { ...rest, content: null });
    const change = delta(0, { type: "compaction_delta", content, encrypted_content });
    expect(blocks(start, change, stopBlock(0))).toEqual([{ type: "compaction", block: BLOCK }]);
  });

  test("keeps nothing of deltas of other types", () => {
    const stray = [delta(0, { type: "text_delta", text: "x" }), delta(0, { type: "weather_delta", content: "rain" })];
    expect(blocks(startBlock(0, BLOCK), ...stray, stopBlock(0))).toEqual([{ type: "compaction", block: BLOCK }]);
  });

  test("without a summary is delivered too: it says that the server failed", () => {
    const empty = { type: "compaction", content: null, encrypted_content: null };
    expect(blocks(startBlock(0, empty), stopBlock(0))).toEqual([{ type: "compaction", block: empty }]);
  });

  test("that no line of the log could hold, or nothing could walk, breaks the stream", () => {
    const huge = startBlock(0, { ...BLOCK, content: "x".repeat(17 * 1024 * 1024) });
    expect(() => read(START, huge, stopBlock(0))).toThrow("larger than 16 MiB");
    const nested = JSON.parse(`${"[".repeat(2000)}${"]".repeat(2000)}`) as object;
    const deep = startBlock(0, { ...BLOCK, tool_changes: nested });
    expect(() => read(START, deep, stopBlock(0))).toThrow("nested");
  });

  test("ends with its own stop reason, and an answer without it is an answer", () => {
    const { reader } = read(START, startBlock(0, BLOCK), stopBlock(0), ending("compaction"), STOP);
    expect(reader.finish().stopReason).toBe("compaction");
    expect(read(START, ending("max_tokens"), STOP).reader.finish().stopReason).toBe("max_tokens");
  });
});

describe("usage", () => {
  const top = { input_tokens: 0, output_tokens: 0 };
  const entry = { type: "compaction", input_tokens: 144, output_tokens: 276 };
  const cached = {
    ...entry,
    cache_read_input_tokens: 1000,
    cache_creation_input_tokens: 30,
    cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
  };
  const none = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const rows: readonly (readonly [what: string, reports: readonly object[], counted: object | undefined])[] = [
    ["only of a compaction", [{ ...top, iterations: [entry] }], { ...none, inputTokens: 144, outputTokens: 276 }],
    [
      "with its cache",
      [{ ...top, iterations: [cached] }],
      {
        inputTokens: 144,
        outputTokens: 276,
        cacheReadTokens: 1000,
        cacheWriteTokens: 30,
        cacheWrite5m: 10,
        cacheWrite1h: 20,
      },
    ],
    [
      "beside an answer, whose own entry is in the sums already",
      [{ input_tokens: 7, output_tokens: 5, iterations: [entry, { ...entry, type: "message", input_tokens: 7 }] }],
      { ...none, inputTokens: 151, outputTokens: 281 },
    ],
    ["of two compactions", [{ ...top, iterations: [entry, entry] }], { ...none, inputTokens: 288, outputTokens: 552 }],
    [
      "reported twice: the later report holds",
      [
        { input_tokens: 7, output_tokens: 1, iterations: [entry] },
        { output_tokens: 5, iterations: [{ ...entry, output_tokens: 300 }] },
      ],
      { ...none, inputTokens: 151, outputTokens: 305 },
    ],
    [
      "left out of a later report: it stays",
      [
        { ...top, iterations: [entry] },
        { output_tokens: 0, iterations: null },
      ],
      { ...none, inputTokens: 144, outputTokens: 276 },
    ],
    ["without an entry", [{ input_tokens: 7, output_tokens: 5 }], { ...none, inputTokens: 7, outputTokens: 5 }],
    [
      "that makes no sense",
      [{ iterations: [null, 7, { type: "compaction", input_tokens: -1, output_tokens: "9" }] }],
      undefined,
    ],
  ];
  for (const [what, reports, counted] of rows) {
    test(what, () => {
      const { reader } = read(...reports.map((usage) => ({ type: "message_delta", delta: {}, usage })));
      expect(reader.usage.read()).toEqual(counted as never);
    });
  }
});

describe("the request", () => {
  const sent = (change: Partial<ModelRequest>) => requestBody({ ...REQUEST, ...change }, modelFacts(REQUEST.model));

  test("asks with instructions, or without blank ones", () => {
    expect(sent({ compaction: {} }).compaction).toEqual({ type: "summarize" });
    expect(sent({ compaction: { instructions: " \n" } }).compaction).toEqual({ type: "summarize" });
    expect(sent({ compaction: { instructions: "keep ids" } }).compaction).toEqual({
      type: "summarize",
      instructions: "keep ids",
    });
    expect(sent({})).not.toHaveProperty("compaction");
  });

  test("is otherwise the one of the conversation, but for the form of answers, which would be refused", () => {
    const { compaction: _asked, ...rest } = sent({ compaction: {}, effort: "high", outputSchema: { type: "object" } });
    expect(rest).toEqual(sent({ effort: "high" }));
  });

  test("carries a block unchanged and unmarked", () => {
    const messages: readonly Message[] = [
      { role: "assistant", content: [BLOCK] },
      { role: "user", content: [{ type: "text", text: "go on" }] },
    ];
    const body = sent({ messages, marks: [{ message: 0, block: 0 }] });
    expect(JSON.stringify(body.messages[0])).toBe(JSON.stringify({ role: "assistant", content: [BLOCK] }));
  });

  test("names the beta only with a compaction or behind one", async () => {
    const block: readonly Message[] = [{ role: "assistant", content: [BLOCK] }, ...REQUEST.messages];
    const answer = streamed(START, startBlock(0, BLOCK), stopBlock(0), ending("compaction"), STOP);
    await withServer([hello, answer, hello], async (server) => {
      const client = clientOf(server.url);
      for (const change of [{}, { compaction: {} }, { messages: block }]) {
        expect((await gather(client, undefined, { ...REQUEST, ...change })).failure).toBeNull();
      }
      const betas = server.requests.map(({ head }) => /^anthropic-beta: (.*?)\r?$/im.exec(head)?.[1]);
      expect(betas).toEqual([undefined, "compact-2026-09-04", "compact-2026-09-04"]);
    });
  });
});

test("the table says which models take it, and nothing of those that nobody knows", () => {
  const able = Object.keys(MODEL_TABLE).filter((id) => modelFacts(id).serverCompaction);
  expect(able).toEqual([
    "claude-fable-5-2",
    "claude-fable-5-1",
    "claude-fable-5",
    "claude-opus-5-5",
    "claude-opus-5",
    "claude-opus-4-8",
    "claude-opus-4-7",
    "claude-opus-4-6",
    "claude-sonnet-5-5",
    "claude-sonnet-5",
    "claude-sonnet-4-6",
    "claude-haiku-5-5",
  ]);
  expect(modelFacts("claude-opus-9")).not.toHaveProperty("serverCompaction");
});
