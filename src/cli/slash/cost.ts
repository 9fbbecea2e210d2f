/** `/cost`: what the session used, from what the API reported and nothing else. What is not known is said to be so. */
import type { ModelUsage } from "../../shared/index.ts";
import type { CommandUi } from "../../tui/index.ts";
import { counted, moneyText } from "../words.ts";
import type { SlashContext } from "./define.ts";
import { markdownTable } from "./markdown-table.ts";

export async function cost(_args: string, ui: CommandUi, { host }: SlashContext): Promise<void> {
  const { session, models, config } = host.engine();
  const { usage, meta } = session.state();
  const { byModel, total, cut, costUsd, unpriced } = usage;
  if (usage.requests === 0) return ui.note("Nothing was sent yet, so nothing was spent.");
  const used = Object.entries(byModel);
  const columns = [
    ...used.map(([id, one]) => [id.replace(/^claude-/, ""), one, models.price(id, one) === null] as const),
    ...(used.length > 1 ? [["together", { ...total, responses: usage.responses }, false] as const] : []),
  ];
  const table = markdownTable(
    ["", ...columns.map(([name]) => `${name}:`)],
    [
      ["answers", ...columns.map(([, { responses }]) => responses)],
      ...COUNTS.map(([name, count]) => [name, ...columns.map(([, one]) => count(one))]),
      ...(columns.some(([, , isUnpriced]) => isUnpriced)
        ? [["price", ...columns.map(([, , isUnpriced]) => (isUnpriced ? "unknown" : ""))]]
        : []),
    ],
  );
  const { maxBudgetUsd } = config.limits;
  const lines = [
    `**${costUsd === null ? `at least ${moneyText(usage.spentUsd)}` : moneyText(costUsd)}** for ${counted(usage.requests, "request")}.`,
    ...(unpriced > 0 ? [`Of ${counted(unpriced, "answer")} the price is not known.`] : []),
    cacheText(total),
    ...cutText(cut),
    ...(meta.forkedFrom
      ? [`What was used before the fork is part of it: ${spentBefore(meta.forkedFrom.costUsd)}.`]
      : []),
    ...(maxBudgetUsd === undefined
      ? []
      : [`The budget of ${moneyText(maxBudgetUsd)} counts from when the session was opened.`]),
  ];
  ui.note(`${lines.join("\n")}\n\n${table}`);
}

const sent = ({ inputTokens, cacheReadTokens, cacheWriteTokens }: ModelUsage): number =>
  inputTokens + cacheReadTokens + cacheWriteTokens;

/** One below the other, a column for each model: so they have room beside each other where there is little. */
const COUNTS: readonly (readonly [name: string, count: (usage: ModelUsage) => number])[] = [
  ["sent", sent],
  ["from cache", ({ cacheReadTokens }) => cacheReadTokens],
  ["into cache", ({ cacheWriteTokens }) => cacheWriteTokens],
  ["out", ({ outputTokens }) => outputTokens],
];

function cacheText(total: ModelUsage): string {
  const all = sent(total);
  return all === 0
    ? "No answer has told yet what was sent."
    : `${((total.cacheReadTokens / all) * 100).toFixed(1)}% of what was sent came from the cache.`;
}

/** Streams that broke off are paid for too, and are part of no answer. */
function cutText(cut: ModelUsage): readonly string[] {
  const tokens = sent(cut) + cut.outputTokens;
  return tokens === 0 ? [] : [`Answers that broke off used at least ${tokens} tokens beside these.`];
}

const spentBefore = (usd: number | null): string => (usd === null ? "at a price that is not known" : moneyText(usd));
