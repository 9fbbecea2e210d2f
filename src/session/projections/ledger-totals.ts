/** The cache ledger's sums, over every entry that there ever was. */
import type { Bill, LedgerEntry, LedgerTotals, MissBill } from "../ledger-types.ts";
import { MISS_TOLERANCE, sentTokens } from "./cache-miss.ts";

const NO_BILL: Bill = { count: 0, costUsd: 0, unpriced: 0 };
const NO_MISSES: MissBill = { ...NO_BILL, tokens: 0 };

export const noTotals = (): LedgerTotals => ({
  requests: 0,
  conversation: { requests: 0, sentTokens: 0, readTokens: 0 },
  hitShare: null,
  hits: 0,
  misses: NO_MISSES,
  missesByReason: {},
  byPurpose: {},
  firstTs: undefined,
  lastTs: undefined,
});

export function addEntry(totals: LedgerTotals, entry: LedgerEntry, isOfConversation: boolean): LedgerTotals {
  const { byPurpose, firstTs = entry.startedTs, lastTs = entry.ts } = totals;
  const { purpose } = entry;
  const bill = Object.hasOwn(byPurpose, purpose) ? byPurpose[purpose] : undefined;
  const counted: LedgerTotals = {
    ...totals,
    requests: totals.requests + 1,
    byPurpose: { ...byPurpose, [purpose]: billed(bill ?? NO_BILL, entry.spentUsd) },
    firstTs: Math.min(firstTs, entry.startedTs), // a clock may have jumped back
    lastTs: Math.max(lastTs, entry.ts),
  };
  return isOfConversation ? withConversation(counted, entry) : counted;
}

function withConversation(totals: LedgerTotals, entry: LedgerEntry): LedgerTotals {
  const { requests, sentTokens: sent, readTokens } = totals.conversation;
  const conversation = {
    requests: requests + 1,
    sentTokens: sent + sentTokens(entry.usage),
    readTokens: readTokens + entry.usage.cacheReadTokens,
  };
  const hitShare = conversation.sentTokens > 0 ? conversation.readTokens / conversation.sentTokens : null;
  const counted = { ...totals, conversation, hitShare };
  const { reason } = entry;
  if (reason === "first") return counted;
  if (reason === undefined) return entry.expected > MISS_TOLERANCE ? { ...counted, hits: totals.hits + 1 } : counted;
  const missesByReason = {
    ...totals.missesByReason,
    [reason]: missed(totals.missesByReason[reason] ?? NO_MISSES, entry),
  };
  return { ...counted, misses: missed(totals.misses, entry), missesByReason };
}

const missed = (bill: MissBill, { missed: tokens, costUsd = null }: LedgerEntry): MissBill => ({
  ...billed(bill, costUsd),
  tokens: bill.tokens + tokens,
});

const billed = (bill: Bill, usd: number | null): Bill => ({
  count: bill.count + 1,
  costUsd: bill.costUsd + (usd ?? 0),
  unpriced: bill.unpriced + (usd === null ? 1 : 0),
});
