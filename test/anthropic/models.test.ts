/** The dated table: every model is complete, unknown ones are safe, and money is right. */
import { expect, test } from "bun:test";
import { defaultModels, modelFacts, priceOf } from "../../src/anthropic/index.ts";
import { MODEL_TABLE, MODELS_AS_OF } from "../../src/anthropic/models-data.ts";

const usage = (inputTokens: number, outputTokens: number, more: object = {}) => ({
  inputTokens,
  outputTokens,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  ...more,
});

test("every model names its limits, and prices have the published shape", () => {
  for (const facts of Object.values(MODEL_TABLE)) {
    expect(facts.contextWindow).toBeGreaterThan(facts.maxOutputTokens);
    expect(facts.thinking.length).toBeGreaterThan(0);
    expect(facts.cacheMinimumTokens).toBeOneOf([512, 1024, 2048, 4096]);
    for (const tier of facts.price?.tiers ?? []) {
      expect(tier.cacheWrite5m).toBeCloseTo(tier.input * 1.25, 10);
      expect(tier.cacheWrite1h).toBeCloseTo(tier.input * 2, 10);
      expect(tier.output).toBeCloseTo(tier.input * 5, 10);
    }
  }
  expect(MODELS_AS_OF).toMatch(/^\d{4}-\d{2}-\d{2}$/);
});

test("the defaults are in the table, with a price", () => {
  for (const id of [defaultModels.model, defaultModels.auxiliary]) expect(modelFacts(id).price).toBeDefined();
  expect(defaultModels).toEqual({ model: "claude-opus-5-5", auxiliary: "claude-haiku-5-5" });
});

test("a date or a gateway's prefix does not hide a model; other ids are unknown and safe", () => {
  expect(modelFacts("claude-haiku-4-5-20251001")).toBe(modelFacts("claude-haiku-4-5"));
  expect(modelFacts("vendor/claude-opus-5-5")).toBe(modelFacts("claude-opus-5-5"));
  for (const id of ["claude-opus-9", "constructor", "__proto__", ""]) {
    expect(modelFacts(id)).toEqual({
      contextWindow: 200_000,
      maxOutputTokens: 32_000,
      thinking: [],
      efforts: [],
      cacheMinimumTokens: 4096,
    });
    expect(priceOf(id, usage(1, 1))).toBeNull();
  }
});

test("a response costs what its four kinds of tokens cost", () => {
  expect(priceOf("claude-opus-5-5", usage(1_000_000, 0))).toBeCloseTo(4, 10);
  expect(priceOf("claude-opus-5-5", usage(0, 1_000_000))).toBeCloseTo(20, 10);
  expect(priceOf("claude-opus-5-5", usage(0, 0, { cacheReadTokens: 1_000_000 }))).toBeCloseTo(0.2, 10);
  expect(priceOf("claude-opus-5-5", usage(0, 0, { cacheWriteTokens: 1_000_000 }))).toBeCloseTo(5, 10);
  const split = { cacheWriteTokens: 1_000_000, cacheWrite5m: 600_000, cacheWrite1h: 400_000 };
  expect(priceOf("claude-opus-5-5", usage(0, 0, split))).toBeCloseTo(0.6 * 5 + 0.4 * 8, 10);
});

test("a long prompt puts the whole request into the dearer tier, cached tokens counted", () => {
  expect(priceOf("claude-haiku-5-5", usage(100_000, 1000))).toBeCloseTo(0.01 + 0.0005, 10);
  expect(priceOf("claude-haiku-5-5", usage(100_001, 1000))).toBeCloseTo(0.0500005 + 0.0025, 10);
  expect(priceOf("claude-haiku-5-5", usage(1, 0, { cacheReadTokens: 100_000 }))).toBeCloseTo(0.0050005, 10);
});

const OWN = { tiers: [{ abovePromptTokens: 0, input: 1, output: 2, cacheRead: 3, cacheWrite5m: 4, cacheWrite1h: 5 }] };

test.each([
  // what is priced, what was asked for, what answered, dollars for a million tokens in
  ["claude-opus-5-5", undefined, "claude-opus-5-5", 1],
  ["mine", undefined, "mine", 1],
  ["claude-opus-5-5", undefined, "claude-opus-5-5-20261001", 1],
  ["claude-opus-5-5-20261001", "claude-opus-5-5-20261001", "claude-opus-5-5", 1],
  ["mine", "mine", "what-the-gateway-calls-it", 1],
  ["mine", "mine", "claude-opus-5-5", 1],
  ["claude-opus-5-5", "claude-opus-5-5", "claude-sonnet-5-5", 2],
  ["other", "claude-opus-5-5", "what-the-gateway-calls-it", null],
])("an own price of %s, %s asked for, %s answering", (priced, asked, model, dollars) => {
  expect(priceOf(model, usage(1_000_000, 0), { prices: { [priced]: OWN }, asked })).toBe(dollars);
});
