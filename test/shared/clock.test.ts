import { expect, test } from "bun:test";
import { sleep, systemClock } from "../../src/shared/index.ts";
import { manualClock } from "../support/clock.ts";

const never = new AbortController().signal;

test("sleeping ends when the time has come, and not before", async () => {
  const clock = manualClock();
  let awake = false;
  const slept = sleep(clock, 100, never).then(() => {
    awake = true;
  });
  clock.advance(99);
  await Promise.resolve();
  expect([awake, clock.pending()]).toEqual([false, 1]);
  clock.advance(1);
  await slept;
  expect([awake, clock.pending()]).toEqual([true, 0]);
});

test("an abort ends the sleep with its reason and leaves no timer", async () => {
  const clock = manualClock();
  const stop = new AbortController();
  const slept = sleep(clock, 100, stop.signal);
  stop.abort(new Error("enough"));
  await expect(slept).rejects.toThrow("enough");
  expect(clock.pending()).toBe(0);
});

test("an abort that came before keeps the sleep from starting", async () => {
  const clock = manualClock();
  await expect(sleep(clock, 100, AbortSignal.abort(new Error("already")))).rejects.toThrow("already");
  expect(clock.pending()).toBe(0);
});

test("the system's clock runs a task once, and not at all when cancelled", async () => {
  const order: string[] = [];
  const cancel = systemClock.after(1, () => order.push("cancelled"));
  cancel();
  await new Promise<void>((resolve) => {
    systemClock.after(5, () => {
      order.push("ran");
      resolve();
    });
  });
  expect(order).toEqual(["ran"]);
  expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1000);
});

test("the manual clock runs what falls due in order, also what a task arms on the way", () => {
  const clock = manualClock(0);
  const order: string[] = [];
  const note = (name: string) => () => order.push(`${name}@${clock.now()}`);
  clock.after(20, note("late"));
  clock.after(10, () => {
    note("early")();
    clock.after(5, note("armed"));
    clock.after(50, note("too late"));
  });
  clock.after(10, note("equal"));
  clock.advance(30);
  expect([order, clock.now(), clock.pending()]).toEqual([["early@10", "equal@10", "armed@15", "late@20"], 30, 1]);
});
