/**
 * Gathers what a stream reports of its cost. Reports are cumulative: a later one overwrites, and what it leaves out stays. What
 * a compaction on the server used stands apart from the sums, and is added to them.
 */
import { type ModelUsage, NO_USAGE } from "../shared/index.ts";
import { countOf, type Foreign, fields } from "./foreign.ts";

export interface UsageMeter {
  /** Takes the `usage` of a message_start or a message_delta. */
  report(usage: unknown): void;
  /** What was reported so far, or undefined when nothing was. */
  read(): ModelUsage | undefined;
}

type Counts = { -readonly [K in keyof ModelUsage]?: number };

export function createUsageMeter(): UsageMeter {
  const answer: Counts = {};
  let compactions: readonly Counts[] = [];
  return {
    report(usage) {
      const said = fields(usage);
      takeCounts(answer, said);
      if (Array.isArray(said.iterations)) compactions = said.iterations.flatMap(compactionCounts);
    },
    read() {
      const reports = [answer, ...compactions].filter((counts) => Object.keys(counts).length > 0);
      return reports.length > 0 ? reports.reduce<ModelUsage>(sum, NO_USAGE) : undefined;
    },
  };
}

function takeCounts(counts: Counts, said: Foreign): void {
  const take = (key: keyof Counts, value: unknown): void => {
    const count = countOf(value);
    if (count !== undefined) counts[key] = count;
  };
  take("inputTokens", said.input_tokens);
  take("outputTokens", said.output_tokens);
  take("cacheReadTokens", said.cache_read_input_tokens);
  take("cacheWriteTokens", said.cache_creation_input_tokens);
  take("cacheWrite5m", fields(said.cache_creation).ephemeral_5m_input_tokens);
  take("cacheWrite1h", fields(said.cache_creation).ephemeral_1h_input_tokens);
  take("thinkingTokens", fields(said.output_tokens_details).thinking_tokens);
}

/** Entries of other types are in the sums already. */
function compactionCounts(entry: unknown): readonly Counts[] {
  const said = fields(entry);
  if (said.type !== "compaction") return [];
  const counts: Counts = {};
  takeCounts(counts, said);
  return [counts];
}

function sum(total: ModelUsage, counts: Counts): ModelUsage {
  const both: Counts = { ...total };
  for (const [key, count] of Object.entries(counts)) {
    const name = key as keyof Counts; // the keys of an object made here
    both[name] = (both[name] ?? 0) + count;
  }
  return { ...total, ...both };
}
