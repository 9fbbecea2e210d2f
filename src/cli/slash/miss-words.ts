/** What the cache ledger says, in words: why a request read anew, and what that cost. */
import type { Bill, BreakKind, LedgerEntry, MissReason, NamedBreak } from "../../session/index.ts";
import { moneyText } from "../words.ts";

const WORDS: Readonly<Record<BreakKind | MissReason, string>> = {
  model: "another model",
  effort: "another effort",
  thinking: "thinking switched",
  epoch: "new instructions or tools",
  compacted: "summed up",
  pruned: "old results taken out",
  "taken-back": "a refused turn taken out",
  prefix: "sent bytes not repeated: a bug",
  images: "an image added",
  expired: "a pause: the cache forgot",
  server: "the API says so",
  unknown: "not known",
};

export const missWords = (reason: MissReason): string => WORDS[reason];

export const breakWords = ({ kind, seq }: NamedBreak): string => `${WORDS[kind]} (@${seq})`;

export interface Miss extends LedgerEntry {
  readonly reason: MissReason;
}

/** The first request of a session misses nothing. */
export const isMiss = (entry: LedgerEntry): entry is Miss => entry.reason !== undefined && entry.reason !== "first";

/** Nothing is said of what has no price but that. */
export function billText({ costUsd, unpriced }: Omit<Bill, "count">): string {
  if (unpriced === 0) return moneyText(costUsd);
  return costUsd > 0 ? `at least ${moneyText(costUsd)}` : "price unknown";
}

export const usdText = (usd: number | null | undefined): string =>
  usd === null || usd === undefined ? "price unknown" : moneyText(usd);

export const shareText = (share: number): string => `${(share * 100).toFixed(1)}%`;
