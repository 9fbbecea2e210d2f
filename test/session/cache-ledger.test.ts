/** The cache ledger: given events, then what should have come from the cache, what did not, and at what price. */
import { describe, expect, test } from "bun:test";
import { cacheLedger } from "../../src/session/index.ts";
import { fold, type ModelUsage } from "../../src/shared/index.ts";
import { FIRST, type Inputs, last, ledger, log, POOR, price, replied, usage } from "./ledger-words.ts";
import { asked, begun, compacted, ended, failed, said } from "./log-words.ts";

describe("what should come from the cache", () => {
  const expectation = (...inputs: Inputs) => {
    const { expected, missed, reason } = last(...inputs) ?? {};
    return [expected, missed, reason];
  };

  test("is all that the request before had sent, but no more than is sent now", () => {
    const first: Inputs = [said("go"), replied("r1", usage(2_000, 7_000, 1_000))];
    expect(expectation(...first)).toEqual([0, 0, "first"]);
    expect(expectation(...first, replied("r2", usage(9_488, 9_000)))).toEqual([10_000, 512, undefined]);
    expect(expectation(...first, replied("r2", usage(9_487, 9_000)))).toEqual([10_000, 513, "unknown"]);
    expect(expectation(...first, compacted(2), replied("r2", usage(1_000, 2_000)))).toEqual([
      10_000,
      2_000,
      "compacted",
    ]);
  });

  test("is nothing of a prompt that is too short to be kept, and all of a long one that was not kept", () => {
    expect(expectation(said("go"), replied("r1", usage(0, 0, 4_096)), replied("r2", usage(0, 0, 4_200)))).toEqual([
      0,
      0,
      undefined,
    ]);
    expect(expectation(said("go"), replied("r1", usage(0, 0, 4_097)), replied("r2", usage(0, 0, 4_200)))).toEqual([
      4_097,
      4_097,
      "unknown",
    ]);
  });

  test("is too little to speak of a hit when it is nothing", () => {
    const { totals } = ledger(said("go"), replied("r1", usage(0, 0, 100)), replied("r2", usage(0, 0, 200)));
    expect([totals.hits, totals.misses.count, totals.conversation.requests]).toEqual([0, 0, 2]);
  });

  test("is told by a failed attempt only when it reported usage", () => {
    const cut = (used?: ModelUsage) => [asked("f"), failed("f", used && { usage: used })];
    expect(expectation(...FIRST, cut(), replied("r2", usage(10_000, 5_000)))).toEqual([10_000, 0, undefined]);
    expect(expectation(...FIRST, cut(usage(10_000, 5_000)), replied("r2", usage(10_000, 6_000)))).toEqual([
      15_000,
      5_000,
      "unknown",
    ]);
    expect(expectation(...FIRST, cut({ ...usage(0, 0), outputTokens: 0 }), replied("r2", usage(10_000, 1)))).toEqual([
      10_000,
      0,
      undefined,
    ]);
    const { entries } = ledger(...FIRST, cut(), cut(usage(10_000, 5_000)));
    expect(entries.map(({ requestId, failed: hasFailed }) => [requestId, hasFailed])).toEqual([
      ["r1", undefined],
      ["f", true],
    ]);
  });

  test("is nothing outside the conversation, and nothing of what was sent there", () => {
    const aside = replied("c", usage(0, 50_000), {}, { purpose: "compaction" });
    expect(expectation(...FIRST, aside)).toEqual([0, 0, undefined]);
    expect(expectation(...FIRST, aside, replied("r2", usage(10_000, 1)))).toEqual([10_000, 0, undefined]);
    expect(expectation(...FIRST, aside, replied("n", usage(1, 9_999), {}, { purpose: "verification-nudge" }))).toEqual([
      10_000,
      9_999,
      "unknown",
    ]);
  });
});

describe("a miss costs what it cost more than a hit", () => {
  const cost = (used: ModelUsage, model?: string) =>
    last(...FIRST, replied("r2", used, model === undefined ? {} : { resolvedModel: model }))?.costUsd;

  test("as it was billed: written, or sent beside the cache", () => {
    expect(cost(usage(1_000, 11_000))).toBe(9_000 * 10 - 9_000);
    expect(cost(usage(1_000, 3_000, 8_000))).toBe(3_000 * 10 + 6_000 * 8 - 9_000);
    expect(cost(usage(10_000, 2_000))).toBeUndefined();
    expect(cost(usage(1_000, 11_000), "priceless")).toBeNull();
  });

  test("and what was written for an hour comes first", () => {
    const prices: ModelUsage[] = [];
    const spy = (_model: string, used: ModelUsage) => prices.push(used);
    const used = { ...usage(1_000, 11_000), cacheWrite1h: 2_000, cacheWrite5m: 9_000 };
    fold(cacheLedger(spy), log(...FIRST, replied("r2", used)));
    expect(prices.at(-1)).toEqual({ ...usage(10_000, 2_000), cacheWrite1h: 0, cacheWrite5m: 2_000 });
  });
});

test("an entry says where it stands, and sums are of all entries", () => {
  const state = ledger(
    ...FIRST,
    replied("c", usage(0, 100), {}, { purpose: "compaction", model: "priceless" }),
    compacted(2, { tokensBefore: 9_000, tokensAfterEstimate: 1_000 }),
    replied("r2", usage(1_000, 3_000), { resolvedModel: "model-a-2026", cacheMissReason: "messages_changed" }),
    replied("r3", usage(4_000, 100)),
  );
  expect(state.entries[2]).toEqual({
    requestId: "r2",
    startSeq: 8,
    endSeq: 9,
    startedTs: 1007,
    ts: 1008,
    purpose: "main",
    model: "model-a-2026",
    usage: usage(1_000, 3_000),
    spentUsd: 31_040,
    expected: 10_000,
    missed: 3_000,
    reason: "compacted",
    cause: 7,
    costUsd: 27_000,
    breaks: [{ seq: 7, kind: "compacted", tokens: 8_000 }],
    cacheMissReason: "messages_changed",
  });
  const miss = { count: 1, costUsd: 27_000, unpriced: 0, tokens: 3_000 };
  expect(state.totals).toEqual({
    requests: 4,
    conversation: { requests: 3, sentTokens: 18_100, readTokens: 5_000 },
    hitShare: 5_000 / 18_100,
    hits: 1,
    misses: miss,
    missesByReason: { compacted: miss },
    byPurpose: {
      main: { count: 3, costUsd: 100_040 + 31_040 + 5_040, unpriced: 0 },
      compaction: { count: 1, costUsd: 0, unpriced: 1 },
    },
    firstTs: 1002,
    lastTs: 1010,
  });
});

test("an end without its beginning, or a second end, makes no entry; any word may be a purpose", () => {
  const stranger = replied("x", POOR).slice(1);
  const { entries, totals } = ledger(...FIRST, stranger, [replied("r1", POOR)[1] ?? begun]);
  expect(entries.map(({ requestId }) => requestId)).toEqual(["r1"]);
  expect(totals.requests).toBe(1);
  const later = ledger(replied("r", POOR, {}, { purpose: "__proto__" as "main" })).totals;
  expect(Object.entries(later.byPurpose)).toEqual([["__proto__", { count: 1, costUsd: 111_040, unpriced: 0 }]]);
});

test("the newest entries are kept, the sums are of all", () => {
  const many = Array.from({ length: 95 }, (_, at) => replied(`r${at}`, usage(10, 1)));
  const { entries, totals } = fold(cacheLedger(price, 20), log(...many));
  expect(entries.length).toBeGreaterThanOrEqual(20);
  expect(entries.length).toBeLessThanOrEqual(22);
  expect(entries.at(-1)?.requestId).toBe("r94");
  expect(entries.at(0)?.requestId).toBe(`r${95 - entries.length}`);
  expect(totals.requests).toBe(95);
});

test("of requests that never ended the newest few are kept, and what the others would have named is not lost", () => {
  const dead = (purpose: "main" | "compaction") =>
    Array.from({ length: 5_000 }, (_, at) => asked(`d${at}`, { purpose }));
  for (const purpose of ["main", "compaction"] as const) {
    const before: Inputs = [...FIRST, compacted(2), asked("d"), dead(purpose)];
    expect(ledger(...before).open.length).toBeLessThanOrEqual(8);
    expect(ledger(...before, replied("r2", POOR)).entries.at(-1)).toMatchObject({
      reason: "compacted",
      cause: 5,
      breaks: [{ seq: 5, kind: "compacted" }],
    });
    expect(ledger(...before, ended("d4999")).entries.map(({ requestId }) => requestId)).toEqual(["r1", "d4999"]);
  }
});
