/** Gathers what a stream reports of its cost. Reports are cumulative: a later one overwrites, and what it leaves out stays. */
import { type ModelUsage, NO_USAGE } from "../shared/index.ts";
import { countOf, fields } from "./foreign.ts";

export interface UsageMeter {
  /** Takes the `usage` of a message_start or a message_delta. */
  report(usage: unknown): void;
  /** What was reported so far, or undefined when nothing was. */
  read(): ModelUsage | undefined;
}

type Counts = { -readonly [K in keyof ModelUsage]?: number };

export function createUsageMeter(): UsageMeter {
  const counts: Counts = {};
  const take = (key: keyof Counts, value: unknown): void => {
    const count = countOf(value);
    if (count !== undefined) counts[key] = count;
  };
  return {
    report(usage) {
      const said = fields(usage);
      take("inputTokens", said.input_tokens);
      take("outputTokens", said.output_tokens);
      take("cacheReadTokens", said.cache_read_input_tokens);
      take("cacheWriteTokens", said.cache_creation_input_tokens);
      take("cacheWrite5m", fields(said.cache_creation).ephemeral_5m_input_tokens);
      take("cacheWrite1h", fields(said.cache_creation).ephemeral_1h_input_tokens);
      take("thinkingTokens", fields(said.output_tokens_details).thinking_tokens);
    },
    read: () => (Object.keys(counts).length > 0 ? { ...NO_USAGE, ...counts } : undefined),
  };
}
