/** The cache ledger as everybody else sees it: an entry for each request that ended, and sums. Token counts are the API's own. */
import type { ModelUsage } from "../shared/index.ts";

/** What ends the prefix that requests share. `taken-back`: a refused turn was taken out of the conversation. */
export type BreakKind = "model" | "effort" | "thinking" | "epoch" | "compacted" | "pruned" | "taken-back";

export interface NamedBreak {
  /** Of the event that made it. */
  readonly seq: number;
  /** `prefix`: a request did not repeat what had been sent before, and no break is recorded: a bug. */
  readonly kind: BreakKind | "prefix";
  /** How much left the conversation by estimate, where the event tells. */
  readonly tokens?: number;
}

/**
 * `images`: one was added, for which the API reads all messages anew, also those before it. `expired`: the cache had forgotten it.
 * `server`: only the API's diagnosis tells.
 */
export type MissReason = NamedBreak["kind"] | "images" | "expired" | "server" | "unknown";

/** A request that was answered, or failed when some usage had been reported. */
export interface LedgerEntry {
  readonly requestId: string;
  /** seq of its `model.request-started`. */
  readonly startSeq: number;
  /** seq of its answer or failure. */
  readonly endSeq: number;
  /** When it went out, and when it ended; epoch milliseconds. */
  readonly startedTs: number;
  readonly ts: number;
  readonly purpose: string;
  /** The one that answered. */
  readonly model: string;
  readonly usage: ModelUsage;
  readonly failed?: true;
  /** What it cost: US dollars at least, when it failed. Null when the price is unknown. */
  readonly spentUsd: number | null;
  /** What the conversation's request before it had sent: so much should come from the cache, unless less is sent. 0 outside the conversation. */
  readonly expected: number;
  /** What of it did not. Up to 512 tokens are no miss. */
  readonly missed: number;
  /** `first`: nothing was sent before it. Else why it missed; undefined when it did not, and outside the conversation. */
  readonly reason?: "first" | MissReason | undefined;
  /** Of a miss: seq of the event that caused it; undefined when none is known. */
  readonly cause?: number | undefined;
  /** Of a miss: US dollars more than had it come from the cache, null when the price is unknown. */
  readonly costUsd?: number | null | undefined;
  /** What ended the common prefix since the entry of the conversation before it, in order. */
  readonly breaks: readonly NamedBreak[];
  /** The server's own diagnosis, in its own word. */
  readonly cacheMissReason?: string | undefined;
}

export interface CacheLedger {
  /** In the order of their ends: the newest 5,000, and at most a tenth more. The totals are of all. */
  readonly entries: readonly LedgerEntry[];
  readonly totals: LedgerTotals;
  /** Breaks that no entry has named yet: no request of the conversation has ended behind them. */
  readonly unnamed: readonly NamedBreak[];
}

/** Dollars are at least so much: what is `unpriced` has no known price and is not in them. */
export interface Bill {
  readonly count: number;
  readonly costUsd: number;
  readonly unpriced: number;
}

export interface MissBill extends Bill {
  readonly tokens: number;
}

export interface LedgerTotals {
  /** All entries. */
  readonly requests: number;
  /** Of the conversation: entries, all tokens that they sent, and those of them that came from the cache. */
  readonly conversation: { readonly requests: number; readonly sentTokens: number; readonly readTokens: number };
  /** What came from the cache of all that the conversation's requests sent, from 0 to 1; null before anything was sent. */
  readonly hitShare: number | null;
  /** Entries that read all that they should, but for the tolerance. One of which nothing could be expected is neither hit nor miss. */
  readonly hits: number;
  readonly misses: MissBill;
  readonly missesByReason: { readonly [R in MissReason]?: MissBill };
  readonly byPurpose: Readonly<Record<string, Bill>>;
  /** When the first one went out and the last one ended, epoch milliseconds. */
  readonly firstTs: number | undefined;
  readonly lastTs: number | undefined;
}
