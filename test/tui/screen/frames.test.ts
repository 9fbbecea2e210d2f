/** The pace of frames, in a time that only a test moves. */
import { expect, test } from "bun:test";
import { createFramePace } from "../../../src/tui/screen/frames.ts";
import { manualClock } from "../../support/clock.ts";

const INTERVAL_MS = 30;

/** Paints at once when it is asked to, and remembers when. */
function stage() {
  const clock = manualClock(0);
  const painted: number[] = [];
  const pace = createFramePace({
    intervalMs: INTERVAL_MS,
    now: clock.now,
    after: clock.after,
    paint() {
      painted.push(clock.now());
      pace.painted();
    },
  });
  /** Something new every three milliseconds. */
  const stream = (ms: number) => {
    for (const end = clock.now() + ms; clock.now() < end; clock.advance(3)) pace.request(false);
  };
  return { clock, pace, painted, stream };
}

test("a stream begins quickly and goes on at its pace", () => {
  const { painted, stream } = stage();
  stream(400);
  const gaps = painted.slice(1).map((at, index) => at - (painted[index] ?? 0));
  expect(gaps.slice(0, 6)).toEqual([15, 15, 15, 15, 15, 15]);
  expect(new Set(gaps.slice(6))).toEqual(new Set([30]));
});

test("after some quiet the next frames come sooner again, and no more of them however long it was", () => {
  const { clock, painted, stream } = stage();
  stream(300);
  const before = painted.length;
  clock.advance(60_000);
  stream(90);
  expect(painted.slice(before).map((at) => at - (painted[before] ?? 0))).toEqual([0, 15, 30, 45, 60, 75, 90]);
});

test("what the user does is painted at once, and does not hold up the others for longer than a frame", () => {
  const { clock, pace, painted } = stage();
  for (let key = 0; key < 100; key++) {
    pace.request(true);
    clock.advance(5);
  }
  expect(painted.length).toBe(100);
  pace.request(false);
  clock.advance(INTERVAL_MS);
  expect(painted.length).toBe(101);
});

test("nothing is armed when nothing waits, nor after the end", () => {
  const { clock, pace, painted } = stage();
  pace.request(true);
  expect(clock.pending()).toBe(0);
  pace.request(false);
  pace.request(true);
  expect(clock.pending()).toBe(0);
  pace.request(false);
  pace.stop();
  clock.runAll();
  pace.request(true);
  expect(painted.length).toBe(2);
});
