/** Where a compaction cuts: what stays, what has to go, and when it is not worth it. Sizes in tokens of four bytes. */
import { describe, expect, test } from "bun:test";
import { limitsFor } from "../../src/context/budget.ts";
import { planCompaction, tokensAfter } from "../../src/context/compaction-plan.ts";
import type { SessionState } from "../../src/session/index.ts";
import type { Message } from "../../src/shared/index.ts";
import { FACTS, type StateParts, stateOf } from "./workshop.ts";

const LIMITS = limitsFor({ ...FACTS, contextWindow: 200_000 });
const FIXED = 1_000;

const words = (tokens: number) => "x".repeat(tokens * 4);
const asks = (tokens: number): Message => ({ role: "user", content: [{ type: "text", text: words(tokens) }] });
const answers = (tokens: number): Message => ({
  role: "assistant",
  content: [
    { type: "thinking", thinking: words(tokens), signature: "s" },
    { type: "text", text: words(tokens) },
  ],
});
const calls = (id: string): Message => ({
  role: "assistant",
  content: [{ type: "tool_use", id, name: "read", input: {} }],
});
const results = (id: string, tokens: number): Message => ({
  role: "user",
  content: [{ type: "tool_result", tool_use_id: id, content: words(tokens) }],
});

/** Each message was made by one event: the first one by @10, the next by @20. */
function planned(messages: readonly Message[], parts: StateParts = {}, limits = LIMITS) {
  const spans = messages.map((_, at) => ({ first: (at + 1) * 10, last: (at + 1) * 10 }));
  const state: SessionState = stateOf({ ...parts, messages, conversation: { spans, ...parts.conversation } });
  const plan = planCompaction(state, limits, FIXED);
  return plan.ok ? plan.value : plan.error.reason;
}

/** How many go, where the cut is, and where what stays begins. */
function shape(...given: Parameters<typeof planned>) {
  const plan = planned(...given);
  return typeof plan === "string" ? plan : [plan.going, plan.toSeq, plan.keptFromSeq ?? null, plan.isInTurn];
}

describe("at a turn's start", () => {
  test("the newest that fits stays, the unanswered message in any case", () => {
    const long = [asks(50_000), answers(10_000), asks(8_000), answers(8_000), asks(100)];
    expect(shape(long)).toEqual([2, 20, 30, false]);
    expect(shape([asks(50_000), answers(30_000), asks(60_000)])).toEqual([2, 20, 30, false]);
  });
  test("behind a finished turn nothing has to stay", () => {
    expect(shape([asks(50_000), answers(50_000)], { turn: { phase: "idle" } })).toEqual([2, 20, null, false]);
  });
  test("a call stays with its result, or goes with it", () => {
    const looped = [asks(80_000), calls("a"), results("a", 18_000), answers(50), asks(100)];
    expect(shape(looped)).toEqual([1, 10, 20, false]);
    const larger = [asks(80_000), calls("a"), results("a", 21_000), answers(50), asks(100)];
    expect(shape(larger)).toEqual([3, 30, 40, false]);
  });
  test("no more than a quarter stays of a short conversation", () => {
    const short = [asks(1_000), answers(1_000), asks(500), answers(500), asks(100)];
    expect(shape(short, { turn: { phase: "idle" } })).toEqual([2, 20, 30, false]);
  });
  test("what stays is weighed without its thinking, which a break takes out", () => {
    const plan = planned([asks(50_000), answers(10_000), asks(100), answers(8_000), asks(100)]);
    expect(typeof plan === "string" ? plan : [plan.going, plan.keptTokens < 18_500]).toEqual([1, true]);
  });
});

describe("inside a turn", () => {
  const inTurn = { turn: { responses: 1 } };
  test("everything goes", () => {
    expect(shape([asks(50_000), calls("a"), results("a", 10)], inTurn)).toEqual([3, 30, null, true]);
    expect(shape([asks(50_000), answers(10), asks(10)], inTurn)).toEqual([3, 30, null, true]);
  });
  test("also where a stopped loop's results stand in the user's newest message", () => {
    const joined: Message = {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "a", content: "-" },
        { type: "text", text: "and now?" },
      ],
    };
    expect(shape([asks(50_000), calls("a"), joined])).toEqual([3, 30, null, true]);
  });
  test("nothing can go while a result is missing", () => {
    expect(shape([asks(50_000), calls("a")], { ...inTurn, conversation: { awaiting: ["a"] } })).toBe("irreducible");
  });
});

describe("what is not worth it", () => {
  test("a new conversation, a message that alone fills the window", () => {
    expect(shape([])).toBe("irreducible");
    expect(shape([asks(190_000)])).toBe("irreducible");
    expect(shape([asks(100), answers(100), asks(190_000)])).toBe("irreducible");
  });
});

test("what is left is the prefix, what stays and the checkpoint", () => {
  const plan = planned([asks(50_000), answers(10_000), asks(100)]);
  if (typeof plan === "string") throw new Error(plan);
  expect(tokensAfter(plan, 2_000)).toBe(FIXED + plan.keptTokens + 2_000);
});

test("limits shrink with the window below 200,000 tokens, and do not grow above", () => {
  const of = (contextWindow: number) => limitsFor({ ...FACTS, contextWindow });
  expect(of(1_000_000)).toEqual(of(200_000));
  expect(of(60_000)).toEqual({
    bufferTokens: 4_800,
    protectedToolTokens: 12_000,
    minResultTokens: 400,
    minReclaimTokens: 6_000,
    keptTailTokens: 6_000,
    checkpointTokens: 3_600,
  });
});
