/** From a model's events to events of the log: what settles, what is dropped, and what an ending does to the rest. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { beforeStream, recordFailure, recordStream, type StreamContext } from "../../src/agent/record-stream.ts";
import type { CompletedBlock, ModelEvent, ModelFailure } from "../../src/anthropic/index.ts";
import { conversation, turnState } from "../../src/session/index.ts";
import type { DurableEvent, DurableInput, EphemeralInput, ModelUsage } from "../../src/shared/index.ts";

const USAGE: ModelUsage = { inputTokens: 9, outputTokens: 4, cacheReadTokens: 0, cacheWriteTokens: 0 };
const STARTED: StreamContext["started"] = {
  model: "model-a",
  purpose: "main",
  contextStats: { estimatedInputTokens: 1, sections: [] },
};

/** Counts its requests r1, r2, … and takes ids as they come, but for those in `used`. */
function contextWith(used: readonly string[] = []): StreamContext {
  let requests = 0;
  return {
    newRequestId: () => `r${++requests}`,
    started: STARTED,
    uniqueToolUseId: (id, taken) => {
      const isTaken = used.includes(id) || taken.some((call) => call.toolUseId === id);
      return isTaken ? `${id}_${taken.length + 2}` : id;
    },
  };
}

function recorded(events: readonly ModelEvent[], used: readonly string[] = []) {
  const context = contextWith(used);
  let state = beforeStream;
  const durable: DurableInput[] = [];
  const ephemeral: EphemeralInput[] = [];
  for (const event of events) {
    const [next, inputs, shown] = recordStream(state, event, context);
    state = next;
    durable.push(...inputs);
    if (shown) ephemeral.push(shown);
  }
  return { state, durable, ephemeral };
}

const begun: ModelEvent = { type: "started", attempt: 1 };
const settled = (blockIndex: number, block: CompletedBlock): ModelEvent => ({
  type: "block-completed",
  blockIndex,
  block,
});
const text = (words: string): CompletedBlock => ({ type: "text", text: words });
const call = (id: string): CompletedBlock => ({ type: "tool_use", id, name: "read", input: { z: 1, a: 2 } });
const finished = (stopReason: string): ModelEvent => ({ type: "finished", stopReason, usage: USAGE, durationMs: 3 });
const failure = (changes: Partial<ModelFailure> = {}): ModelFailure => ({
  kind: "retryable",
  message: "cut",
  attempts: 1,
  ...changes,
});

const requestStarted = (requestId: string, attempt = 1): DurableInput => ({
  type: "model.request-started",
  payload: { requestId, ...STARTED, attempt },
});
const completed = (stopReason: string): DurableInput => ({
  type: "model.response-completed",
  payload: { requestId: "r1", stopReason, usage: USAGE, durationMs: 3 },
});
const requested = (toolUseId: string, blockIndex: number): DurableInput => ({
  type: "tool.requested",
  payload: { requestId: "r1", blockIndex, toolUseId, toolName: "read", input: { z: 1, a: 2 } },
});
const discarded = (toolUseId: string): DurableInput => ({
  type: "tool.cancelled",
  payload: {
    toolUseId,
    reason: "discarded",
    modelText: "[The answer that asked for this call never ended. It was not run.]",
  },
});
const requestFailed = (payload: Partial<Extract<DurableInput, { type: "model.request-failed" }>["payload"]>) => ({
  type: "model.request-failed",
  payload: { requestId: "r1", kind: "retryable", message: "cut", attempts: 1, retriesExhausted: false, ...payload },
});

describe("an answer", () => {
  test("is recorded block by block under the id of its attempt", () => {
    const { state, durable } = recorded([
      begun,
      settled(0, { type: "thinking", thinking: "", signature: "sig" }),
      settled(1, { type: "redacted_thinking", data: "opaque" }),
      settled(2, text("Reading.")),
      settled(3, call("toolu_1")),
      { ...finished("tool_use"), messageId: "msg_1", resolvedModel: "model-a-1", stopDetails: null } as ModelEvent,
    ]);
    expect(durable).toEqual([
      requestStarted("r1"),
      {
        type: "model.thinking-block-completed",
        payload: { requestId: "r1", blockIndex: 0, thinking: "", signature: "sig" },
      },
      {
        type: "model.thinking-block-completed",
        payload: { requestId: "r1", blockIndex: 1, thinking: "", signature: "", redacted: "opaque" },
      },
      { type: "model.text-block-completed", payload: { requestId: "r1", blockIndex: 2, text: "Reading." } },
      requested("toolu_1", 3),
      {
        type: "model.response-completed",
        payload: {
          requestId: "r1",
          stopReason: "tool_use",
          usage: USAGE,
          durationMs: 3,
          messageId: "msg_1",
          resolvedModel: "model-a-1",
          stopDetails: null,
        },
      },
    ]);
    expect(state).toEqual(beforeStream);
  });

  test("keeps a call's input as it came, its keys in their order", () => {
    const [, input] = recorded([begun, settled(0, call("toolu_1"))]).durable;
    expect(JSON.stringify(input?.type === "tool.requested" && input.payload.input)).toBe('{"z":1,"a":2}');
  });

  test("keeps who made a call, for the API wants it back", () => {
    const [, made] = recorded([
      begun,
      settled(0, { ...call("toolu_1"), caller: { type: "direct" } } as CompletedBlock),
    ]).durable;
    const { payload } = requested("toolu_1", 0) as Extract<DurableInput, { type: "tool.requested" }>;
    expect(made).toEqual({ type: "tool.requested", payload: { ...payload, caller: { type: "direct" } } });
  });

  test("records nothing of a summary that the server made: whoever asked for it does", () => {
    const { state, durable } = recorded([
      begun,
      settled(0, { type: "compaction", block: { type: "compaction", content: "so far" } }),
      finished("compaction"),
    ]);
    expect(durable.map(({ type }) => type)).toEqual(["model.request-started", "model.response-completed"]);
    expect(state).toEqual(beforeStream);
  });

  test("records no name of a tool that the API would refuse to read back", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 200, unit: "binary" }), (name) => {
        const [, made] = recorded([begun, settled(0, { type: "tool_use", id: "t", name, input: {} })]).durable;
        const kept = made?.type === "tool.requested" ? made.payload.toolName : "";
        expect(kept).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
        if (/^[a-zA-Z0-9_-]{1,64}$/.test(name)) expect(kept).toBe(name);
      }),
      { seed: 11, numRuns: 300, examples: [["read"], ["functions.read"], ["\ud800"], ["read\n"], ["__proto__"]] },
    );
  });

  test("shows what streams, and records none of it", () => {
    const { durable, ephemeral } = recorded([
      begun,
      { type: "thinking-delta", blockIndex: 0, text: "hm" },
      { type: "text-delta", blockIndex: 1, text: "Hel" },
      { type: "tool-call-started", blockIndex: 2, toolUseId: "toolu_1", toolName: "read" },
      { type: "tool-input-delta", blockIndex: 2, toolUseId: "toolu_1", partialJson: '{"z' },
    ]);
    expect(durable).toEqual([requestStarted("r1")]);
    expect(ephemeral).toEqual([
      { type: "model.thinking-delta", payload: { requestId: "r1", blockIndex: 0, text: "hm" } },
      { type: "model.text-delta", payload: { requestId: "r1", blockIndex: 1, text: "Hel" } },
      {
        type: "model.tool-call-started",
        payload: { requestId: "r1", blockIndex: 2, toolUseId: "toolu_1", toolName: "read" },
      },
      {
        type: "model.tool-input-delta",
        payload: { requestId: "r1", blockIndex: 2, toolUseId: "toolu_1", partialJson: '{"z' },
      },
    ]);
  });

  test("that repeats an id is given another for the second call", () => {
    const { durable } = recorded(
      [begun, settled(0, call("toolu_1")), settled(1, call("toolu_1")), finished("tool_use")],
      ["toolu_0"],
    );
    expect(durable.slice(1)).toEqual([requested("toolu_1", 0), requested("toolu_1_3", 1), completed("tool_use")]);
  });

  test("that was cut at its limit loses its last call, and only when the call came last", () => {
    for (const stopReason of ["max_tokens", "model_context_window_exceeded"]) {
      const ends = [begun, settled(0, call("toolu_1")), settled(1, call("toolu_2")), finished(stopReason)];
      expect(recorded(ends).durable.slice(3)).toEqual([completed(stopReason), discarded("toolu_2")]);
      const goesOn = [begun, settled(0, call("toolu_1")), settled(1, text("and")), finished(stopReason)];
      expect(recorded(goesOn).durable.slice(3)).toEqual([completed(stopReason)]);
    }
  });

  test("that was refused loses every call", () => {
    const { durable } = recorded([begun, settled(0, call("toolu_1")), settled(1, text("No.")), finished("refusal")]);
    expect(durable.slice(3)).toEqual([completed("refusal"), discarded("toolu_1")]);
  });
});

describe("a failed attempt", () => {
  test("closes its calls and leaves nothing to the next one", () => {
    const { state, durable } = recorded([
      begun,
      { type: "text-delta", blockIndex: 0, text: "lost" },
      settled(1, call("toolu_1")),
      { type: "attempt-failed", failure: failure({ status: 529, usage: USAGE }), retryAfterMs: 800 },
      { type: "started", attempt: 2 },
    ]);
    expect(durable).toEqual([
      requestStarted("r1"),
      requested("toolu_1", 1),
      requestFailed({ status: 529, usage: USAGE, retryAfterMs: 800 }) as DurableInput,
      discarded("toolu_1"),
      requestStarted("r2", 2),
    ]);
    expect(state).toEqual({ ...beforeStream, requestId: "r2" });
  });

  const half = recorded([
    begun,
    { type: "text-delta", blockIndex: 0, text: "Whole." },
    settled(0, text("Whole.")),
    { type: "text-delta", blockIndex: 1, text: "Hal" },
    { type: "text-delta", blockIndex: 1, text: "f" },
    { type: "text-delta", blockIndex: 2, text: " \n" },
    settled(3, call("toolu_1")),
  ]).state;

  test("that was the last is final, and its text is not kept", () => {
    const events = recordFailure(half, failure({ rateLimited: true }), false, contextWith());
    const final = requestFailed({ retriesExhausted: true, rateLimited: true });
    expect(events).toEqual([final as DurableInput, discarded("toolu_1")]);
  });

  test("that the user stopped keeps the text he has seen; the calls are closed by whoever closes the turn", () => {
    const cancelled = failure({ kind: "cancelled", message: "cancelled" });
    expect(recordFailure(half, cancelled, true, contextWith())).toEqual([
      { type: "model.text-block-completed", payload: { requestId: "r1", blockIndex: 1, text: "Half", partial: true } },
      requestFailed({ kind: "cancelled", message: "cancelled" }) as DurableInput,
    ]);
  });

  test("that never went out is recorded as an attempt all the same, so that the turn can end", () => {
    const noKey = failure({ kind: "auth", message: "no key", attempts: 0 });
    expect(recordFailure(beforeStream, noKey, false, contextWith())).toEqual([
      requestStarted("r1"),
      requestFailed({ kind: "auth", message: "no key", attempts: 0, retriesExhausted: true }) as DurableInput,
    ]);
  });

  test("between two attempts there is nothing to close", () => {
    const wait: ModelEvent = { type: "attempt-failed", failure: failure(), retryAfterMs: 800 };
    const { state } = recorded([begun, { type: "text-delta", blockIndex: 0, text: "lost" }, wait]);
    expect(recordFailure(state, failure({ kind: "cancelled" }), true, contextWith())).toEqual([]);
  });
});

const anyBlock = fc.oneof(
  fc.constantFrom("", " \n", "Words.").map(text),
  fc.constantFrom("toolu_1", "toolu_2", "__proto__").map(call),
  fc.constant<CompletedBlock>({ type: "thinking", thinking: "", signature: "sig" }),
  fc.constant<CompletedBlock>({ type: "redacted_thinking", data: "opaque" }),
);
const anyEnd = fc.constantFrom("end_turn", "tool_use", "max_tokens", "refusal", "model_context_window_exceeded", "new");

test("whatever an answer holds and however it ends, each call is either awaited by both folds or discarded", () => {
  fc.assert(
    fc.property(fc.array(anyBlock, { maxLength: 6 }), anyEnd, fc.boolean(), (blocks, stopReason, cut) => {
      const stream = [begun, ...blocks.map((block, at) => settled(at, block))];
      const last: ModelEvent = cut
        ? { type: "attempt-failed", failure: failure(), retryAfterMs: 1 }
        : finished(stopReason);
      const { durable } = recorded([...stream, last]);
      const asked = durable.flatMap((event) => (event.type === "tool.requested" ? [event.payload.toolUseId] : []));
      const dropped = durable.flatMap((event) => (event.type === "tool.cancelled" ? [event.payload.toolUseId] : []));

      const events = durable.map((event, at) => ({ ...event, seq: at + 1 }) as DurableEvent);
      const turn = events.reduce(turnState.apply, turnState.initial());
      const { awaiting } = events.reduce(conversation.apply, conversation.initial());
      expect(turn.pending.map(({ toolUseId }) => toolUseId)).toEqual([...awaiting]);
      expect([...awaiting, ...dropped].sort()).toEqual([...asked].sort());
      expect(new Set(asked).size).toBe(asked.length);
    }),
    { seed: 20261130, numRuns: 300 },
  );
});
