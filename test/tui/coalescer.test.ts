/** The single promises of the coalescer; the property over all orders is in test/properties. */
import { describe, expect, test } from "bun:test";
import type { DurableEvent, KhaelorEvent } from "../../src/shared/index.ts";
import { blockKey, type CoalescedFrame, createCoalescer, omissionMarker } from "../../src/tui/index.ts";
import { manualClock } from "../support/clock.ts";

const ENVELOPE = { id: "e", sessionId: "s", ts: 0 };
const durable = (seq: number, type: string, payload: object = {}): DurableEvent =>
  // Only the fields that name a lane matter here.
  ({ ...ENVELOPE, v: 1, seq, type, payload }) as unknown as DurableEvent;
const text = (value: string, requestId = "r"): KhaelorEvent => ({
  ...ENVELOPE,
  type: "model.text-delta",
  payload: { requestId, blockIndex: 0, text: value },
});
const output = (chunk: string): KhaelorEvent => ({
  ...ENVELOPE,
  type: "tool.output",
  payload: { toolUseId: "t", chunk },
});
const input = (partialJson: string): KhaelorEvent => ({
  ...ENVELOPE,
  type: "model.tool-input-delta",
  payload: { requestId: "r", blockIndex: 1, toolUseId: "t", partialJson },
});

function station(options: { windowMs?: number; capBytes?: number } = {}) {
  const clock = manualClock();
  const coalescer = createCoalescer({ clock, ...options });
  const frames: CoalescedFrame[] = [];
  const unsubscribe = coalescer.subscribe((frame) => frames.push(frame));
  const push = (...events: KhaelorEvent[]) => events.forEach(coalescer.push);
  return { clock, coalescer, frames, push, unsubscribe };
}
const texts = (frames: readonly CoalescedFrame[]) => frames.map(({ textAppends }) => [...textAppends.values()].join());

test("a storm of deltas is one frame a window, joined in order", () => {
  const { clock, frames, push } = station();
  for (let at = 0; at < 1000; at++) {
    push(text(`${at} `));
    if (at % 10 === 9) clock.advance(1);
  }
  clock.runAll();
  expect(frames.length).toBe(7); // 100 ms in windows of 16
  expect(texts(frames).join("")).toBe(Array.from({ length: 1000 }, (_, at) => `${at} `).join(""));
});

test("nothing buffered means no timer and no frame", () => {
  const { clock, frames, push } = station();
  clock.advance(1000);
  push(text("a"));
  clock.advance(1000);
  expect([frames.length, clock.pending()]).toEqual([1, 0]);
});

test("what somebody waits for comes before its window has passed, once", () => {
  const { clock, coalescer, frames, push } = station();
  coalescer.flush();
  push(durable(1, "user.message-created"));
  coalescer.flush();
  coalescer.flush();
  expect([frames.map(({ durables }) => durables.length), clock.pending()]).toEqual([[1], 0]);
  coalescer.dispose();
  coalescer.flush();
  expect(frames.length).toBe(1);
});

test("a frame keeps kinds and lanes apart", () => {
  const { clock, frames, push } = station();
  push(text("a"), text("b", "other"), input('{"a'), output("out"), text("c"));
  push({ ...ENVELOPE, type: "model.thinking-delta", payload: { requestId: "r", blockIndex: 0, text: "hm" } });
  push({
    ...ENVELOPE,
    type: "model.tool-call-started",
    payload: { requestId: "r", blockIndex: 1, toolUseId: "t", toolName: "read" },
  });
  push({ ...ENVELOPE, type: "process.output", payload: { processId: "p", stream: "stderr", chunk: "up" } });
  push(durable(1, "file.read"));
  clock.runAll();
  expect(frames).toEqual([
    {
      textAppends: new Map([
        [blockKey("r", 0), "ac"],
        [blockKey("other", 0), "b"],
      ]),
      thinkingAppends: new Map([[blockKey("r", 0), "hm"]]),
      toolCallsStarted: new Map([["t", "read"]]),
      toolInputPreviews: new Map([["t", '{"a']]),
      toolOutputAppends: new Map([["t", "out"]]),
      processOutputAppends: new Map([["p", "up"]]),
      durables: [durable(1, "file.read")],
    },
  ]);
});

test("a settled block comes at once, in one frame with its last deltas and all events before it", () => {
  const { clock, frames, push } = station();
  const settled = durable(2, "model.text-block-completed", { requestId: "r", blockIndex: 0, text: "ab" });
  push(durable(1, "file.read"), text("a"), text("b"), settled);
  expect(frames.map(({ durables, textAppends }) => [[...textAppends.values()], durables])).toEqual([
    [["ab"], [durable(1, "file.read"), settled]],
  ]);
  expect(clock.pending()).toBe(0);
});

test("a settled block whose deltas were all shown waits for its window", () => {
  const { clock, frames, push } = station();
  push(text("a"));
  clock.runAll();
  push(durable(1, "model.text-block-completed", { requestId: "r", blockIndex: 0, text: "a" }));
  expect([frames.length, clock.pending()]).toEqual([1, 1]);
});

test("an input is shown whole in every frame, until the call is settled or the turn is stopped", () => {
  const { clock, frames, push } = station();
  const show = (...events: KhaelorEvent[]) => {
    push(...events);
    clock.runAll();
    return [...(frames.at(-1)?.toolInputPreviews ?? [])];
  };
  expect([show(input('{"a":')), show(input("1}")), show(durable(1, "file.read"))]).toEqual([
    [["t", '{"a":']],
    [["t", '{"a":1}']],
    [],
  ]);
  expect(show(durable(2, "user.interrupted"))).toEqual([]);
  expect(show(input("{"))).toEqual([["t", "{"]]);
});

describe("a late delta", () => {
  const SETTLED = {
    "of a finished block": [text("late"), durable(1, "model.text-block-completed", { requestId: "r", blockIndex: 0 })],
    "of an ended response": [text("late"), durable(1, "model.response-completed", { requestId: "r" })],
    "of a failed request": [input("late"), durable(1, "model.request-failed", { requestId: "r" })],
    "of a requested call": [input("late"), durable(1, "tool.requested", { requestId: "r", toolUseId: "t" })],
    "of a cancelled call": [output("late"), durable(1, "tool.cancelled", { toolUseId: "t" })],
  } as const;

  test.each(Object.entries(SETTLED))("%s is not shown", (_name, [late, settled]) => {
    const { clock, frames, push } = station();
    push(settled);
    clock.runAll();
    push(late);
    expect([clock.pending(), frames.length]).toEqual([0, 1]);
  });

  test("of a request that is made once more is shown", () => {
    const { clock, frames, push } = station();
    push(
      durable(1, "model.request-failed", { requestId: "r" }),
      durable(2, "model.request-started", { requestId: "r" }),
      text("new"),
    );
    clock.runAll();
    expect(texts(frames)).toEqual(["new"]);
  });

  test("is forgotten with its lane only after a thousand others", () => {
    const { clock, frames, push } = station();
    const settled = (id: string) => durable(1, "tool.failed", { toolUseId: id });
    push(settled("t"));
    for (let at = 0; at < 300; at++) push(settled(`t${at}`));
    push(output("late"));
    for (let at = 300; at < 2000; at++) push(settled(`t${at}`));
    push(output("very late"));
    clock.runAll();
    expect([...(frames.at(-1)?.toolOutputAppends ?? [])]).toEqual([["t", "very late"]]);
  });
});

test("text over the cap ends at a whole character, says how much is missing, and starts anew in the next frame", () => {
  const { clock, frames, push } = station({ capBytes: 6 });
  push(text("ab👍👍"), text("c"));
  clock.runAll();
  push(text("next"));
  clock.runAll();
  expect(texts(frames)).toEqual([`ab👍${omissionMarker(5)}`, "next"]);
});

test("the cap is 16 KiB and the window 16 ms when nothing else is said", () => {
  const { clock, frames, push } = station();
  push(text("x".repeat(16 * 1024 + 1)));
  clock.advance(15);
  expect(frames.length).toBe(0);
  clock.advance(1);
  expect(texts(frames)).toEqual([`${"x".repeat(16 * 1024)}${omissionMarker(1)}`]);
});

test("every subscriber gets every frame until it leaves", () => {
  const { clock, coalescer, frames, push, unsubscribe } = station();
  const others: CoalescedFrame[] = [];
  coalescer.subscribe((frame) => others.push(frame));
  push(text("a"));
  clock.runAll();
  unsubscribe();
  push(text("b"));
  clock.runAll();
  expect([texts(frames), texts(others)]).toEqual([["a"], ["a", "b"]]);
});

test("after its end it delivers nothing, holds no timer and takes nothing in", () => {
  const { clock, coalescer, frames, push } = station();
  push(text("a"));
  coalescer.dispose();
  coalescer.subscribe((frame) => frames.push(frame));
  push(text("b"), durable(1, "user.interrupted"));
  clock.advance(100);
  expect([frames.length, clock.pending()]).toEqual([0, 0]);
});
