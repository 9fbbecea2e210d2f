/** Why something did not come from the cache: given events, then the reason and the event that caused it. */
import { describe, expect, test } from "bun:test";
import { cacheLedger, type MissReason } from "../../src/session/index.ts";
import { fold, type ModelUsage, type Payload } from "../../src/shared/index.ts";
import {
  changed,
  FIRST,
  type Inputs,
  last,
  ledger,
  log,
  POOR,
  price,
  replied,
  type Started,
  usage,
} from "./ledger-words.ts";
import {
  asked,
  begun,
  call,
  called,
  compacted,
  done,
  ended,
  event,
  failed,
  injected,
  nudge,
  pruned,
  queued,
  resumed,
  said,
} from "./log-words.ts";

describe("a miss", () => {
  const miss = (...inputs: Inputs) => {
    const { expected, missed, reason, cause, breaks } = last(...FIRST, ...inputs) ?? {};
    return { expected, missed, reason, cause, breaks: breaks?.map(({ seq, kind }) => `${seq} ${kind}`) };
  };
  const whole = { expected: 10_000, missed: 9_000 };
  const poor = (how: Started = {}, more: Partial<Payload<"model.response-completed">> = {}) =>
    replied("r2", POOR, more, how);
  const server = { cacheMissReason: "messages_changed" };
  const shown = { attachments: [{ sha256: "x", mediaType: "image/png", bytes: 9, name: "x.png" }] };
  const [start = begun, end = begun] = replied("r1b", usage(0, 10_000));
  const queuedImage = event("user.steering-queued", { text: "look", ...shown });
  const switched = (settings: Partial<Payload<"session.model-changed">>) =>
    event("session.model-changed", { from: "model-a", to: "model-a", reason: "user", ...settings });

  test.each<[string, Inputs, { reason: MissReason; cause: number | undefined; breaks?: string[] }]>([
    [
      "another model",
      [changed("model-a", "b"), poor({ model: "b" }, server)],
      { reason: "model", cause: 5, breaks: ["5 model"] },
    ],
    ["another model that no event tells of", [poor({ model: "b" }, server)], { reason: "model", cause: undefined }],
    [
      "another effort",
      [changed("model-a", "model-a", "high"), poor()],
      { reason: "effort", cause: 5, breaks: ["5 effort"] },
    ],
    [
      "another prefix",
      [resumed({ toolsSha256: "others" }), poor()],
      { reason: "epoch", cause: 5, breaks: ["5 epoch"] },
    ],
    ["a compaction", [compacted(2), poor({}, server)], { reason: "compacted", cause: 5, breaks: ["5 compacted"] }],
    ["a prune", [pruned("-", "t"), poor()], { reason: "pruned", cause: 5, breaks: ["5 pruned"] }],
    [
      "the first of several reasons by their order, and the newest of its kind",
      [pruned("-", "t"), compacted(2), pruned("-", "u"), compacted(2), poor()],
      { reason: "compacted", cause: 8, breaks: ["5 pruned", "6 compacted", "7 pruned", "8 compacted"] },
    ],
    [
      "a break that a failed attempt, an attempt that died with the program, and a compaction left unnamed",
      [
        pruned("-", "t"),
        [asked("f"), failed("f")],
        asked("d"),
        resumed(),
        replied("c", usage(0, 5_000), {}, { purpose: "compaction" }),
        poor(),
      ],
      { reason: "pruned", cause: 5, breaks: ["5 pruned"] },
    ],
    ["the server's word, when nothing of ours explains it", [poor({}, server)], { reason: "server", cause: 6 }],
    ["a word of the server's that is new", [poor({}, { cacheMissReason: "moon" })], { reason: "server", cause: 6 }],
    [
      "nothing that the server knows",
      [poor({}, { cacheMissReason: "unavailable" })],
      { reason: "unknown", cause: undefined },
    ],
    ["nothing at all", [poor()], { reason: "unknown", cause: undefined }],
    ["an image", [said("look", shown), poor({}, server)], { reason: "images", cause: 5 }],
    [
      "an image in what was queued, once that is said, and one that a failed attempt left unnamed",
      [queuedImage, injected(5), [asked("f"), failed("f")], poor()],
      { reason: "images", cause: 6 },
    ],
    ["the newest of several images", [said("a", shown), said("b", shown), poor()], { reason: "images", cause: 6 }],
    [
      "an image that came while the request before was under way",
      [start, said("look", shown), end, poor()],
      { reason: "images", cause: 6 },
    ],
    [
      "a prune that took images out",
      [said("look", shown), pruned("-", "t"), poor()],
      { reason: "pruned", cause: 6, breaks: ["6 pruned"] },
    ],
    [
      "no image that was sent with the request before",
      [said("look", shown), replied("r1b", usage(0, 10_000)), said("on"), poor()],
      { reason: "unknown", cause: undefined },
    ],
    [
      "no image that was taken back before it was said",
      [queuedImage, event("user.steering-injected", { queuedEventId: "e5", seam: "withdrawn", afterSeq: 5 }), poor()],
      { reason: "unknown", cause: undefined },
    ],
    [
      "thinking that was switched",
      [switched({ thinking: "off" }), poor()],
      { reason: "thinking", cause: 5, breaks: ["5 thinking"] },
    ],
    [
      "thinking that was switched beside an effort that stays",
      [
        changed("model-a", "model-a", "high"),
        replied("r1b", usage(0, 10_000)),
        switched({ effort: "high", thinking: "off" }),
        poor(),
      ],
      { reason: "thinking", cause: 8, breaks: ["8 thinking"] },
    ],
    ["a resume that changes nothing", [resumed(), poor()], { reason: "unknown", cause: undefined }],
    ["a compaction of nothing", [compacted(2, { message: " " }), poor()], { reason: "unknown", cause: undefined }],
  ])("by %s", (_what, inputs, due) => {
    expect(miss(...inputs)).toEqual({ ...whole, breaks: [], ...due });
  });

  test("by what was sent otherwise, without a break: a bug, named also where an attempt without usage came between", () => {
    const hashes = (prefixSha256: string, requestSha256: string): Started => ({ prefixSha256, requestSha256 });
    const first: Inputs = [said("go"), replied("r1", usage(0, 10_000), {}, hashes("root", "one"))];
    const entry = (...inputs: Inputs) => {
      const { reason, cause, breaks } = last(...first, ...inputs) ?? {};
      return { reason, cause, breaks };
    };
    const found = { reason: "prefix", cause: 5, breaks: [{ seq: 5, kind: "prefix" }] } as const;
    expect(entry(poor(hashes("other", "two")))).toEqual(found);
    expect(entry([asked("f", hashes("other", "two")), failed("f")], poor(hashes("two", "two")))).toEqual(found);
    expect(entry(poor(hashes("one", "two")))).toEqual({ reason: "unknown", cause: undefined, breaks: [] });
    expect(entry([asked("f", hashes("one", "two")), failed("f")], poor(hashes("two", "two"))).reason).toBe("unknown");
    expect(entry(pruned("-", "t"), poor(hashes("root", "two"))).breaks).toEqual([
      { seq: 5, kind: "pruned", tokens: 1 },
    ]);
    expect(entry(replied("r2", usage(10_000, 1), {}, hashes("other", "two")))).toEqual({
      ...found,
      reason: undefined,
      cause: undefined,
    });
  });

  describe("by time", () => {
    const MINUTES = 60_000;
    /** Each pair: the request of this id starts at this time and ends a second later. */
    const timed = (inputs: Inputs, times: Readonly<Record<number, number>>) =>
      log(...FIRST, ...inputs).map((one) => ({ ...one, ts: times[one.seq] ?? one.ts }));
    const reason = (startedTs: number) => {
      const entry = fold(cacheLedger(price), timed([poor()], { 3: 0, 4: 4 * MINUTES, 5: startedTs })).entries.at(-1);
      return [entry?.reason, entry?.cause];
    };

    test("counts from the start of the request before, not from its end; a clock that jumps back lets nothing expire", () => {
      expect(reason(5 * MINUTES + 1)).toEqual(["expired", 3]);
      expect(reason(5 * MINUTES)).toEqual(["unknown", undefined]);
      expect(reason(-9 * MINUTES)).toEqual(["unknown", undefined]);
    });

    test("explains less than a break, and more than the server", () => {
      const times = { 3: 0, 5: 0, 6: 9 * MINUTES };
      const entry = (...inputs: Inputs) => fold(cacheLedger(price), timed(inputs, times)).entries.at(-1);
      expect(entry(pruned("-", "t"), poor())?.reason).toBe("pruned");
      const late = fold(cacheLedger(price), timed([poor({}, server)], { 3: 0, 5: 9 * MINUTES })).entries.at(-1);
      expect([late?.reason, late?.cacheMissReason]).toEqual(["expired", "messages_changed"]);
    });
  });
});

describe("what a refusal takes out", () => {
  const refused = (requestId: string, used: ModelUsage) => replied(requestId, used, { stopReason: "refusal" });

  test("is not expected again; what stood before it is", () => {
    // 5 said  6-7 refused, after 30,000 tokens more
    const before: Inputs = [...FIRST, said("big"), refused("r2", usage(10_000, 30_000)), said("small")];
    expect(last(...before, replied("r3", usage(10_000, 2_000)))).toMatchObject({
      expected: 10_000,
      missed: 0,
      breaks: [{ seq: 7, kind: "taken-back" }],
    });
    const poor = last(...before, replied("r3", POOR));
    expect([poor?.expected, poor?.missed, poor?.reason, poor?.cause]).toEqual([10_000, 9_000, "taken-back", 7]);
  });

  test("may be all there was: then the next request is a first one", () => {
    const entry = last(said("big"), refused("r1", usage(0, 30_000)), said("small"), replied("r2", POOR));
    expect([entry?.reason, entry?.missed, entry?.breaks]).toEqual(["first", 0, [{ seq: 4, kind: "taken-back" }]]);
  });

  test("begins with the turn, also when that was queued, and spans the kernel's words", () => {
    const entry = last(
      ...FIRST,
      queued("later", "next-turn"), // 5
      injected(5),
      replied("r2", usage(10_000, 10_000)),
      nudge(),
      refused("r3", usage(20_000, 10_000)),
      said("small"),
      replied("r4", POOR),
    );
    expect([entry?.expected, entry?.reason]).toEqual([10_000, "taken-back"]);
  });

  test.each<[string, Inputs]>([
    ["a tool has acted", [said("big"), called("r2", "a"), done("a", "A"), refused("r3", usage(10_000, 30_000))]],
    ["a compaction has swallowed the turn", [said("big"), compacted(5), refused("r3", usage(10_000, 30_000))]],
    [
      "it was no request of the conversation",
      [said("big"), replied("r3", usage(0, 1), { stopReason: "refusal" }, { purpose: "compaction" })],
    ],
  ])("is nothing when %s", (_what, inputs) => {
    const { entries, unnamed } = ledger(...FIRST, ...inputs, said("on"), replied("r9", usage(40_000, 1)));
    const kinds = [...entries.flatMap(({ breaks }) => breaks), ...unnamed].map(({ kind }) => kind);
    expect(kinds).not.toContain("taken-back");
  });

  test("is nothing of a call that was discarded with its answer", () => {
    const discarded = event("tool.cancelled", { toolUseId: "a", reason: "discarded", modelText: "-" });
    const { unnamed } = ledger(...FIRST, said("big"), [
      asked("r2"),
      call("r2", 0, "a"),
      ended("r2", "refusal"),
      discarded,
    ]);
    expect(unnamed).toEqual([{ seq: 8, kind: "taken-back" }]);
  });
});
