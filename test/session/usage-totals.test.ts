/** What was used and what it cost: given events, then the account. */
import { describe, expect, test } from "bun:test";
import { spentSince, usageTotals } from "../../src/session/index.ts";
import { type DurableInput, fold, type LogEvent, type ModelUsage, type Payload } from "../../src/shared/index.ts";
import { answered, asked, event, given, used } from "./usage-words.ts";

test("of requests that never ended the newest few are kept", () => {
  const many = Array.from({ length: 5_000 }, (_, at) => asked(`r${at}`, "big"));
  const state = fold(
    usageTotals(() => 1),
    given(...many, answered("r4999", used(1))),
  );
  expect([state.requests, state.responses, Object.keys(state.byModel)]).toEqual([5_000, 1, ["big"]]);
  expect(state.open.length).toBeLessThanOrEqual(8);
});

describe("usage", () => {
  const price = (model: string, usage: ModelUsage) => (model === "free" ? null : usage.inputTokens / 10);

  test("is summed by the model that answered; what a cut stream had reported is kept apart", () => {
    const state = fold(
      usageTotals(price),
      given(
        asked("r1", "big"),
        answered("r1", { ...used(10), thinkingTokens: 5 }),
        asked("r2", "big"),
        answered("r2", used(20), "big-2026"),
        asked("r3", "big"),
        event("model.request-failed", {
          requestId: "r3",
          kind: "retryable",
          message: "cut",
          retriesExhausted: true,
          usage: used(7),
        }),
        asked("r4", "small", "compaction"),
        answered("r4", used(100)),
      ),
    );
    expect(state).toEqual({
      byModel: {
        big: { ...used(10), thinkingTokens: 5, responses: 1 },
        "big-2026": { ...used(20), responses: 1 },
        small: { ...used(100), responses: 1 },
      },
      total: { inputTokens: 130, outputTokens: 3, cacheReadTokens: 6, cacheWriteTokens: 9, thinkingTokens: 5 },
      cut: used(7),
      requests: 4,
      responses: 3,
      costUsd: 13,
      spentUsd: 13.7, // the cut one too
      unpriced: 0,
      turnUsd: 13.7,
      recentUsd: { 0: 13.7 },
      calibration: 4, // the most of it: 20, 2 and 3 were counted for the one that was estimated
      last: used(20),
      open: [],
      turn: { isOpen: false, queued: new Map() },
    });
  });

  test("has no cost as soon as one price is unknown, and no last size behind a break", () => {
    const compacted = event("context.pruned", { toolUseIds: [], placeholder: "-", tokensReclaimedEstimate: 1 });
    const state = fold(usageTotals(price), given(asked("r", "free"), answered("r", used(1)), compacted));
    expect([state.costUsd, state.spentUsd, state.unpriced]).toEqual([null, 0, 1]);
    expect(state.last).toBeUndefined();
    expect(state.total).toEqual(used(1));
  });

  describe("by turn and by quarter of an hour", () => {
    const said = (more: Partial<Payload<"user.message-created">> = {}) =>
      event("user.message-created", { text: "x", mentions: [], ...more });
    const spend = (inputTokens: number) => [asked("r", "big"), answered("r", used(inputTokens))];
    const queued = (deliver: "now" | "next-turn") => event("user.steering-queued", { text: "q", deliver });
    const injected = (at: number, seam: Payload<"user.steering-injected">["seam"] = "post-tool-batch") =>
      event("user.steering-injected", { queuedEventId: `e${at}`, seam, afterSeq: 1 });
    const failed = event("task.failed", { reason: "budget", detail: "" });
    const forked = event("session.resumed", {
      khaelorVersion: "0",
      replayedSeq: 1,
      model: "big",
      toolNames: [],
      fork: { sessionId: "s", seq: 1, kind: "fork" },
    });
    const turnUsd = (...inputs: readonly DurableInput[]) => fold(usageTotals(price), given(...inputs)).turnUsd;

    test.each<[string, number, readonly DurableInput[]]>([
      ["a message of the user's begins a turn", 2, [said(), ...spend(10), said(), ...spend(20)]],
      [
        "one of the kernel's does not, nor does it after the turn's end",
        3,
        [said(), ...spend(10), failed, said({ by: "kernel" }), ...spend(20)],
      ],
      [
        "a command of the user's own does not",
        3,
        [said(), ...spend(10), said({ shell: { command: "ls", exitCode: 0, output: "" } }), ...spend(20)],
      ],
      ["what is said into a turn does not", 3, [said(), queued("now"), ...spend(10), injected(1), ...spend(20)]],
      ["a queued turn does", 2, [said(), queued("next-turn"), ...spend(10), injected(1), ...spend(20)]],
      [
        "what is delivered between turns does",
        2,
        [said(), queued("now"), ...spend(10), failed, injected(1), ...spend(20)],
      ],
      [
        "what is taken back does not",
        3,
        [said(), queued("now"), ...spend(10), failed, injected(1, "withdrawn"), ...spend(20)],
      ],
      ["what nobody queued does not", 3, [said(), ...spend(10), failed, injected(77), ...spend(20)]],
      [
        "a fork owes nothing for its origin's turn, and has no queue of it",
        2,
        [said(), queued("next-turn"), ...spend(10), forked, ...spend(20), injected(1)],
      ],
    ])("%s", (_what, usd, inputs) => {
      expect(turnUsd(...inputs)).toBe(usd);
    });

    const MINUTE = 60_000;
    const at = (...times: readonly number[]): LogEvent[] =>
      times.flatMap((ts) => given(...spend(10)).map((one) => ({ ...one, ts })));

    test("what was spent lies in the quarter of its end, before the epoch too", () => {
      const { recentUsd } = fold(usageTotals(price), at(0, 14 * MINUTE, 15 * MINUTE, -1));
      expect(recentUsd).toEqual({ 0: 2, 1: 1, "-1": 1 });
      expect([spentSince(recentUsd, -15 * MINUTE), spentSince(recentUsd, 0), spentSince(recentUsd, MINUTE)]).toEqual([
        4, 3, 1,
      ]);
    });

    test("at a time that is none it counts, but in no quarter", () => {
      const state = fold(usageTotals(price), at(Number.POSITIVE_INFINITY, Number.NaN));
      expect([state.spentUsd, state.turnUsd, state.recentUsd]).toEqual([2, 2, {}]);
    });

    test("two days are kept, and a clock that is wrong for a while forgets nothing of them", () => {
      const quarters = (from: number, count: number) =>
        Array.from({ length: count }, (_, n) => (from + n) * 15 * MINUTE);
      const years = 4 * 24 * 365 * 5;
      const { recentUsd } = fold(
        usageTotals(price),
        at(...quarters(years, 100), 0, ...quarters(2 * years, 1), ...quarters(years + 100, 94)),
      );
      expect(spentSince(recentUsd, 0)).toBe(196);
      expect(spentSince(recentUsd, years * 15 * MINUTE)).toBe(195);
      const full = quarters(years, 200);
      const kept = (...more: readonly number[]) => {
        const slots = Object.keys(fold(usageTotals(price), at(...full, ...more)).recentUsd).map(Number);
        return slots.map((slot) => slot * 15 * MINUTE).sort((a, b) => a - b);
      };
      expect(kept(0)).toEqual([0, ...full.slice(1)]);
      expect(kept(0, ...quarters(years + 200, 1))).toEqual([...full.slice(1), ...quarters(years + 200, 1)]);
      const later = fold(usageTotals(price), at(...quarters(years, 1000)));
      expect(Object.keys(later.recentUsd).map(Number)).toEqual(
        quarters(years + 800, 200).map((ms) => ms / 15 / MINUTE),
      );
    });

    test("a fork owes nothing of its origin's day", () => {
      expect(fold(usageTotals(price), given(...spend(10), forked, ...spend(30))).recentUsd).toEqual({ 0: 3 });
    });
  });

  test("what is counted for each estimated token is learnt from the conversation alone", () => {
    const estimated = (requestId: string, tokens: number, purpose: "main" | "compaction" = "main") =>
      event("model.request-started", {
        requestId,
        model: "big",
        purpose,
        contextStats: { estimatedInputTokens: tokens, sections: [] },
      });
    const learnt = (...inputs: readonly DurableInput[]) => {
      const { calibration, last } = fold(usageTotals(price), given(...inputs));
      return [calibration, last?.inputTokens];
    };
    const first = [estimated("r", 5), answered("r", used(5))];
    expect(learnt(...first)).toEqual([2, 5]);
    expect(learnt(...first, estimated("c", 1, "compaction"), answered("c", used(5)))).toEqual([2, 5]);
    expect(learnt(...first, answered("stranger", used(50)))).toEqual([2, 5]);
    const pictured = event("model.request-started", {
      requestId: "p",
      model: "big",
      purpose: "main",
      contextStats: { estimatedInputTokens: 90, sections: [{ name: "images", estimatedTokens: 80 }] },
    });
    expect(learnt(...first, pictured, answered("p", used(5)))).toEqual([2, 5]);
    expect(learnt(pictured, answered("p", used(5)))).toEqual([1, 5]); // nothing tells yet
    expect(learnt(estimated("r", 100), answered("r", used(5)))).toEqual([0.25, 5]);
    expect(learnt(...first, estimated("z", 0), answered("z", used(9)))).toEqual([2, 9]);
    expect(
      learnt(...first, estimated("n", 9), answered("n", { ...used(0), cacheReadTokens: 0, cacheWriteTokens: 0 })),
    ).toEqual([2, 0]);
  });

  test("takes any name for a model", () => {
    const state = fold(usageTotals(price), given(asked("r", "__proto__"), answered("r", used(1))));
    expect(Object.entries(state.byModel)).toEqual([["__proto__", { ...used(1), responses: 1 }]]);
  });
});
