/** `/cost`: what the session used, from what the API reported and nothing else. What is not known is said to be so. */
import type { Bill, LedgerTotals, SessionMeta } from "../../session/index.ts";
import type { ModelUsage } from "../../shared/index.ts";
import type { CommandUi } from "../../tui/index.ts";
import type { Engine } from "../engine.ts";
import { type BurnRate, burnRate } from "../spending/burn-rate.ts";
import { type SessionSpending, sessionSpending } from "../spending/session-spending.ts";
import { counted, moneyText } from "../words.ts";
import type { SlashContext } from "./define.ts";
import { markdownTable } from "./markdown-table.ts";
import { billText } from "./miss-words.ts";

export async function cost(args: string, ui: CommandUi, context: SlashContext): Promise<void> {
  const engine = context.host.engine();
  const words = args.toLowerCase().split(/\s+/).filter(Boolean);
  const isCache = words.includes("cache");
  const [scope = "session", ...more] = words.filter((word) => word !== "cache");
  if (more.length > 0 || !SCOPES.includes(scope)) throw new Error(`"${args.trim()}": ${WAYS}`);
  if (isCache && scope !== "session") throw new Error(`The cache is told of one session: ${WAYS}`);
  if (scope === "tree") return ui.note(await (await import("./cost-sessions.ts")).treeReport(engine));
  if (scope === "today") {
    return ui.note(await (await import("./cost-sessions.ts")).todayReport(engine, context, Date.now()));
  }
  if (engine.session.state().usage.requests === 0) return ui.note("Nothing was sent yet, so nothing was spent.");
  const spending = await sessionSpending(engine.store, engine.session.id, engine.models.price);
  if (isCache) return ui.note((await import("./cost-cache.ts")).cacheReport(spending.ledger));
  ui.note(sessionReport(engine, spending));
}

const SCOPES: readonly string[] = ["session", "tree", "today"];
const WAYS = "there is /cost, /cost cache, /cost tree and /cost today.";

function sessionReport({ session, models, config }: Engine, spending: SessionSpending): string {
  const { usage, meta } = session.state();
  const { byModel, total, cut, spentUsd, unpriced } = usage;
  const used = Object.entries(byModel);
  const columns = [
    ...used.map(([id, one]) => {
      const isUnpriced = unpriced > 0 && models.price(id, one) === null; // else it has the price of the id that was asked for
      return [id.replace(/^claude-/, ""), one, isUnpriced] as const;
    }),
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
    `**${unpriced > 0 || tokensOf(cut) > 0 ? "at least " : ""}${moneyText(spentUsd)}** for ${counted(usage.requests, "request")}.`,
    ...(unpriced > 0 ? [`Of ${counted(unpriced, "answer")} the price is not known.`] : []),
    ...purposeText(spending.ledger.totals.byPurpose),
    cacheText(total),
    ...rateText(burnRate(spending.work, spending.ledger.entries)),
    ...cutText(cut),
    ...(meta.forkedFrom ? [`What was used before the fork is part of it: ${spentBefore(meta.forkedFrom)}.`] : []),
    ...(maxBudgetUsd === undefined
      ? []
      : [`The budget of ${moneyText(maxBudgetUsd)} counts from when the session was opened.`]),
  ];
  return `${lines.join("\n")}\n\n${table}`;
}

/** Only where there is more than the conversation. */
function purposeText(byPurpose: LedgerTotals["byPurpose"]): readonly string[] {
  const { compaction, ...conversation } = byPurpose;
  if (!compaction) return [];
  const bills = Object.values(conversation);
  const together = {
    count: bills.reduce((sum, { count }) => sum + count, 0),
    costUsd: bills.reduce((sum, bill) => sum + bill.costUsd, 0),
    unpriced: bills.reduce((sum, bill) => sum + bill.unpriced, 0),
  };
  return [`Of that the conversation ${billOf(together)}, summaries of it ${billOf(compaction)}.`];
}

const billOf = (bill: Bill): string => `${billText(bill)} (${counted(bill.count, "request")})`;

const rateText = (rate: BurnRate | undefined): readonly string[] =>
  rate
    ? [
        `${rate.isAtLeast ? "At least" : "About"} ${moneyText(rate.usdPerHour)} an hour of work: what was spent in the last ${counted(Math.round(rate.workMs / 60_000), "minute")} in which requests or calls ran, pauses left out.`,
      ]
    : [];

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

const tokensOf = (usage: ModelUsage): number => sent(usage) + usage.outputTokens;

/** Streams that broke off are paid for too, and are part of no answer. */
function cutText(cut: ModelUsage): readonly string[] {
  const tokens = tokensOf(cut);
  return tokens === 0 ? [] : [`Answers that broke off used at least ${tokens} tokens beside these.`];
}

const spentBefore = ({ spentUsd: costUsd, unpriced }: NonNullable<SessionMeta["forkedFrom"]>): string =>
  billText({ costUsd, unpriced });
