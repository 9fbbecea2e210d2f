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
  const rows = Object.entries(byModel).map(([id, one]) => {
    const isPriced = models.price(id, one) !== null;
    return [id, one.responses, ...counts(one), isPriced ? "" : "price unknown"] as const;
  });
  const table = markdownTable(
    ["model", "answers:", "sent:", "from cache:", "into cache:", "out:", ""],
    [...rows, ["together", usage.responses, ...counts(total), ""]],
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

const counts = (usage: ModelUsage) =>
  [sent(usage), usage.cacheReadTokens, usage.cacheWriteTokens, usage.outputTokens] as const;

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
