/**
 * Cache health: for each request that ended, how much of what had been sent before came from the cache, and where it did not,
 * why, because of which event, and at what price. Every break is named at the first entry of the conversation behind it.
 */
import { type DurableEvent, type LogEvent, type ModelUsage, type Projection, projection } from "../../shared/index.ts";
import type { CacheLedger, LedgerEntry, NamedBreak } from "../ledger-types.ts";
import { countsFor } from "../settlement.ts";
import { asIfRead, cacheableTokens, causeOf, MISS_TOLERANCE, type SentRequest, sentTokens } from "./cache-miss.ts";
import { addEntry, noTotals } from "./ledger-totals.ts";
import { MAX_OPEN } from "./open-requests.ts";
import { type BreakFold, isTurnsBegin, prefixBreaks } from "./prefix-breaks.ts";
import type { Price } from "./usage-totals.ts";

interface OpenRequest extends Omit<SentRequest, "tokens"> {
  readonly requestId: string;
  readonly purpose: string;
  readonly before: SentRequest | undefined;
  readonly breaks: readonly NamedBreak[];
  readonly imagesSeq: number | undefined;
}

/** The fold's own state; readers see it as CacheLedger. */
export interface LedgerFold extends CacheLedger {
  readonly entries: LedgerEntry[];
  readonly breaks: BreakFold;
  /** How many of `unnamed` came after the newest request of the conversation had gone out. */
  readonly fresh: number;
  /** Requests that have not ended, the newest few. */
  readonly open: readonly OpenRequest[];
  /** The conversation's newest that reported usage; and what that was when the turn began. */
  readonly sent: SentRequest | undefined;
  readonly sentBeforeTurn: SentRequest | undefined;
  /** Of the conversation's newest request, whatever became of it. */
  readonly requestSha256: string | undefined;
}

const KEPT_ENTRIES = 5_000;

const noLedger = (): LedgerFold => ({
  entries: [],
  totals: noTotals(),
  unnamed: [],
  breaks: prefixBreaks.initial(),
  fresh: 0,
  open: [],
  sent: undefined,
  sentBeforeTurn: undefined,
  requestSha256: undefined,
});

/** `kept`: how many entries are kept at least. */
export function cacheLedger(price: Price, kept = KEPT_ENTRIES): Projection<LedgerFold> {
  const named = projection<LedgerFold>("cache-ledger", noLedger, {
    "model.request-started": started,
    "model.response-completed": (state, { payload, seq, ts }) => ended(state, { ...payload, seq, ts }, { price, kept }),
    "model.request-failed": (state, { payload, seq, ts }) => {
      const { requestId, usage } = payload;
      if (usage) return ended(state, { requestId, usage, seq, ts, failed: true }, { price, kept });
      const request = openNamed(state, requestId);
      return request ? abandoned(without(state, request), request) : state;
    },
  });
  return { ...named, apply: (state, event) => withBreaks(named.apply(state, event), event) };
}

/** A break counts behind what the event itself ends. */
function withBreaks(state: LedgerFold, event: LogEvent): LedgerFold {
  const breaks = prefixBreaks.apply(state.breaks, event);
  if (breaks === state.breaks) return state;
  const begun = isTurnsBegin(state.breaks, event) ? { ...state, sentBeforeTurn: state.sent } : state;
  const { latest } = breaks;
  if (!latest || latest === state.breaks.latest) return { ...begun, breaks };
  const sent = latest.kind === "taken-back" ? takenBack(begun) : begun.sent;
  return { ...begun, breaks, sent, unnamed: [...begun.unnamed, latest], fresh: begun.fresh + 1 };
}

/** What is left was sent before the turn; that the turn's requests read it again keeps it in the cache. */
function takenBack({ sent, sentBeforeTurn }: LedgerFold): SentRequest | undefined {
  if (!sentBeforeTurn || !sent) return undefined;
  return { ...sent, tokens: Math.min(sent.tokens, sentBeforeTurn.tokens) };
}

function started(state: LedgerFold, { payload, seq, ts }: DurableEvent<"model.request-started">): LedgerFold {
  const { requestId, purpose, model, prefixSha256, requestSha256 } = payload;
  const { imagesSeq } = state.breaks;
  const begun = { requestId, purpose, model, startSeq: seq, startedTs: ts, imagesSeq };
  if (!countsFor(purpose)) return opened(state, { ...begun, before: undefined, breaks: [] });
  const { requestSha256: last, sent: before, unnamed } = state;
  const isOther = prefixSha256 !== undefined && last !== undefined && prefixSha256 !== last;
  const broken: readonly NamedBreak[] = isOther && state.fresh === 0 ? [{ seq, kind: "prefix" }] : [];
  // There is one at a time: an earlier one that has not ended is dead.
  const dead = state.open.flatMap(({ breaks }) => breaks);
  const open = state.open.map((request) => ({ ...request, breaks: [] }));
  const request = { ...begun, before, breaks: [...dead, ...unnamed, ...broken] };
  return opened({ ...state, open, unnamed: [], fresh: 0, requestSha256 }, request);
}

function opened(state: LedgerFold, request: OpenRequest): LedgerFold {
  const [oldest, ...newer] = state.open;
  if (!oldest || state.open.length < MAX_OPEN) return { ...state, open: [...state.open, request] };
  return abandoned({ ...state, open: [...newer, request] }, oldest);
}

/** It tells nothing: what it would have named is for the next one to name. */
const abandoned = (state: LedgerFold, { breaks }: OpenRequest): LedgerFold =>
  breaks.length === 0 ? state : { ...state, unnamed: [...breaks, ...state.unnamed] };

interface Ending {
  readonly requestId: string;
  readonly usage: ModelUsage;
  readonly seq: number;
  readonly ts: number;
  readonly failed?: true;
  readonly resolvedModel?: string;
  readonly cacheMissReason?: string;
}

/** An end whose beginning is not in the log tells nothing of what was sent, and makes no entry. */
function ended(
  state: LedgerFold,
  ending: Ending,
  { price, kept }: { readonly price: Price; readonly kept: number },
): LedgerFold {
  const request = openNamed(state, ending.requestId);
  if (!request) return state;
  const entry = entryOf(request, ending, price);
  const { entries } = state;
  entries.push(entry);
  const tokens = cacheableTokens(entry.usage);
  const { startSeq, startedTs, model } = request;
  const isSent = countsFor(request.purpose) && sentTokens(entry.usage) > 0;
  return {
    ...without(state, request),
    entries: entries.length > kept * 1.1 ? entries.slice(-kept) : entries,
    totals: addEntry(state.totals, entry, countsFor(request.purpose)),
    sent: isSent ? { startSeq, startedTs, model, tokens } : state.sent,
  };
}

function entryOf(request: OpenRequest, ending: Ending, price: Price): LedgerEntry {
  const { requestId, startSeq, startedTs, purpose, model: asked, before, breaks, imagesSeq } = request;
  const { usage, seq: endSeq, ts, failed, resolvedModel, cacheMissReason } = ending;
  const model = resolvedModel ?? asked;
  const expected = before?.tokens ?? 0;
  const missed = Math.max(0, Math.min(expected, sentTokens(usage)) - Math.max(0, usage.cacheReadTokens));
  const spentUsd = price(model, usage, asked);
  const miss = (): Pick<LedgerEntry, "reason" | "cause" | "costUsd"> => {
    if (!countsFor(purpose)) return {};
    if (!before) return { reason: "first" };
    if (missed <= MISS_TOLERANCE) return {};
    const ideal = price(model, asIfRead(usage, missed), asked);
    const costUsd = spentUsd === null || ideal === null ? null : spentUsd - ideal;
    return { ...causeOf({ before, request, endSeq, breaks, imagesSeq, cacheMissReason }), costUsd };
  };
  return {
    requestId,
    startSeq,
    endSeq,
    startedTs,
    ts,
    purpose,
    model,
    usage,
    ...(failed && { failed }),
    spentUsd,
    expected,
    missed,
    ...miss(),
    breaks,
    ...(cacheMissReason !== undefined && { cacheMissReason }),
  };
}

const openNamed = ({ open }: LedgerFold, requestId: string): OpenRequest | undefined =>
  open.find((request) => request.requestId === requestId);

const without = (state: LedgerFold, request: OpenRequest): LedgerFold => ({
  ...state,
  open: state.open.filter((one) => one !== request),
});
