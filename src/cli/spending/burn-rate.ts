/** What an hour of work costs at the pace of late: what was spent in the newest stretch of real work, over how long that was. */
import type { LedgerEntry } from "../../session/index.ts";
import type { WorkSpan } from "./work-spans.ts";

export interface BurnRate {
  readonly usdPerHour: number;
  /** So much work it is reckoned from; pauses are not in it. */
  readonly workMs: number;
  /** Something in it has no known price. */
  readonly isAtLeast: boolean;
}

/** Of less than that nothing follows. */
const LEAST_MS = 60_000;
const MOST_MS = 30 * 60_000;

/** Undefined: there was too little work, or no price of it is known. */
export function burnRate(
  spans: readonly WorkSpan[],
  entries: readonly Pick<LedgerEntry, "ts" | "spentUsd">[],
): BurnRate | undefined {
  const { workMs, since } = newestWork(spans);
  const late = entries.filter(({ ts }) => ts > since);
  const priced = late.flatMap(({ spentUsd }) => (spentUsd === null ? [] : [spentUsd]));
  if (workMs < LEAST_MS || priced.length === 0) return undefined;
  const usd = priced.reduce((sum, one) => sum + one, 0);
  return { usdPerHour: (usd / workMs) * 3_600_000, workMs, isAtLeast: priced.length < late.length };
}

function newestWork(spans: readonly WorkSpan[]): { readonly workMs: number; readonly since: number } {
  let workMs = 0;
  let since = Number.POSITIVE_INFINITY;
  for (const { from, to } of spans.toReversed()) {
    const taken = Math.min(to - from, MOST_MS - workMs);
    workMs += taken;
    since = to - taken;
    if (workMs >= MOST_MS) break;
  }
  return { workMs, since };
}
