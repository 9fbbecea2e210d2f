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

/** The user's own, by model id. They win over the table. */
export type OwnPrices = Readonly<Record<string, ModelPrice>>;

/**
 * US dollars for one response, or null when the model's price is unknown. `model` is the id that the answer named, `asked` the
 * one that the request named.
 */
export function priceOf(
  model: string,
  usage: ModelUsage,
  { prices = {}, asked = model }: { readonly prices?: OwnPrices; readonly asked?: string | undefined } = {},
): number | null {
  const price = modelPrice(model, prices, asked);
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

/**
 * An own price counts with and without the date of an id. One for the id that was asked for counts too, for gateways name
 * their answers as they like, but not where the answer names another model of the table.
 */
export function modelPrice(model: string, prices: OwnPrices, asked = model): ModelPrice | undefined {
  const isAnother = isKnown(model) && isKnown(asked) && plainId(model) !== plainId(asked);
  return ownPrice(prices, model) ?? (isAnother ? undefined : ownPrice(prices, asked)) ?? modelFacts(model).price;
}

const ownPrice = (prices: OwnPrices, id: string): ModelPrice | undefined => own(prices, id) ?? own(prices, plainId(id));

const isKnown = (id: string): boolean => modelFacts(id) !== UNKNOWN_MODEL;

/** `vendor/claude-opus-5-5-20261001` is priced and limited as `claude-opus-5-5`. */
export const plainId = (id: string): string => id.slice(id.lastIndexOf("/") + 1).replace(/-\d{8}$/, "");

/** Ids come from users and servers; `constructor` must not find one of Object's own. */
const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
