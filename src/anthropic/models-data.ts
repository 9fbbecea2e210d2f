/**
 * What is known of each model and cannot be asked for: prices, effort levels, thinking types, the smallest cached prefix.
 * Dated data, nothing else; when a model or a price changes, this is the only file to edit.
 */
import type { ModelFacts, ModelPrice } from "./types.ts";

/** The day on which the table was last compared with the published model and price lists. */
export const MODELS_AS_OF = "2026-11-30";

export const DEFAULT_MODELS = { model: "claude-opus-5-5", auxiliary: "claude-haiku-5-5" } as const;

type Tier = ModelPrice["tiers"][number];

/** Writing to the cache costs 1.25 times the input price for five minutes and twice that price for an hour, everywhere. */
const tier = (input: number, output: number, cacheRead: number, abovePromptTokens = 0): Tier => ({
  abovePromptTokens,
  input,
  output,
  cacheRead,
  cacheWrite5m: input * 1.25,
  cacheWrite1h: input * 2,
});

const FIVE_EFFORTS = ["low", "medium", "high", "xhigh", "max"] as const;
const WITHOUT_XHIGH = ["low", "medium", "high", "max"] as const;
const MILLION = { contextWindow: 1_000_000, maxOutputTokens: 128_000 } as const;
const SMALLER = { contextWindow: 200_000, maxOutputTokens: 64_000 } as const;

/** The API can sum a conversation up by itself (beta `compact-2026-09-04`). */
const COMPACTS = { serverCompaction: true } as const;

const ALWAYS_ON = { ...MILLION, thinking: ["adaptive"], efforts: FIVE_EFFORTS, cacheMinimumTokens: 512 } as const;
const CAN_BE_OFF = { ...MILLION, ...COMPACTS, thinking: ["adaptive", "disabled"], efforts: FIVE_EFFORTS } as const;
const OPUS_PRICE: ModelPrice = { tiers: [tier(5, 25, 0.5)] };
const SONNET_4_PRICE: ModelPrice = { tiers: [tier(3, 15, 0.3)] };

/** The Mythos models have no published price. */
export const MODEL_TABLE: Readonly<Record<string, ModelFacts>> = {
  "claude-fable-5-2": { ...ALWAYS_ON, ...COMPACTS, price: { tiers: [tier(8, 40, 0.2)] } },
  "claude-fable-5-1": { ...ALWAYS_ON, ...COMPACTS, price: { tiers: [tier(10, 50, 0.25)] } },
  "claude-fable-5": { ...ALWAYS_ON, ...COMPACTS, price: { tiers: [tier(10, 50, 1)] } },
  "claude-mythos-5-2": ALWAYS_ON,
  "claude-mythos-5-1": ALWAYS_ON,
  "claude-mythos-5": ALWAYS_ON,
  "claude-mythos-preview": { ...ALWAYS_ON, efforts: WITHOUT_XHIGH, cacheMinimumTokens: 4096 },
  "claude-opus-5-5": { ...ALWAYS_ON, ...COMPACTS, price: { tiers: [tier(4, 20, 0.2)] } },
  "claude-opus-5": { ...CAN_BE_OFF, cacheMinimumTokens: 512, price: OPUS_PRICE },
  "claude-opus-4-8": { ...CAN_BE_OFF, cacheMinimumTokens: 1024, price: OPUS_PRICE },
  "claude-opus-4-7": { ...CAN_BE_OFF, cacheMinimumTokens: 2048, price: OPUS_PRICE },
  "claude-opus-4-6": {
    ...MILLION,
    ...COMPACTS,
    thinking: ["adaptive", "enabled", "disabled"],
    efforts: WITHOUT_XHIGH,
    cacheMinimumTokens: 4096,
    price: OPUS_PRICE,
  },
  "claude-opus-4-5": {
    ...SMALLER,
    thinking: ["enabled", "disabled"],
    efforts: ["low", "medium", "high"],
    cacheMinimumTokens: 4096,
    price: OPUS_PRICE,
  },
  "claude-sonnet-5-5": {
    ...MILLION,
    ...COMPACTS,
    thinking: ["adaptive", "between_tools"],
    efforts: FIVE_EFFORTS,
    cacheMinimumTokens: 512,
    price: { tiers: [tier(2, 10, 0.2)] },
  },
  "claude-sonnet-5": { ...CAN_BE_OFF, cacheMinimumTokens: 1024, price: { tiers: [tier(2, 10, 0.2)] } },
  "claude-sonnet-4-6": {
    ...MILLION,
    ...COMPACTS,
    thinking: ["adaptive", "enabled", "disabled"],
    efforts: WITHOUT_XHIGH,
    cacheMinimumTokens: 1024,
    price: SONNET_4_PRICE,
  },
  "claude-sonnet-4-5": {
    ...SMALLER,
    thinking: ["enabled", "disabled"],
    efforts: [],
    cacheMinimumTokens: 1024,
    price: SONNET_4_PRICE,
  },
  "claude-haiku-5-5": {
    ...CAN_BE_OFF,
    cacheMinimumTokens: 512,
    price: { tiers: [tier(0.1, 0.5, 0.01), tier(0.5, 2.5, 0.05, 100_000)] },
  },
  "claude-haiku-4-5": {
    ...SMALLER,
    thinking: ["enabled", "disabled"],
    efforts: [],
    cacheMinimumTokens: 4096,
    price: { tiers: [tier(1, 5, 0.1)] },
  },
};

/** Sends nothing that some model refuses, and plans with the smallest window in use. */
export const UNKNOWN_MODEL: ModelFacts = {
  contextWindow: 200_000,
  maxOutputTokens: 32_000,
  thinking: [],
  efforts: [],
  cacheMinimumTokens: 4096,
};
