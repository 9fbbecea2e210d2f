/** What was counted over many sessions, for people and for programs. What is not known is null, and said. */
import type { Activity } from "../session/index.ts";
import type { ModelUsage } from "../shared/index.ts";
import { counted, plainWord } from "./words.ts";

export interface Counted {
  readonly sessions: number;
  readonly total: Activity;
  readonly problems: readonly string[];
}

/** The field names are a contract. */
export function statsJson({ sessions, total }: Counted, days: number | undefined) {
  const usage = allUsage(total);
  return {
    days: days ?? null,
    sessions,
    turns: total.turns,
    requests: total.requests,
    usage: usageJson(usage),
    /** Of streams that were cut: at least this was spent beside `usage`. */
    cut_usage: usageJson(total.cut),
    cache_read_share: cacheShare(usage),
    total_cost_usd: totalCost(total),
    models: Object.fromEntries(
      sorted(total.byModel, ({ responses }) => responses).map(([model, one]) => [
        model,
        {
          responses: one.responses,
          usage: usageJson(one.usage),
          cost_usd: one.unpriced > 0 ? null : one.costUsd,
          unpriced_responses: one.unpriced,
        },
      ]),
    ),
    tool_calls: Object.fromEntries(sorted(total.tools, (count) => count)),
    outcomes: total.outcomes,
  };
}

export function statsText(
  { sessions, total }: Counted,
  { days, all }: { readonly days: number | undefined; readonly all: boolean },
): string {
  const usage = allUsage(total);
  const share = cacheShare(usage);
  const { outcomes } = total;
  const scope = `${all ? "all projects" : "this project"}${days === undefined ? "" : `, last ${counted(days, "day")}`}`;
  const lines = [
    `${counted(sessions, "session")} of ${scope}: ${counted(total.turns, "turn")}, ${counted(total.requests, "request")}`,
    `turns      ${outcomes.completed} completed, ${outcomes.failed} failed, ${outcomes.interrupted} interrupted, ${outcomes.unfinished} unfinished`,
    `tokens in  ${sent(usage)}: ${usage.cacheReadTokens} from the cache, ${usage.cacheWriteTokens} written to it, ${usage.inputTokens} beside it`,
    `tokens out ${usage.outputTokens}`,
    `cache      ${share === null ? "nothing was sent" : `${(share * 100).toFixed(1)} % of what was sent came from it`}`,
    `cost       ${costText(totalCost(total), unpriced(total))}`,
    ...sorted(total.byModel, ({ responses }) => responses).map(
      ([model, one]) =>
        `  ${plainWord(model)}: ${counted(one.responses, "answer")}, ${costText(one.unpriced > 0 ? null : one.costUsd, one.unpriced)}`,
    ),
    `calls      ${sorted(total.tools, (count) => count)
      .map(([tool, count]) => `${plainWord(tool)} ${count}`)
      .join(", ")}`.trimEnd(),
    ...(sent(total.cut) + total.cut.outputTokens > 0
      ? [`cut        streams that broke off had reported ${sent(total.cut)} tokens in, ${total.cut.outputTokens} out`]
      : []),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

const costText = (usd: number | null, unknown: number): string =>
  usd === null ? `price unknown for ${counted(unknown, "answer")}` : `$${usd.toFixed(4)}`;

const unpriced = ({ byModel }: Activity): number => [...byModel.values()].reduce((sum, one) => sum + one.unpriced, 0);

const totalCost = (total: Activity): number | null =>
  unpriced(total) > 0 ? null : [...total.byModel.values()].reduce((sum, { costUsd }) => sum + costUsd, 0);

function allUsage({ byModel }: Activity): ModelUsage {
  const of = (key: "inputTokens" | "outputTokens" | "cacheReadTokens" | "cacheWriteTokens") =>
    [...byModel.values()].reduce((sum, { usage }) => sum + usage[key], 0);
  return {
    inputTokens: of("inputTokens"),
    outputTokens: of("outputTokens"),
    cacheReadTokens: of("cacheReadTokens"),
    cacheWriteTokens: of("cacheWriteTokens"),
  };
}

const sent = ({ inputTokens, cacheReadTokens, cacheWriteTokens }: ModelUsage): number =>
  inputTokens + cacheReadTokens + cacheWriteTokens;

const cacheShare = (usage: ModelUsage): number | null =>
  sent(usage) === 0 ? null : usage.cacheReadTokens / sent(usage);

const usageJson = ({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: ModelUsage) => ({
  input: inputTokens,
  output: outputTokens,
  cache_read: cacheReadTokens,
  cache_write: cacheWriteTokens,
});

/** Most first; equals by name, so that the order is always the same. */
const sorted = <T>(map: ReadonlyMap<string, T>, size: (value: T) => number): readonly (readonly [string, T])[] =>
  [...map].sort(([a, x], [b, y]) => size(y) - size(x) || (a < b ? -1 : 1));
