/** Silence and its limits, on a clock that only tests move. */
import { expect, test } from "bun:test";
import { createWatchdog } from "../../src/anthropic/watchdog.ts";
import { manualClock } from "../support/clock.ts";

function watched() {
  const clock = manualClock();
  let fired = 0;
  const dog = createWatchdog(clock, { headersMs: 100, idleMs: 50, progressMs: 200 }, () => fired++);
  return { clock, dog, fired: () => fired };
}

test("no headers in time", () => {
  const { clock, dog, fired } = watched();
  clock.advance(99);
  expect([dog.broken, fired()]).toEqual([null, 0]);
  clock.advance(1);
  expect([dog.broken, fired(), clock.pending()]).toEqual(["headersMs", 1, 0]);
});

test("any byte, a ping too, resets the idle limit; only progress resets the other", () => {
  const { clock, dog, fired } = watched();
  dog.opened();
  for (let at = 0; at < 4; at++) {
    clock.advance(49);
    dog.bytes();
  }
  dog.progress();
  for (let at = 0; at < 4; at++) {
    clock.advance(49);
    dog.bytes();
  }
  expect([dog.broken, clock.pending()]).toEqual([null, 1]);
  clock.advance(4);
  expect([dog.broken, fired()]).toEqual(["progressMs", 1]);
});

test("no byte for the idle time", () => {
  const { clock, dog } = watched();
  clock.advance(99);
  dog.opened();
  clock.advance(40);
  dog.bytes();
  clock.advance(49);
  expect(dog.broken).toBeNull();
  clock.advance(1);
  expect(dog.broken).toBe("idleMs");
});

test("time in the consumer's hands does not count, however often it is taken", () => {
  const { clock, dog } = watched();
  dog.opened();
  for (let at = 0; at < 49; at++) {
    clock.advance(1);
    dog.pause();
    clock.advance(10_000);
    dog.resume();
  }
  expect(dog.broken).toBeNull();
  clock.advance(1);
  expect(dog.broken).toBe("idleMs");
});

test("after the stop nothing is armed", () => {
  const { clock, dog, fired } = watched();
  dog.opened();
  dog.stop();
  clock.advance(10_000);
  expect([dog.broken, fired(), clock.pending()]).toEqual([null, 0, 0]);
});
