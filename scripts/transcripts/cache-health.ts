/** What the ledger says of a log: how much came from the cache, and misses that no recorded break explains. */
import { cacheLedger, type SessionStore } from "../../src/session/index.ts";
import { fold, type LogEvent } from "../../src/shared/index.ts";

export interface CacheHealth {
  /** From 0 to 1; null before anything was sent. */
  readonly hitShare: number | null;
  readonly misses: number;
  readonly breaks: number;
  readonly problems: readonly string[];
}

const EXPLAINED: ReadonlySet<string | undefined> = new Set(["first", "compacted", "pruned"]);

export async function cacheHealth(store: SessionStore, id: string): Promise<CacheHealth> {
  const events: LogEvent[] = [];
  for await (const event of store.read(id)) events.push(event);
  const ledger = cacheLedger(() => 0);
  const { entries, totals, unnamed } = fold(ledger, events);
  const unexplained = entries.filter(
    ({ reason, missed }) => reason !== undefined && missed > 0 && !EXPLAINED.has(reason),
  );
  return {
    hitShare: totals.hitShare,
    misses: totals.misses.count,
    breaks: entries.reduce((sum, { breaks }) => sum + breaks.length, 0) + unnamed.length,
    problems: unexplained.map(
      ({ startSeq, reason, missed, expected }) =>
        `the request at seq ${startSeq} missed ${missed} of ${expected}: ${reason}`,
    ),
  };
}
