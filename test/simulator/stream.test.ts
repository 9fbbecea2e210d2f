/** The stream: its grammar, its options, the cut at max_tokens, and the real SDK reading it. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  modelLike,
  type ScriptedBlock,
  type SseEvent,
  type StreamOptions,
  sequence,
} from "../../src/simulator/index.ts";
import { manualClock } from "../support/clock.ts";
import { assemble } from "./assemble.ts";
import { type Body, echo, post, say, user, withSimulator } from "./harness.ts";
import { exchange, type Parsed, parseEvents } from "./wire.ts";

const THINKING = { type: "adaptive", display: "summarized" };
const ask = (more: Body = {}): Body => ({
  model: "claude-opus-5-5",
  max_tokens: 4000,
  stream: true,
  thinking: THINKING,
  messages: [user("hi")],
  ...more,
});

const FULL: readonly ScriptedBlock[] = [
  { type: "thinking", thinking: "Größe 😀 of things" },
  { type: "redacted_thinking" },
  { type: "text", text: "naïve 😀 text, long enough for several deltas" },
  { type: "tool_use", name: "bash", input: { command: "ls", "2": [1.5, "ü"] } },
  { type: "tool_use", name: "list", input: {} },
];

test("a stream has the real grammar: events in order, usage in front and at the end, a ping", () =>
  withSimulator({ script: () => say("hello") }, async (simulator) => {
    const { head, body, ending } = await exchange(simulator, ask());
    const events = parseEvents(body);
    expect(ending).toBe("whole");
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\nrequest-id: req_\w+/);
    expect(head).toContain("content-type: text/event-stream");
    expect(events.map(({ event }) => event)).toEqual([
      "message_start",
      "ping",
      "content_block_start",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
    expect(events.every(({ event, data }) => event === data.type)).toBe(true);
    const start = events[0]?.data.message as Body;
    expect(start).toMatchObject({ role: "assistant", content: [], stop_reason: null, model: "claude-opus-5-5" });
    expect(start.usage).toMatchObject({ output_tokens: 1, cache_read_input_tokens: 0 });
    expect(events[5]?.data).toMatchObject({ delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } });
  }));

test("property: whatever the options, the assembled answer is the same", () => {
  let stream: StreamOptions = {};
  const script = () => ({ content: FULL, stream });
  return withSimulator({ script, seed: "s" }, async (simulator) => {
    const wanted = (await post(simulator, ask({ stream: false }))).json;
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          deltaChars: fc.integer({ min: 1, max: 30 }),
          pingEvery: fc.integer({ min: 0, max: 3 }),
          crlf: fc.boolean(),
          padding: fc.boolean(),
          splitUtf8: fc.boolean(),
          emptyDeltas: fc.boolean(),
          unknownEvents: fc.boolean(),
          twoMessageDeltas: fc.boolean(),
          omitEventLines: fc.boolean(),
        }),
        async (options) => {
          stream = options;
          const { body } = await exchange(simulator, ask());
          const { content, stop, output } = assemble(parseEvents(body));
          const withoutIds = (blocks: unknown) => JSON.stringify(blocks).replaceAll(/toolu_\w+/g, "id");
          expect(withoutIds(content)).toBe(withoutIds(wanted.content));
          expect({ stop, output }).toEqual({ stop: wanted.stop_reason, output: (wanted.usage as Body).output_tokens });
          expect(body).not.toMatch(/\\ud[89a-f]/); // half a character in a delta would come escaped
          expect(body.includes("\r\n")).toBe(options.crlf);
          expect(body.includes("event:")).toBe(!options.omitEventLines);
        },
      ),
      { seed: 11, numRuns: 40 },
    );
  });
});

test("characters of several bytes are split across writes", () =>
  withSimulator({ script: () => say("😀ü"), stream: { splitUtf8: true } }, async (simulator) => {
    const { pieces, body } = await exchange(simulator, ask());
    const startsInside = pieces.filter((piece) => ((piece[0] ?? 0) & 0xc0) === 0x80);
    expect(startsInside.length).toBe(4);
    expect(body).toContain("😀ü");
  }));

test("an answer longer than max_tokens is cut, in text, in tool JSON and in thinking", async () => {
  const cut = async (block: ScriptedBlock, max_tokens: number) => {
    let found: { readonly events: readonly Parsed[] } = { events: [] };
    await withSimulator(
      { script: () => ({ content: [block, { type: "text", text: "never" }] }) },
      async (simulator) => {
        found = { events: parseEvents((await exchange(simulator, ask({ max_tokens }))).body) };
      },
    );
    const deltas = found.events.flatMap(({ data }) =>
      data.type === "content_block_delta" ? [data.delta as Body] : [],
    );
    const last = found.events.find(({ event }) => event === "message_delta")?.data;
    return { deltas, last };
  };
  const words = "word ".repeat(100);
  const text = await cut({ type: "text", text: words }, 10);
  expect(text.deltas.map((d) => d.text).join("")).toBe(words.slice(0, 40));
  expect(text.last).toMatchObject({ delta: { stop_reason: "max_tokens" }, usage: { output_tokens: 10 } });
  const call = await cut({ type: "tool_use", name: "write", input: { content: words } }, 10);
  const json = call.deltas.map((d) => d.partial_json).join("");
  expect(JSON.stringify({ content: words })).toStartWith(json);
  expect(() => JSON.parse(json)).toThrow();
  expect(call.last).toMatchObject({ delta: { stop_reason: "max_tokens" } });
  const thinking = await cut({ type: "thinking", thinking: words }, 10);
  expect(thinking.deltas.map((d) => d.type)).not.toContain("signature_delta");
  const exact = await cut({ type: "text", text: "12345678" }, 2);
  expect(exact.last).toMatchObject({ delta: { stop_reason: "max_tokens" } });
});

test("an answer that fits exactly is not cut, and a full window has its own stop reason", async () => {
  const models = [modelLike("claude-opus-5-5", { contextWindow: 60 })];
  await withSimulator({ script: () => say("12345678"), models }, async (simulator) => {
    expect((await post(simulator, ask({ stream: false, max_tokens: 2 }))).json.stop_reason).toBe("end_turn");
    const filled = user("x".repeat(209));
    const near = await post(simulator, ask({ stream: false, messages: [filled] }));
    expect(near.json.stop_reason).toBe("model_context_window_exceeded");
    expect((await post(simulator, ask({ messages: [user("x".repeat(220))] }))).status).toBe(400);
    expect(simulator.refusals[0]?.rule).toBe("37");
  });
});

test("stop reasons and details are the script's; a paused turn may be continued as it stands", () => {
  const script = sequence([
    { content: [{ type: "text", text: "let me see" }], stopReason: "pause_turn" },
    { content: [], stopReason: "refusal", stopDetails: { type: "refusal", category: "cyber", explanation: null } },
  ]);
  return withSimulator({ script }, async (simulator) => {
    const paused = await post(simulator, ask({ stream: false }));
    expect(paused.json.stop_reason).toBe("pause_turn");
    const refused = await post(simulator, ask({ stream: false, messages: [user("hi"), echo(paused)] }));
    expect(refused.json).toMatchObject({ content: [], stop_reason: "refusal", stop_details: { category: "cyber" } });
    const prefill = await post(
      simulator,
      ask({ messages: [user("hi"), { role: "assistant", content: "I made this up" }] }),
    );
    expect(prefill.status).toBe(400);
  });
});

test("broken tool JSON, raw blocks and altered events go out as scripted", () => {
  const script = sequence([
    { content: [{ type: "tool_use", name: "bash", json: '{"command": "l' }] },
    { content: [{ type: "raw", start: { type: "fallback", from: "a", to: "b" } }] },
    { content: [], alter: (events) => [...events.slice(0, 1), { event: "mystery", data: "not json" }] },
  ]);
  return withSimulator({ script }, async (simulator) => {
    const turn = (index: number) =>
      Array.from({ length: index }, (_, i) => [{ role: "assistant", content: `a${i}` }, user("go on")]).flat();
    const bodies = await Promise.all(
      [0, 1, 2].map(async (i) => (await exchange(simulator, ask({ messages: [user("hi"), ...turn(i)] }))).body),
    );
    expect(bodies[0]).toContain(JSON.stringify('{"command": "l'));
    expect(bodies[1]).toContain('"content_block":{"type":"fallback","from":"a","to":"b"}');
    expect(bodies[2]).toEndWith("event: mystery\ndata: not json\n\n");
  });
});

test("the pace is the clock's: no delta goes out before its time", async () => {
  const clock = manualClock();
  const sent: SseEvent[] = [];
  const script = () => ({
    content: [{ type: "text", text: "abcdef" } as const],
    stream: { deltaChars: 2, deltaMs: 50 },
    delayMs: 1000,
  });
  const waiting = () => Bun.sleep(1).then(() => clock.pending());
  await withSimulator({ script, clock, onEvent: (event) => void sent.push(event) }, async (simulator) => {
    const reply = exchange(simulator, ask());
    const deltas = () => sent.filter(({ event }) => event === "content_block_delta").length;
    const seen: number[] = [];
    for (const ms of [1000, 50, 50, 50]) {
      while ((await waiting()) === 0);
      seen.push(deltas());
      clock.advance(ms);
    }
    expect((await reply).ending).toBe("whole");
    expect(seen).toEqual([0, 0, 1, 2]);
  });
});

test("50,000 deltas arrive whole", () =>
  withSimulator({ script: () => say("ab".repeat(25_000)), stream: { deltaChars: 1 } }, async (simulator) => {
    const { body } = await exchange(simulator, ask({ max_tokens: 100_000 }));
    expect(parseEvents(body).length).toBe(50_006);
  }));

test("a line of half a megabyte arrives whole", () =>
  withSimulator({ script: () => say("x".repeat(511_000)), stream: { deltaChars: 1_000_000 } }, async (simulator) => {
    const { body } = await exchange(simulator, ask({ max_tokens: 128_000 }));
    expect(assemble(parseEvents(body)).content).toMatchObject([{ type: "text", text: "x".repeat(511_000) }]);
  }));
