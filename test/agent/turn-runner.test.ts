/** One run at a time; a wish that comes while one runs is never lost; an abort ends one run and no other. */
import { describe, expect, test } from "bun:test";
import { createTurnRunner } from "../../src/agent/turn-runner.ts";

const ticks = async (count: number): Promise<void> => {
  for (let tick = 0; tick < count; tick++) await Promise.resolve();
};

/** A runner whose runs end when the test says so. */
function driven() {
  const runs: { readonly signal: AbortSignal; readonly end: () => void; readonly die: (cause: unknown) => void }[] = [];
  const runner = createTurnRunner((signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    runs.push({ signal, end: resolve, die: reject });
    return promise;
  });
  return { runner, runs };
}

describe("a turn runner", () => {
  test("runs one at a time, and once more however often it was woken meanwhile", async () => {
    const { runner, runs } = driven();
    expect(runner.isBusy()).toBe(false);
    runner.wake();
    runner.wake();
    runner.wake();
    expect([runner.isBusy(), runs.length]).toEqual([true, 1]);
    runs[0]?.end();
    await ticks(5);
    expect(runs).toHaveLength(2);
    runs[1]?.end();
    await runner.settled();
    expect([runner.isBusy(), runs.length]).toEqual([false, 2]);
  });

  test("misses no wake, in whichever tick around the end of a run it comes", async () => {
    for (let late = 0; late < 8; late++) {
      const { runner, runs } = driven();
      runner.wake();
      runs[0]?.end();
      await ticks(late);
      runner.wake();
      await ticks(5);
      expect([late, runs.length]).toEqual([late, 2]);
      runs[1]?.end();
      await runner.settled();
    }
  });

  test("is busy for what a run does at once, which wakes it for one run more and not for one inside", async () => {
    const seen: boolean[] = [];
    const runner = createTurnRunner(async () => {
      seen.push(runner.isBusy());
      if (seen.length === 1) runner.wake();
    });
    runner.wake();
    expect(seen).toEqual([true]);
    await runner.settled();
    expect([seen, runner.isBusy()]).toEqual([[true, true], false]);
  });

  test("aborts the present run only", async () => {
    const { runner, runs } = driven();
    runner.wake();
    runner.abort();
    runner.wake();
    runs[0]?.end();
    await ticks(5);
    expect(runs.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    runs[1]?.end();
    await runner.settled();
    runner.abort();
    runner.wake();
    expect(runs[2]?.signal.aborted).toBe(false);
    runs[2]?.end();
    await runner.settled();
  });

  test("tells whoever waits what a run died of", async () => {
    const { runner, runs } = driven();
    runner.wake();
    const settled = runner.settled();
    runs[0]?.die(new Error("the disk is full"));
    expect(settled).rejects.toThrow("the disk is full");
    await settled.catch(() => undefined);
    expect(runner.isBusy()).toBe(false);
  });

  test("dies of a run that throws before its first await, too", async () => {
    const runner = createTurnRunner(() => {
      throw new Error("a bug");
    });
    runner.wake();
    await expect(runner.settled()).rejects.toThrow("a bug");
    expect(runner.isBusy()).toBe(false);
  });
});
