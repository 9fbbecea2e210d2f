/** Looks models up in the dated table and turns token counts into money. Asks nobody and guesses no price. */
import type { ModelUsage } from "../shared/index.ts";
import { DEFAULT_MODELS, MODEL_TABLE, UNKNOWN_MODEL } from "./models-data.ts";
import type { ModelFacts, ModelPrice } from "./types.ts";

/** The ids that are used when the user names none. */
export const defaultModels: { readonly model: string; readonly auxiliary: string } = DEFAULT_MODELS;

/** The ids of the table, newest generation first. */
export const knownModels: readonly string[] = Object.keys(MODEL_TABLE);

/** What is known of a model, by its id with or without a date or a gateway's prefix. Unknown ids get conservative values. */
export function modelFacts(id: string): ModelFacts {
  return own(MODEL_TABLE, id) ?? own(MODEL_TABLE, plainId(id)) ?? UNKNOWN_MODEL;
}

/**
 * US dollars for one response, or null when the model's price is unknown. Price by the id that the answer named, not by
 * the alias that was asked for. `prices` are the user's own, by exact id; they win over the table.
 */
export function priceOf(
  model: string,
  usage: ModelUsage,
  prices: Readonly<Record<string, ModelPrice>> = {},
): number | null {
  const price = own(prices, model) ?? modelFacts(model).price;
  const promptTokens = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const tier = price?.tiers.findLast(({ abovePromptTokens }) => promptTokens > abovePromptTokens) ?? price?.tiers[0];
  if (!tier) return null;
  const writtenForAnHour = usage.cacheWrite1h ?? 0;
  const writtenForMinutes = Math.max(0, usage.cacheWriteTokens - writtenForAnHour);
  const total =
    usage.inputTokens * tier.input +
    usage.outputTokens * tier.output +
    usage.cacheReadTokens * tier.cacheRead +
    writtenForMinutes * tier.cacheWrite5m +
    writtenForAnHour * tier.cacheWrite1h;
  return total / 1_000_000;
}

/** `vendor/claude-opus-5-5-20261001` is priced and limited as `claude-opus-5-5`. */
export const plainId = (id: string): string => id.slice(id.lastIndexOf("/") + 1).replace(/-\d{8}$/, "");

/** Ids come from users and servers; `constructor` must not find one of Object's own. */
const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
