/**
 * The cache ledger over whole sessions by chance: every break of the conversation is named once, by the request that follows it,
 * nothing is said to be missed that was not there to be read, and sums are what they say. The property takes the ledger, so that
 * wrong ones can be caught.
 */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { cacheLedger, conversation, type LedgerEntry, usageTotals } from "../../src/session/index.ts";
import type { LedgerFold } from "../../src/session/projections/cache-ledger.ts";
import { countBlocks } from "../../src/session/projections/conversation-state.ts";
import { type DurableEvent, fold, type LogEvent, type ModelUsage, type Projection } from "../../src/shared/index.ts";
import { anyPlot, type Plot, tellStory } from "../support/session-events.ts";
import { createDice } from "../support/story/dice.ts";
import { freeze } from "../support/story/memory-session.ts";

type Ledger = Projection<LedgerFold>;

/** Whole numbers, so that sums are exact in any order. Some models have none. */
const price = (model: string, used: ModelUsage) =>
  model.includes("haiku")
    ? null
    : used.inputTokens * 8 + used.outputTokens * 40 + used.cacheReadTokens + used.cacheWriteTokens * 10;

async function violations(plot: Plot, ledger: Ledger = cacheLedger(price)): Promise<readonly string[]> {
  const events = withUsage((await tellStory(plot)).events, plot.seed);
  const state = fold(ledger, events);
  return [
    ...liveProblems(events, ledger, state),
    ...breakProblems(events, state),
    ...state.entries.flatMap(entryProblems),
    ...sumProblems(events, state),
  ];
}

/** The story's model reports the same for every answer: here it reads much, little or nothing, and cut streams report too. */
function withUsage(events: readonly LogEvent[], seed: number): readonly LogEvent[] {
  const dice = createDice(seed);
  const drawn = (): ModelUsage => ({
    inputTokens: dice.pick([0, 3, 5_000]),
    outputTokens: dice.below(100),
    cacheReadTokens: dice.pick([0, 700, 8_000, 20_000]),
    cacheWriteTokens: dice.pick([0, 400, 9_000]),
  });
  return events.map((event) => {
    if ("opaque" in event) return event;
    if (event.type === "model.response-completed") return { ...event, payload: { ...event.payload, usage: drawn() } };
    if (event.type !== "model.request-failed" || dice.chance(0.5)) return event;
    return { ...event, payload: { ...event.payload, usage: drawn() } };
  });
}

/** What has been shown of an entry or of the sums stays as it is, and a replay ends where the session stood. */
function liveProblems(events: readonly LogEvent[], ledger: Ledger, replayed: LedgerFold): readonly string[] {
  let state = ledger.initial();
  for (const event of events) {
    freeze(event);
    state = ledger.apply(state, event);
    for (const shown of [state.totals, state.unnamed, state.entries.at(-1)]) freeze(shown);
  }
  return Bun.deepEquals(state, replayed) ? [] : ["a replay ends elsewhere"];
}

interface Due {
  readonly seq: number;
  readonly kind: string;
}

function breaksIn(events: readonly LogEvent[]): readonly Due[] {
  let state = conversation.initial();
  const due: Due[] = [];
  for (const event of events) {
    const [breaks, blocks] = [state.breaks, countBlocks(state.messages)];
    state = conversation.apply(state, event);
    if (state.breaks > breaks) due.push({ seq: event.seq, kind: kindOf(event) });
    else if (countBlocks(state.messages) < blocks) due.push({ seq: event.seq, kind: "taken-back" });
  }
  return due;
}

function kindOf(event: LogEvent): string {
  if ("opaque" in event) return "unknown";
  if (event.type === "session.model-changed") return event.payload.from === event.payload.to ? "effort" : "model";
  return event.type === "session.resumed" ? "epoch" : event.type.slice("context.".length);
}

const isOfConversation = ({ purpose }: { readonly purpose: string }): boolean => purpose !== "compaction";

/** Also that no request differs from what was sent before without one. */
function breakProblems(events: readonly LogEvent[], { entries, unnamed, open }: LedgerFold): readonly string[] {
  const text = ({ seq, kind }: Due) => `${seq} ${kind}`;
  const due = breaksIn(events);
  const waiting = [...open.flatMap(({ breaks }) => breaks), ...unnamed];
  const named = [...entries.flatMap(({ breaks }) => breaks), ...waiting].map(text);
  const talks = entries.filter(isOfConversation);
  const places = talks.flatMap((entry, at) => {
    const from = talks[at - 1]?.startSeq ?? 0;
    const mine = due.filter(({ seq }) => seq > from && seq < entry.startSeq).map(text);
    const told = entry.breaks.map(text);
    return mine.join() === told.join() ? [] : [`seq ${entry.startSeq} names [${told}], due are [${mine}]`];
  });
  const all = due.map(text);
  return [...(named.join() === all.join() ? [] : [`named are [${named}], due are [${all}]`]), ...places];
}

function entryProblems(entry: LedgerEntry): readonly string[] {
  const { usage, expected, missed, reason, cause, costUsd, spentUsd, endSeq } = entry;
  const sent = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const due = isOfConversation(entry) ? Math.max(0, Math.min(expected, sent) - usage.cacheReadTokens) : 0;
  const isMiss = reason !== undefined && reason !== "first";
  const written = Math.min(missed, usage.cacheWriteTokens);
  const more = spentUsd === null ? null : written * 9 + (missed - written) * 7;
  const isCause = cause === undefined || (cause >= 1 && cause <= endSeq);
  return [
    ...(missed === due && missed <= expected ? [] : [`missed are ${missed} of ${expected}, due are ${due}`]),
    ...(isMiss === missed > 512 ? [] : [`${missed} missed, and the reason is ${reason}`]),
    ...(costUsd === (isMiss ? more : undefined) ? [] : [`a miss costs ${costUsd}, due is ${more}`]),
    ...(isCause && (isMiss || cause === undefined) ? [] : [`the cause is ${cause}`]),
  ].map((what) => `seq ${endSeq}: ${what}`);
}

function sumProblems(events: readonly LogEvent[], { entries, totals }: LedgerFold): readonly string[] {
  const bill = (some: readonly LedgerEntry[], usd: (entry: LedgerEntry) => number | null | undefined) => ({
    count: some.length,
    costUsd: some.reduce((sum, entry) => sum + (usd(entry) ?? 0), 0),
    unpriced: some.filter((entry) => usd(entry) === null).length,
  });
  const misses = (some: readonly LedgerEntry[]) => ({
    ...bill(some, ({ costUsd }) => costUsd),
    tokens: some.reduce((sum, { missed }) => sum + missed, 0),
  });
  const talks = entries.filter(isOfConversation);
  const missed = talks.filter(({ reason }) => reason !== undefined && reason !== "first");
  const read = talks.reduce((sum, { usage }) => sum + usage.cacheReadTokens, 0);
  const sent = read + talks.reduce((sum, { usage }) => sum + usage.inputTokens + usage.cacheWriteTokens, 0);
  const groups = <K extends string>(some: readonly LedgerEntry[], key: (entry: LedgerEntry) => K | undefined) =>
    [...new Set(some.map(key))].map((name) => [name, some.filter((entry) => key(entry) === name)] as const);
  const due = {
    requests: entries.length,
    conversation: { requests: talks.length, sentTokens: sent, readTokens: read },
    hitShare: sent > 0 ? read / sent : null,
    hits: talks.filter(({ reason, expected }) => reason === undefined && expected > 512).length,
    misses: misses(missed),
    missesByReason: Object.fromEntries(
      groups(missed, ({ reason }) => reason).map(([name, some]) => [name, misses(some)]),
    ),
    byPurpose: Object.fromEntries(
      groups(entries, ({ purpose }) => purpose).map(([name, some]) => [name, bill(some, ({ spentUsd }) => spentUsd)]),
    ),
    firstTs: entries.length === 0 ? undefined : Math.min(...entries.map(({ startedTs }) => startedTs)),
    lastTs: entries.length === 0 ? undefined : Math.max(...entries.map(({ ts }) => ts)),
  };
  const spent = fold(usageTotals(price), events).spentUsd;
  const told = Object.values(totals.byPurpose).reduce((sum, { costUsd }) => sum + costUsd, 0);
  return [
    ...(Bun.deepEquals(totals, due) ? [] : [`sums are ${JSON.stringify(totals)}, due are ${JSON.stringify(due)}`]),
    ...(told === spent ? [] : [`the account has ${spent}, the ledger ${told}`]),
  ];
}

test("every break is named once, every miss is one, and sums are what they say", () =>
  fc.assert(
    fc.asyncProperty(anyPlot(), async (plot) => {
      expect(await violations(plot)).toEqual([]);
    }),
    { numRuns: 60, seed: 3 },
  ));

test("the newest entries of a bounded ledger are those of an unbounded one, and the sums are the same", async () => {
  const events = withUsage((await tellStory({ seed: 11, steps: 12 })).events, 1);
  const [whole, bounded] = [fold(cacheLedger(price), events), fold(cacheLedger(price, 5), events)];
  expect(whole.entries.length).toBeGreaterThan(10);
  expect(bounded.entries).toEqual(whole.entries.slice(-bounded.entries.length));
  expect([bounded.totals, bounded.entries.length]).toEqual([whole.totals, 5]);
});

const real = cacheLedger(price);
const wrongly = (apply: (state: LedgerFold, event: DurableEvent) => LedgerFold): Ledger => ({
  ...real,
  apply: (state, event) => ("opaque" in event ? state : apply(state, event)),
});
const spoilt = (spoil: (entry: LedgerEntry) => LedgerEntry): Ledger =>
  wrongly((state, event) => {
    const after = real.apply(state, event);
    const [entry, last] = [after.entries.at(-1), state.entries.length];
    if (!entry || after.totals === state.totals || last === 0) return after;
    return { ...after, entries: after.entries.with(-1, spoil(entry)) };
  });

describe("a ledger is caught that", () => {
  test.each<[string, Ledger]>([
    [
      "does not look at prunes",
      wrongly((state, event) => (event.type === "context.pruned" ? state : real.apply(state, event))),
    ],
    [
      "forgets what a failed attempt would have named",
      wrongly((state, event) => {
        const after = real.apply(state, event);
        return event.type === "model.request-failed" ? { ...after, unnamed: state.unnamed } : after;
      }),
    ],
    [
      "names a break at every request behind it",
      wrongly((state, event) => {
        const after = real.apply(state, event);
        return event.type === "model.request-started" ? { ...after, unnamed: state.unnamed } : after;
      }),
    ],
    [
      "lets a refusal take a turn back in which a tool has acted",
      wrongly((state, event) => real.apply({ ...state, breaks: { ...state.breaks, isBare: true } }, event)),
    ],
    [
      "takes every resume for a new epoch",
      wrongly((state, event) =>
        real.apply(
          event.type === "session.resumed" ? { ...state, breaks: { ...state.breaks, names: {} } } : state,
          event,
        ),
      ),
    ],
    [
      "counts as missed what was not sent at all",
      spoilt((entry) => ({ ...entry, missed: Math.max(0, entry.expected - entry.usage.cacheReadTokens) })),
    ],
    [
      "expects of a compaction what the conversation had sent",
      spoilt((entry) => (isOfConversation(entry) ? entry : { ...entry, missed: 1, expected: 1 })),
    ],
    [
      "leaves cut streams out of the sums",
      wrongly((state, event) => {
        const after = real.apply(state, event);
        return event.type === "model.request-failed" ? { ...after, totals: state.totals } : after;
      }),
    ],
    [
      "changes what it has shown",
      wrongly((state, event) => {
        const shown = state.entries.at(-1);
        if (shown && event.type === "context.compacted") Object.assign(shown, { ts: 0 });
        return real.apply(state, event);
      }),
    ],
  ])("%s", async (_what, ledger) => {
    const found = await firstViolation(ledger);
    expect(found).not.toBe("none");
  });
});

/** Over the stories of a few seeds. A ledger that throws where it may not write is caught, too. */
async function firstViolation(ledger: Ledger): Promise<string> {
  for (let seed = 1; seed <= 40; seed++) {
    try {
      const [found] = await violations({ seed, steps: 12 }, ledger);
      if (found !== undefined) return found;
    } catch (error) {
      if (error instanceof TypeError) return error.message;
      throw error;
    }
  }
  return "none";
}
