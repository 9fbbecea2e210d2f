/** The JSON of `khaelor fold usage|changes|context`: its field names are a contract, so whole objects are compared. */
import { expect, test } from "bun:test";
import type { ModelFacts } from "../../src/anthropic/index.ts";
import { modelFacts } from "../../src/anthropic/index.ts";
import { FOLD_VIEWS } from "../../src/cli/fold-views.ts";
import type { LogEvent, ModelUsage } from "../../src/shared/index.ts";
import { replied, usage } from "../session/ledger-words.ts";
import { asked, begun, called, compacted, done, event, failed, given, pruned, said } from "../session/log-words.ts";

const price = (model: string, { cacheReadTokens, cacheWriteTokens }: ModelUsage) =>
  model === "priceless" ? null : cacheReadTokens + cacheWriteTokens * 10;
const facts = (model: string): ModelFacts | undefined =>
  model === "model-a" ? modelFacts("claude-opus-5-5") : undefined;

function shown(name: string, events: readonly LogEvent[]): unknown {
  const view = FOLD_VIEWS[name]?.({ price, facts });
  for (const one of events) view?.apply(one);
  return JSON.parse(JSON.stringify(view?.shown()));
}

test("usage: the account, the cache, and an entry for each request", () => {
  const events = given(
    begun,
    said("go"), // 2
    replied("r1", usage(0, 10_000)),
    compacted(2, { tokensBefore: 9_000, tokensAfterEstimate: 1_000 }), // 5
    replied("r2", usage(1_000, 2_000), { cacheMissReason: "messages_changed", resolvedModel: "priceless" }),
    [asked("f"), failed("f", { usage: usage(3_000, 0) })], // 8-9
    pruned("-", "t"), // 10
  );
  const entry = {
    purpose: "main",
    failed: false,
    missed_tokens: 0,
    reason: null,
    cause_seq: null,
    miss_cost_usd: null,
    breaks: [],
    server_reason: null,
  };
  const used = (cache_read: number, cache_write: number) => ({ input: 0, output: 1, cache_read, cache_write });
  const miss = { count: 1, tokens: 2_000, cost_usd: 0, unpriced: 1 };
  expect(shown("usage", events)).toEqual({
    seq: 10,
    requests: 3,
    responses: 2,
    usage: { input: 0, output: 2, cache_read: 1_000, cache_write: 12_000 },
    cut_usage: used(3_000, 0),
    models: {
      "model-a": { responses: 1, usage: used(0, 10_000) },
      priceless: { responses: 1, usage: used(1_000, 2_000) },
    },
    total_cost_usd: null,
    spent_usd: 103_000,
    unpriced: 1,
    turn_usd: 103_000,
    recent: [{ from_ts: 0, usd: 103_000 }],
    cache: {
      requests: 3,
      sent_tokens: 16_000,
      read_tokens: 4_000,
      hit_share: 0.25,
      hits: 1,
      misses: miss,
      misses_by_reason: { compacted: miss },
      by_purpose: { main: { count: 3, cost_usd: 103_000, unpriced: 1 } },
      first_ts: 1002,
      last_ts: 1008,
    },
    entries: [
      {
        ...entry,
        request_id: "r1",
        start_seq: 3,
        end_seq: 4,
        started_ts: 1002,
        ts: 1003,
        model: "model-a",
        usage: used(0, 10_000),
        spent_usd: 100_000,
        expected_tokens: 0,
        reason: "first",
      },
      {
        ...entry,
        request_id: "r2",
        start_seq: 6,
        end_seq: 7,
        started_ts: 1005,
        ts: 1006,
        model: "priceless",
        usage: used(1_000, 2_000),
        spent_usd: null,
        expected_tokens: 10_000,
        missed_tokens: 2_000,
        reason: "compacted",
        cause_seq: 5,
        breaks: [{ seq: 5, kind: "compacted", tokens: 8_000 }],
        server_reason: "messages_changed",
      },
      {
        ...entry,
        request_id: "f",
        start_seq: 8,
        end_seq: 9,
        started_ts: 1007,
        ts: 1008,
        model: "model-a",
        usage: used(3_000, 0),
        failed: true,
        spent_usd: 3_000,
        expected_tokens: 3_000,
      },
    ],
    entries_left_out: 0,
    unnamed_breaks: [{ seq: 10, kind: "pruned", tokens: 1 }],
  });
});

test("usage: the newest 5,000 entries", () => {
  const many = Array.from({ length: 5_200 }, (_, at) => replied(`r${at}`, usage(10, 1)));
  const { entries, entries_left_out, cache } = shown("usage", given(begun, ...many)) as {
    entries: { request_id: string }[];
    entries_left_out: number;
    cache: { requests: number };
  };
  expect([entries.length, entries[0]?.request_id, entries_left_out, cache.requests]).toEqual([
    5_000,
    "r200",
    200,
    5_200,
  ]);
});

test("changes: counts, and files in the order of their first change", () => {
  const baseline = { branch: "main", dirtyFiles: ["x"], untrackedFiles: [], diffHash: "h" };
  const modified = (path: string, more = {}) =>
    event("file.modified", { path, operation: "edit", diffStats: { added: 2, removed: 1 }, ...more });
  const events = given(
    begun,
    event("git.baseline-recorded", { when: "pre-first-edit", baseline }),
    modified("b", { beforeSha256: null, afterSha256: "h1", toolUseId: "t1" }),
    modified("constructor"),
    modified("b", { beforeSha256: "h1", afterSha256: "h2", toolUseId: "t2" }),
  );
  expect(shown("changes", events)).toEqual({
    seq: 5,
    baseline: { branch: "main", head: null, root: null, dirty_files: ["x"], untracked_files: [], diff_hash: "h" },
    counts: { files: 2, operations: 3, added: 6, removed: 3 },
    files: [
      {
        path: "b",
        operations: 2,
        added: 4,
        removed: 2,
        before_sha256: null,
        after_sha256: "h2",
        tool_use_ids: ["t1", "t2"],
      },
      { path: "constructor", operations: 1, added: 2, removed: 1, tool_use_ids: [] },
    ],
  });
});

test("context: what is there by kind, all breaks, and the last request", () => {
  const sections = [{ name: "system", estimatedTokens: 7 }];
  const events = given(
    begun,
    said("go"),
    called("r1", "a"), // 3-6
    done("a", "A"),
    pruned("gone", "a"), // 8
    asked("r2", { contextStats: { estimatedInputTokens: 20, sections }, bytes: 80, messageCount: 3 }),
    asked("c", { purpose: "compaction" }),
  );
  const view = shown("context", events) as { blocks: Record<string, { blocks: number; estimated_tokens: number }> };
  const counts = Object.fromEntries(Object.entries(view.blocks).map(([kind, { blocks }]) => [kind, blocks]));
  expect(counts).toEqual({ user_text: 1, tool_use: 1, tool_result: 1 });
  const tokens = Object.values(view.blocks).reduce((sum, { estimated_tokens }) => sum + estimated_tokens, 0);
  expect(tokens).toBeGreaterThan(30);
  expect<unknown>(view).toEqual({
    seq: 10,
    model: "model-a",
    window_tokens: 1_000_000,
    messages: 3,
    blocks: view.blocks,
    estimated_tokens: tokens,
    calibration: expect.any(Number),
    breaks: [{ seq: 8, kind: "pruned", tokens: 1 }],
    last_request: {
      request_id: "r2",
      model: "model-a",
      messages: 3,
      bytes: 80,
      estimated_tokens: 20,
      sections: [{ name: "system", estimated_tokens: 7 }],
    },
  });
});

test("of an empty log nothing is invented", () => {
  expect(shown("context", [])).toEqual({
    seq: 0,
    model: "",
    window_tokens: null,
    messages: 0,
    blocks: {},
    estimated_tokens: 0,
    calibration: null,
    breaks: [],
    last_request: null,
  });
  expect(shown("changes", [])).toEqual({
    seq: 0,
    baseline: null,
    counts: { files: 0, operations: 0, added: 0, removed: 0 },
    files: [],
  });
  expect(shown("usage", [])).toMatchObject({
    total_cost_usd: 0,
    recent: [],
    cache: { hit_share: null, first_ts: null },
    entries: [],
  });
});
