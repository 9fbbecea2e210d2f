/** The user's prices as a config file says them, and what an answer then costs. */
import { expect, test } from "bun:test";
import { priceOf } from "../../src/anthropic/index.ts";
import { modelPrices } from "../../src/cli/prices.ts";

const USAGE = { inputTokens: 100_000, outputTokens: 10_000, cacheReadTokens: 0, cacheWriteTokens: 0 };
const PLAIN = { input: 4, output: 20, cacheRead: 0.4 };

test("what writing to the cache costs follows from the input price, unless it is said", () => {
  const [tier] = modelPrices({ m: PLAIN }).m?.tiers ?? [];
  expect(tier).toEqual({ ...PLAIN, cacheWrite5m: 5, cacheWrite1h: 8, abovePromptTokens: 0 });
  const [said] = modelPrices({ m: { ...PLAIN, cacheWrite5m: 1, cacheWrite1h: 2 } }).m?.tiers ?? [];
  expect(said).toMatchObject({ cacheWrite5m: 1, cacheWrite1h: 2 });
});

test("long prompts have a price of their own, from one token above their bound on", () => {
  const longPrompts = { input: 8, output: 30, cacheRead: 0.8, abovePromptTokens: 100_000 };
  const prices = modelPrices({ m: { ...PLAIN, longPrompts } });
  expect(priceOf("m", USAGE, { prices })).toBeCloseTo(0.4 + 0.2);
  const longer = { ...USAGE, cacheReadTokens: 1 };
  expect(priceOf("m", longer, { prices })).toBeCloseTo(0.8 + 0.3, 5);
});
