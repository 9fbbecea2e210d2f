/** When a failed attempt is repeated: asked waits, backoff, and the three bounds. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Fault, RetryHeaders } from "../../src/anthropic/fault.ts";
import { nextRetry, type RetryVerdict } from "../../src/anthropic/retry.ts";

const LIMITS = { maxAttempts: 8, maxWaitMs: 300_000, maxTotalWaitMs: 900_000 };
const NOW = Date.parse("2026-12-01T12:34:56Z");
const fault = (headers: RetryHeaders = {}, change: Partial<Fault> = {}): Fault => ({
  kind: "retryable",
  repeat: "soon",
  message: "x",
  headers,
  ...change,
});
const state = (change: object = {}) => ({ attempt: 1, waitedMs: 0, nowMs: NOW, chance: 0, ...change });
const waitFor = (headers: RetryHeaders, change: Partial<Fault> = {}): number | undefined => {
  const verdict = nextRetry(fault(headers, change), state(), LIMITS);
  return verdict.again ? verdict.waitMs : undefined;
};

describe("the wait that a server asks for", () => {
  test("is kept, in seconds, milliseconds, or as a date on the server's own clock", () => {
    expect(waitFor({ retryAfter: "2" })).toBe(2000);
    expect(waitFor({ retryAfter: " 1.5 " })).toBe(1500);
    expect(waitFor({ retryAfterMs: "1200", retryAfter: "9" })).toBe(1200);
    expect(waitFor({ retryAfter: "Tue, 01 Dec 2026 10:00:20 GMT", date: "Tue, 01 Dec 2026 10:00:00 GMT" })).toBe(
      20_000,
    );
    expect(waitFor({ retryAfter: "Tue, 01 Dec 2026 12:35:06 GMT" })).toBe(10_000);
  });

  test("is ignored when it makes no sense", () => {
    const senseless = [
      "-3",
      "0",
      "",
      "soon",
      "1e3",
      "NaN",
      "0x10",
      "Infinity",
      "2030-01-01",
      "Tue, 01 Dec 2020 10:00:00 GMT",
    ];
    for (const retryAfter of senseless) expect([retryAfter, waitFor({ retryAfter })]).toEqual([retryAfter, 500]);
  });

  test("is never shortened, and stretched by a tenth at most", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (seconds, chance) => {
          const verdict = nextRetry(fault({ retryAfter: String(seconds) }), state({ chance }), LIMITS);
          expect(verdict.again && verdict.waitMs).toBeGreaterThanOrEqual(seconds * 1000);
          expect(verdict.again && verdict.waitMs).toBeLessThanOrEqual(seconds * 1100);
        },
      ),
      { seed: 7 },
    );
  });

  test("ends the request when it is longer than ours, and says for how long", () => {
    const verdict = nextRetry(fault({ retryAfter: "301" }), state(), LIMITS);
    expect(verdict).toEqual({ again: false, rateLimited: true, askedMs: 301_000 });
  });
});

test("without one the wait doubles, stays within its bounds, and is longer for an overload", () => {
  const waits = (repeat: "soon" | "later", chance: number) =>
    [1, 2, 3, 4, 5, 6, 7].map((attempt) => {
      const verdict = nextRetry(fault({}, { repeat }), state({ attempt, chance }), LIMITS);
      return verdict.again ? verdict.waitMs : Number.NaN;
    });
  expect(waits("soon", 0)).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 16_000]);
  expect(waits("soon", 0.5)).toEqual([750, 1500, 3000, 6000, 12_000, 24_000, 24_000]);
  expect(waits("later", 0)).toEqual([2000, 4000, 8000, 16_000, 32_000, 32_000, 32_000]);
});

test("nothing is repeated beyond the attempts, beyond the total wait, or against the server's word", () => {
  const stop: RetryVerdict = { again: false, rateLimited: false };
  expect(nextRetry(fault(), state({ attempt: 8 }), LIMITS)).toEqual(stop);
  expect(nextRetry(fault(), state({ waitedMs: 899_600 }), LIMITS)).toEqual(stop);
  expect(nextRetry(fault({ shouldRetry: "false" }), state(), LIMITS)).toEqual(stop);
  expect(nextRetry(fault({}, { repeat: "never" }), state(), LIMITS)).toEqual(stop);
});

test("a rate limit that outlives the attempts, and a spending limit, need only time", () => {
  const limited: RetryVerdict = { again: false, rateLimited: true };
  expect(nextRetry(fault({}, { status: 429 }), state({ attempt: 8 }), LIMITS)).toEqual(limited);
  expect(nextRetry(fault({}, { errorType: "rate_limit_error" }), state({ attempt: 8 }), LIMITS)).toEqual(limited);
  expect(nextRetry(fault({}, { repeat: "never", limitReached: true }), state(), LIMITS)).toEqual(limited);
});
