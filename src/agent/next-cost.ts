/** What is known of a request's cost before it is made. */
import type { SessionState } from "../session/index.ts";
import type { ModelUsage } from "../shared/index.ts";

/** US dollars, or null for a model without a known price. */
export type PriceOf = (model: string, usage: ModelUsage) => number | null;

/** What the next request costs at least: all that the last one held, read from the cache. US dollars. */
export const certainCost = ({ usage, turn }: SessionState, price: PriceOf): number =>
  price(turn.model, surely(usage.last)) ?? 0;

function surely(last: ModelUsage | undefined): ModelUsage {
  const { inputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = last ?? {};
  const known = inputTokens + cacheReadTokens + cacheWriteTokens;
  return { inputTokens: 0, outputTokens: 0, cacheReadTokens: known, cacheWriteTokens: 0 };
}
