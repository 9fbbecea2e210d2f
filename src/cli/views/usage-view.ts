/** `khaelor fold usage`: what was used, what it cost, and what came from the cache, request by request. */
import {
  type Bill,
  cacheLedger,
  type LedgerEntry,
  type LedgerTotals,
  type MissBill,
  SLOT_MS,
  usageTotals,
} from "../../session/index.ts";
import type { ModelUsage } from "../../shared/index.ts";
import type { FoldView, ViewParts } from "../fold-views.ts";
import { breakJson } from "./break-json.ts";

/** Entries, the newest: their sums are of all. */
const SHOWN_ENTRIES = 5_000;

export function usageView({ price }: ViewParts): FoldView {
  const [totals, ledger] = [usageTotals(price), cacheLedger(price)];
  let [used, cache, seq] = [totals.initial(), ledger.initial(), 0];
  return {
    apply(event) {
      [used, cache, seq] = [totals.apply(used, event), ledger.apply(cache, event), event.seq];
    },
    shown() {
      const entries = cache.entries.slice(-SHOWN_ENTRIES);
      return {
        seq,
        requests: used.requests,
        responses: used.responses,
        usage: usageJson(used.total),
        cut_usage: usageJson(used.cut),
        models: Object.fromEntries(
          Object.entries(used.byModel).map(([model, one]) => [
            model,
            { responses: one.responses, usage: usageJson(one) },
          ]),
        ),
        total_cost_usd: used.costUsd,
        spent_usd: used.spentUsd,
        unpriced: used.unpriced,
        turn_usd: used.turnUsd,
        recent: Object.entries(used.recentUsd)
          .map(([slot, usd]) => ({ from_ts: Number(slot) * SLOT_MS, usd }))
          .sort((a, b) => a.from_ts - b.from_ts),
        cache: totalsJson(cache.totals),
        entries: entries.map(entryJson),
        entries_left_out: cache.totals.requests - entries.length,
        unnamed_breaks: cache.unnamed.map(breakJson),
      };
    },
  };
}

const usageJson = ({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: ModelUsage) => ({
  input: inputTokens,
  output: outputTokens,
  cache_read: cacheReadTokens,
  cache_write: cacheWriteTokens,
});

const totalsJson = (totals: LedgerTotals) => ({
  requests: totals.conversation.requests,
  sent_tokens: totals.conversation.sentTokens,
  read_tokens: totals.conversation.readTokens,
  hit_share: totals.hitShare,
  hits: totals.hits,
  misses: missJson(totals.misses),
  misses_by_reason: mapped(totals.missesByReason, missJson),
  by_purpose: mapped(totals.byPurpose, billJson),
  first_ts: totals.firstTs ?? null,
  last_ts: totals.lastTs ?? null,
});

const billJson = ({ count, costUsd, unpriced }: Bill) => ({ count, cost_usd: costUsd, unpriced });
const missJson = (bill: MissBill) => ({ ...billJson(bill), tokens: bill.tokens });

const mapped = <T, J>(record: Readonly<Record<string, T>>, json: (value: T) => J): Record<string, J> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, json(value)]));

const entryJson = (entry: LedgerEntry) => ({
  request_id: entry.requestId,
  start_seq: entry.startSeq,
  end_seq: entry.endSeq,
  started_ts: entry.startedTs,
  ts: entry.ts,
  purpose: entry.purpose,
  model: entry.model,
  usage: usageJson(entry.usage),
  failed: entry.failed ?? false,
  spent_usd: entry.spentUsd,
  expected_tokens: entry.expected,
  missed_tokens: entry.missed,
  reason: entry.reason ?? null,
  cause_seq: entry.cause ?? null,
  miss_cost_usd: entry.costUsd ?? null,
  breaks: entry.breaks.map(breakJson),
  server_reason: entry.cacheMissReason ?? null,
});
