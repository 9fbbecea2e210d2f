/** The user's own prices, as the model's room takes them. */
import type { ModelPrice } from "../anthropic/index.ts";
import type { KhaelorConfig } from "../config/index.ts";

type ConfigPrice = KhaelorConfig["prices"][string];
type Tier = ModelPrice["tiers"][number];

export const modelPrices = (prices: KhaelorConfig["prices"]): Readonly<Record<string, ModelPrice>> =>
  Object.fromEntries(Object.entries(prices).map(([id, price]) => [id, { tiers: tiersOf(price) }]));

function tiersOf({ longPrompts, ...price }: ConfigPrice): readonly Tier[] {
  const first = { ...withWrites(price), abovePromptTokens: 0 };
  return longPrompts
    ? [first, { ...withWrites(longPrompts), abovePromptTokens: longPrompts.abovePromptTokens }]
    : [first];
}

/** As everywhere: 1.25 times the input price for five minutes, twice that price for an hour. */
function withWrites(price: Omit<ConfigPrice, "longPrompts">): Omit<Tier, "abovePromptTokens"> {
  const { input, output, cacheRead, cacheWrite5m = input * 1.25, cacheWrite1h = input * 2 } = price;
  return { input, output, cacheRead, cacheWrite5m, cacheWrite1h };
}
