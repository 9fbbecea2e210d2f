import { describe, expect, test } from "bun:test";
import { createContextEngine, freezePrefix, requestBinding, requestHashes } from "../../src/context/index.ts";
import type { SessionState } from "../../src/session/index.ts";
import { type Block, estimateTokens, type Message } from "../../src/shared/index.ts";
import { FACTS, memoryBlobs, type StateParts, says, stateOf, TOOL } from "./workshop.ts";

const prefix = await freezePrefix(memoryBlobs(), ["static", "project"], [TOOL]);
const engineOf = (config = {}, facts = FACTS) =>
  createContextEngine({ prefix, facts: () => facts, reservedOutputTokens: 32_000, config });

const IN_FORCE = { systemSha256: prefix.systemSha256, toolsSha256: prefix.toolsSha256 };
const state = (parts: StateParts): SessionState =>
  stateOf({ ...parts, conversation: { ...IN_FORCE, ...parts.conversation } });

const LOOP: readonly Message[] = [
  says("fix it"),
  {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "hm", signature: "s" },
      { type: "tool_use", id: "t1", name: "read", input: { file_path: "a" } },
    ],
  },
  { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "text" }] },
];

describe("the next request", () => {
  test("is the frozen prefix, the conversation's own blocks, and what the log says of model, thinking and effort", () => {
    const { request } = engineOf().selectContext(
      state({
        messages: LOOP,
        conversation: { sentBlocks: 1, sentTail: { message: 0, block: 0 } },
        turn: { model: "m", thinking: "off", effort: "high", lastMessageId: "msg_1", maxOutputTokens: 1000 },
      }),
    );
    expect(request).toEqual({
      model: "m",
      system: ["static", "project"],
      tools: [TOOL],
      messages: LOOP,
      marks: [
        { message: 0, block: 0 },
        { message: 2, block: 0 },
      ],
      maxOutputTokens: 1000,
      thinking: "off",
      effort: "high",
      previousMessageId: "msg_1",
    });
    expect(request.messages[1]).toBe(LOOP[1] as Message);
  });

  test("does not change when the conversation grows behind its back", () => {
    const messages = [...LOOP];
    const { request } = engineOf().selectContext(state({ messages }));
    messages.push(says("later"));
    expect(request.messages).toEqual(LOOP);
  });

  test("records the hashes that a check from nothing finds", () => {
    const parts = { messages: LOOP, conversation: { ...IN_FORCE, sentBlocks: 1 } };
    const now = state(parts);
    const { record } = engineOf().selectContext(now);
    expect({ requestSha256: record.requestSha256, prefixSha256: record.prefixSha256 }).toEqual(
      requestHashes(requestBinding(now.turn, IN_FORCE), LOOP, 1),
    );
    expect(record.messageCount).toBe(3);
  });

  test("weighs every part once", () => {
    const { record } = engineOf().selectContext(state({ messages: LOOP }));
    const bytes = ["static", "project", [TOOL], ...LOOP.flatMap(({ content }): readonly Block[] => content)]
      .map((part) => Buffer.byteLength(JSON.stringify(part)))
      .reduce((sum, each) => sum + each, 0);
    expect(record.bytes).toBe(bytes);
    expect(record.contextStats.sections.map(({ name }) => name)).toEqual([
      "system",
      "project",
      "tools",
      "user",
      "assistant",
      "thinking",
      "tool results",
    ]);
    expect(record.contextStats.estimatedInputTokens).toBe(
      record.contextStats.sections.reduce((sum, { estimatedTokens }) => sum + estimatedTokens, 0),
    );
  });

  test("refuses to send another prefix than the one in force", () => {
    const other = state({ messages: LOOP, conversation: { systemSha256: "other" } });
    expect(() => engineOf().selectContext(other)).toThrow("the prefix that is sent");
  });
});

describe("cache marks", () => {
  const marks = (messages: readonly Message[], sentTail?: { message: number; block: number }) =>
    engineOf().selectContext(state({ messages, conversation: sentTail ? { sentTail } : {} })).request.marks;

  test("a first request has one, at its end", () => {
    expect(marks([says("a")])).toEqual([{ message: 0, block: 0 }]);
  });
  test("a repeated request has one, for both places are the same", () => {
    expect(marks(LOOP, { message: 2, block: 0 })).toEqual([{ message: 2, block: 0 }]);
  });
  test("none stands on thinking", () => {
    const ends: Message[] = [
      says("a"),
      { role: "assistant", content: [{ type: "thinking", thinking: "", signature: "s" }] },
    ];
    expect(marks(ends, { message: 1, block: 0 })).toEqual([{ message: 0, block: 0 }]);
  });
  test("none stands where there is no longer a block", () => {
    expect(marks([says("a")], { message: 4, block: 0 })).toEqual([{ message: 0, block: 0 }]);
  });
});

describe("the output limit", () => {
  const limit = (turn: StateParts["turn"]) =>
    engineOf().selectContext(state({ messages: LOOP, ...(turn && { turn }) })).request.maxOutputTokens;
  test("is what the session recorded, at most what the model has", () => {
    expect([limit({}), limit({ maxOutputTokens: 5 }), limit({ maxOutputTokens: 1_000_000 })]).toEqual([
      32_000, 5, 64_000,
    ]);
  });
  test("is all that the model has, once an answer was cut", () => {
    expect(limit({ maxOutputTokens: 5, continuations: { maxTokens: 1, empty: 0 } })).toBe(64_000);
  });
});

describe("room", () => {
  const LIMIT = 200_000 - 32_000 - 16_000;
  /** Enough that could be summed up; the last request held all but what the user said last. */
  const long: readonly Message[] = [
    says("x".repeat(400_000)),
    { role: "assistant", content: [{ type: "text", text: "Done." }] },
    says("go on"),
  ];
  const conversation = {
    countedTail: { message: 1, block: 0 },
    spans: long.map((_, at) => ({ first: at + 1, last: at + 1 })),
  };
  const said = estimateTokens(JSON.stringify(long[2]?.content[0]));
  const isWanted = (engine: ReturnType<typeof engineOf>, last: StateParts["last"], parts: StateParts = {}) =>
    engine.needsCompaction(state({ messages: long, conversation, ...(last && { last }), ...parts }));

  test("is judged by all that the last response read and wrote, and what was said since", () => {
    const last = { inputTokens: 1, cacheReadTokens: LIMIT - 3 - said, cacheWriteTokens: 1, outputTokens: 1 };
    expect([isWanted(engineOf(), last), isWanted(engineOf(), { ...last, outputTokens: 2 })]).toEqual([false, true]);
  });
  test("what was sent and failed counts, and what of an answer was kept that the user stopped", () => {
    const messages: readonly Message[] = [
      ...long,
      { role: "assistant", content: [{ type: "text", text: "z".repeat(4_000) }] },
      says("w".repeat(4_000)),
    ];
    const spans = messages.map((_, at) => ({ first: at + 1, last: at + 1 }));
    const sent = { ...conversation, spans, sentTail: { message: 4, block: 0 } };
    const wanted = (inputTokens: number) => isWanted(engineOf(), { inputTokens }, { messages, conversation: sent });
    expect([wanted(LIMIT - said - 2_100), wanted(LIMIT - said - 1_900)]).toEqual([false, true]);
  });
  test("behind a break it is estimated, at the rate of the last answer", () => {
    const broken = (rate: number) => {
      const before = state({ messages: long, conversation: { ...conversation, countedTail: undefined }, last: {} });
      return engineOf().needsCompaction({ ...before, usage: { ...before.usage, last: undefined, calibration: rate } });
    };
    expect([broken(1), broken(2)]).toEqual([false, true]);
  });
  test("is not judged before the first answer", () => {
    expect(isWanted(engineOf(), undefined)).toBe(false);
  });
  test("of a small window an answer is promised a quarter at most", () => {
    const small = engineOf({}, { ...FACTS, contextWindow: 20_000 });
    const limit = 20_000 - 5_000 - 1_600 - said;
    expect([isWanted(small, { inputTokens: limit }), isWanted(small, { inputTokens: limit + 1 })]).toEqual([
      false,
      true,
    ]);
  });
  test("is not made where nothing could be summed up", () => {
    const alone = { messages: long.slice(0, 1), conversation: { ...conversation, spans: [{ first: 1, last: 1 }] } };
    expect(isWanted(engineOf(), { inputTokens: LIMIT * 2 }, alone)).toBe(false);
  });
});

describe("pruning", () => {
  /** Results of these sizes, then an answer and the user's next message: the loop that asked for them is over. */
  const results = (...sizes: readonly number[]): readonly Message[] => [
    ...sizes.map(
      (tokens, at): Message => ({
        role: "user",
        content: [{ type: "tool_result", tool_use_id: `t${at}`, content: "x".repeat(tokens * 4) }],
      }),
    ),
    { role: "assistant", content: [{ type: "text", text: "Done." }] },
    { role: "user", content: [{ type: "text", text: "And now this." }] },
  ];
  const full = { inputTokens: 199_000 };
  const countedTail = { message: 0, block: 0 };
  const prune = (messages: readonly Message[], parts: StateParts = {}) =>
    engineOf().pruneToolResults(state({ messages, conversation: { countedTail }, last: full, ...parts }));

  test("names the oldest results, keeps the newest 40,000 tokens and what is small", () => {
    expect(prune(results(15_000, 100, 15_000, 10_000, 39_000))?.toolUseIds).toEqual(["t0", "t2"]);
  });
  test("says how much is won", () => {
    const decision = prune(results(30_000, 40_000));
    expect(decision?.tokensReclaimedEstimate).toBe(30_000 - Math.ceil((decision?.placeholder.length ?? 0) / 4));
  });
  test("does not happen for little, nor while there is room, nor twice", () => {
    expect(prune(results(10_000, 40_000))).toBeUndefined();
    expect(prune(results(60_000, 40_000), { last: { inputTokens: 10 } })).toBeUndefined();
    const placeholder = prune(results(60_000, 40_000))?.placeholder ?? "";
    const pruned = results(60_000, 40_000).map(
      (message, at): Message =>
        at > 0
          ? message
          : { role: "user", content: [{ type: "tool_result", tool_use_id: "t0", content: placeholder }] },
    );
    expect(prune(pruned)).toBeUndefined();
  });
  test("does not happen inside a tool loop, whose thinking is bound to the results", () => {
    expect(prune(results(60_000, 40_000), { turn: { responses: 1 } })).toBeUndefined();
    expect(prune(results(60_000, 40_000), { conversation: { countedTail, awaiting: ["t9"] } })).toBeUndefined();
    // After an interrupt the user's next message joins the results, and the loop's thinking is still bound.
    expect(prune(results(60_000, 40_000).slice(0, -2))).toBeUndefined();
  });
});
