/** `/cost cache`: how much came from the cache, and every time it did not: why, because of which event, and at what price. */
import type { CacheLedger, LedgerTotals, MissBill, MissReason } from "../../session/index.ts";
import { counted, tokensText } from "../words.ts";
import { markdownTable } from "./markdown-table.ts";
import { billText, breakWords, isMiss, type Miss, missWords, shareText, usdText } from "./miss-words.ts";

const SHOWN = 20;

export function cacheReport({ totals, entries, unnamed }: CacheLedger): string {
  if (totals.hitShare === null) return "No answer has told yet what came from the cache.";
  const { hits, misses, conversation } = totals;
  const held = `${hits} read all that had been sent before, ${misses.count} did not`;
  const parts = [
    `**${shareText(totals.hitShare)}** of what the conversation sent came from the cache: of ${counted(conversation.requests, "request")} ${held}.`,
    ...(misses.count > 0 ? [`That cost ${billText(misses)} more: ${tokensText(misses.tokens)} tokens anew.`] : []),
    ...(unnamed.length > 0 ? [`The next request reads anew: ${unnamed.map(breakWords).join(", ")}.`] : []),
    ...advice(totals),
  ];
  const newest = entries.filter(isMiss).slice(-SHOWN).reverse();
  return [parts.join("\n"), ...reasons(totals), ...listed(newest, misses.count)].join("\n\n");
}

const REASONS: readonly MissReason[] = [
  ...(["compacted", "pruned", "model", "effort", "thinking", "epoch", "taken-back"] as const),
  ...(["images", "expired", "prefix", "server", "unknown"] as const),
];

function reasons({ missesByReason }: LedgerTotals): readonly string[] {
  const found = REASONS.flatMap((reason) => {
    const bill = missesByReason[reason];
    return bill ? [[reason, bill] as const] : [];
  });
  if (found.length === 0) return [];
  const rows = found.map(([reason, bill]) => [missWords(reason), bill.count, tokensText(bill.tokens), billText(bill)]);
  return [markdownTable(["why", "times:", "anew:", "cost more:"], rows)];
}

function listed(newest: readonly Miss[], all: number): readonly string[] {
  if (newest.length === 0) return [];
  const rows = newest.map((miss) => [
    `@${miss.startSeq}`,
    `${missWords(miss.reason)}${saidByServer(miss)}`,
    miss.cause === undefined ? "" : `@${miss.cause}`,
    tokensText(miss.missed),
    usdText(miss.costUsd),
  ]);
  const title = all > newest.length ? `The newest ${newest.length} of ${all}:` : "Each of them, the newest first:";
  return [title, markdownTable(["request", "what happened", "by", "anew:", "cost more:"], rows)];
}

const saidByServer = ({ reason, cacheMissReason }: Miss): string =>
  reason === "server" && cacheMissReason !== undefined ? ` (${cacheMissReason})` : "";

/** Only what these very misses show. */
function advice({ missesByReason }: LedgerTotals): readonly string[] {
  const { expired, model, effort, prefix } = missesByReason;
  const [pauses, switches] = [often(expired), often(joined(model, effort))];
  return [
    ...(pauses
      ? [
          `After more than five minutes without a request the cache forgets; ${counted(pauses.count, "pause")} cost ${billText(pauses)}. Before a long one, /compact makes less to read again.`,
        ]
      : []),
    ...(switches
      ? [
          `Each switch of model or effort reads everything anew; ${counted(switches.count, "switch", "switches")} cost ${billText(switches)}.`,
        ]
      : []),
    ...(prefix
      ? ["A request that does not repeat what was sent is a fault of khaelor's: /feedback says how to report it."]
      : []),
  ];
}

/** Once is no habit. */
const often = (bill: MissBill | undefined): MissBill | undefined => (bill && bill.count > 1 ? bill : undefined);

function joined(a: MissBill | undefined, b: MissBill | undefined): MissBill | undefined {
  if (!a || !b) return a ?? b;
  return {
    count: a.count + b.count,
    tokens: a.tokens + b.tokens,
    costUsd: a.costUsd + b.costUsd,
    unpriced: a.unpriced + b.unpriced,
  };
}
