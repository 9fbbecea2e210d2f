/** A silence is measured by a clock that nobody sets: one that is set back must not make a dead stream wait for it to catch up. */
import { expect, test } from "bun:test";
import { createWatchdog, type Silence } from "../../src/anthropic/watchdog.ts";
import { manualClock } from "../support/clock.ts";

const LIMITS = { headersMs: 60_000, idleMs: 120_000, progressMs: 300_000 };

test.each([
  ["an hour back", -3_600_000],
  ["to 1970", -1_765_400_000_000],
  ["a year ahead", 365 * 24 * 3_600_000],
])("a stream is given up when its time is over, also when the clock is set %s", (_name, jump) => {
  const real = manualClock();
  let offset = 0;
  const clock = { now: () => real.now() + offset, steady: real.now, after: real.after };
  const silences: (Silence | null)[] = [];
  const watchdog = createWatchdog(clock, LIMITS, () => silences.push(watchdog.broken));
  watchdog.opened();
  real.advance(100_000);
  offset += jump;
  watchdog.bytes();
  real.advance(119_000);
  expect(silences).toEqual([]);
  offset += jump;
  real.advance(1_000);
  expect([silences, real.pending()]).toEqual([["idleMs"], 0]);
});
