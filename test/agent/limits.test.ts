/** What one run may use. The turn ends with the reason in its log, every call has its result, and a resume goes on. */
import { describe, expect, test } from "bun:test";
import { createDeadline, limitPolicy } from "../../src/agent/index.ts";
import { watchRun } from "../../src/cli/result.ts";
import { runHeadless } from "../../src/cli/run-turn.ts";
import type { ModelUsage } from "../../src/shared/index.ts";
import { type Fault, loop, type Script } from "../../src/simulator/index.ts";
import { manualClock } from "../support/clock.ts";
import { bash, type Driven, inHouse, thinking, turn } from "./driving.ts";
import { openTurn, stateWith } from "./states.ts";

const NOTHING: ModelUsage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** A dollar for a token of output, a tenth of one for a token read from the cache. */
const price = (_model: string, { outputTokens, cacheReadTokens }: ModelUsage) => outputTokens + cacheReadTokens / 10;

describe("the limits of a run", () => {
  const { usage: before } = stateWith(openTurn());
  const state = (spentUsd: number, last?: Partial<ModelUsage>, unpriced = 0) => {
    const usage = { ...before, spentUsd, unpriced, ...(last && { last: { ...NOTHING, ...last } }) };
    return { ...stateWith(openTurn({ iterations: 3 })), usage };
  };
  const budgetOf = (usd: number) =>
    limitPolicy({ maxTurns: 9, budget: { usd, before: { ...before, spentUsd: 100 }, price } }).exceeded;

  test("count requests since the user's message", () => {
    expect(limitPolicy({ maxTurns: 4 }).exceeded(state(0))).toBeUndefined();
    expect(limitPolicy({ maxTurns: 3 }).exceeded(state(0))).toEqual({
      reason: "iteration-budget-exhausted",
      detail:
        "The turn used the 3 requests that a message may cost, without finishing. Go on with --resume and a higher --max-turns.",
    });
    expect(limitPolicy({ maxTurns: 1 }).exceeded(state(0))?.detail).toContain("used the one request that");
  });

  test("count the money of this run alone", () => {
    expect(budgetOf(5)(state(104.99))).toBeUndefined();
    expect(budgetOf(5)(state(105))).toEqual({
      reason: "budget",
      detail:
        "The budget is used up: this run has cost at least $5.00 of $5.00. Go on with --resume and a higher --max-budget-usd.",
    });
    expect(budgetOf(0.002)(state(100.0034))?.detail).toContain("$0.0034 of $0.002.");
  });

  test("count what the next request costs at least: what the last one held, read from the cache", () => {
    const last = { inputTokens: 5, cacheReadTokens: 3, cacheWriteTokens: 2, outputTokens: 70 };
    expect(budgetOf(5)(state(104, last))).toBeUndefined();
    expect(budgetOf(5)(state(104.5, last))?.detail).toContain(
      "this run has cost $4.50 of $5.00, and the next request would cost at least $1.00",
    );
  });

  test("do not guess what an answer without a known price has cost", () => {
    expect(budgetOf(5)(state(100, undefined, 1))?.detail).toContain("a model whose price is not known");
  });

  test("end with the time, once", () => {
    const clock = manualClock();
    const deadline = createDeadline(clock, 90_000);
    const { overdue } = limitPolicy({ maxTurns: 9, deadline });
    const calls: string[] = [];
    deadline.onReached(() => calls.push("first"));
    clock.advance(89_999);
    expect([overdue?.(), calls]).toEqual([undefined, []]);
    clock.advance(1);
    deadline.onReached(() => calls.push("late"));
    expect([overdue?.(), calls]).toEqual([
      {
        reason: "budget",
        detail: "The time limit of 90 s was reached. Go on with --resume, if need be with a higher --timeout.",
      },
      ["first", "late"],
    ]);
    expect(clock.pending()).toBe(0);
  });

  test("leave no timer behind", () => {
    const clock = manualClock();
    createDeadline(clock, 2 ** 40).stop();
    expect(clock.pending()).toBe(0);
  });
});

const counting = (steps: number): Script => loop({ steps, turn: (at) => turn(thinking("on"), bash(`echo ${at}`)) });

async function run(house: Driven, prompt?: string) {
  const watch = watchRun(house.engine.session, () => 0);
  return watch.finish(await runHeadless(house.engine, { prompt, onEvent: watch.onEvent }));
}

describe("a turn that used its requests", () => {
  test("is not gone on with under the same limit, and says so without a word to the model; under a higher one it is", async () => {
    await inHouse({ script: counting(4), flags: { limits: { maxTurns: 2 } } }, async (house) => {
      expect(await run(house, "go")).toMatchObject({ status: "failed", exit_code: 7, result: "", num_turns: 2 });
      await house.reopen({ flags: { limits: { maxTurns: 2 } } });
      const { length } = house.events;
      expect(await run(house)).toMatchObject({ status: "failed", exit_code: 7, num_turns: 0 });
      expect(house.events.slice(length).map(({ type }) => type)).toEqual(["task.failed"]);
      await house.reopen({ flags: { limits: { maxTurns: 9 } } });
      expect(await run(house)).toMatchObject({ status: "completed", exit_code: 0, result: "Done." });
    });
  });
});

describe("a budget", () => {
  const CUT: Fault = { kind: "cut", afterSeen: "content_block_stop" };

  for (const usd of [0.0001, 0.0107, 0.0125, 0.03]) {
    test(`of $${usd} is exceeded by at most one request, cut streams counted`, async () => {
      const script: Script = (request) => ({
        ...counting(12)(request),
        ...(request.index === 1 && { fault: CUT }),
      });
      await inHouse({ script, flags: { limits: { maxBudgetUsd: usd } } }, async (house) => {
        const spent = () => house.engine.session.state().usage.spentUsd;
        const before: number[] = [];
        house.engine.session.bus.on("model.request-started", () => {
          before.push(spent());
        });
        const { exit_code: code, issues } = await run(house, "go");
        if (code === 7)
          expect(issues).toEqual([expect.stringMatching(/^The budget is used up: .*--max-budget-usd\.$/)]);
        else expect([code, spent() <= usd]).toEqual([0, true]);
        expect(before.every((sum) => sum < usd)).toBe(true);
        expect(before.length).toBeGreaterThan(0);
      });
    });
  }

  test("that a broken answer has used up is not spent on another attempt", async () => {
    const fault: Fault = { kind: "error-event", afterSeen: "content_block_stop" };
    const script: Script = (request) => ({ ...counting(1)(request), fault });
    await inHouse({ script, flags: { limits: { maxBudgetUsd: 0.0001, maxTurns: 1 } } }, async (house) => {
      expect(await run(house, "go")).toMatchObject({ status: "failed", exit_code: 7, num_turns: 0 });
      expect(house.simulator.requests).toHaveLength(1);
      expect(house.of("model.request-failed")).toMatchObject([{ usage: {}, retriesExhausted: false }]);
    });
  });

  test("begins anew with each run", async () => {
    await inHouse({ script: counting(2), flags: { limits: { maxBudgetUsd: 0.0001 } } }, async (house) => {
      expect(await run(house, "go")).toMatchObject({ exit_code: 7, num_turns: 1 });
      await house.reopen({ flags: { limits: { maxBudgetUsd: 1 } } });
      expect(await run(house)).toMatchObject({ exit_code: 0, result: "Done." });
    });
  });
});

describe("the end of the time", () => {
  test("ends a running command; the log says why, and a resume goes on", async () => {
    const script = loop({ steps: 1, turn: () => turn(bash("sleep 60"), bash("echo never")) });
    await inHouse({ script, flags: { limits: { maxSeconds: 0.4 } } }, async (house) => {
      expect(await run(house, "go")).toMatchObject({ status: "failed", exit_code: 7 });
      expect(house.of("tool.cancelled").map(({ reason, modelText }) => [reason, modelText.split("\n")[0]])).toEqual([
        [
          "budget",
          "[Stopped at the time limit while it was running. It may have had effects; look before repeating it.]",
        ],
        ["budget", "[The time limit was reached. It was not run.]"],
      ]);
      expect(house.of("task.failed")).toEqual([
        {
          reason: "budget",
          detail: "The time limit of 0.4 s was reached. Go on with --resume, if need be with a higher --timeout.",
        },
      ]);
      await house.reopen({ flags: {} });
      expect(await run(house)).toMatchObject({ exit_code: 0, result: "Done." });
    });
  });

  test("ends the wait before another attempt, and a question that nobody answers", async () => {
    const busy: Fault = { kind: "http", status: 529, headers: { "retry-after": "60" } };
    await inHouse({ script: counting(1), flags: { limits: { maxSeconds: 0.3 } } }, async (house) => {
      house.simulator.failNext(busy);
      expect(await run(house, "go")).toMatchObject({ status: "failed", exit_code: 7 });
      expect(house.of("model.request-started")).toHaveLength(1); // none is made up for an attempt that never began
    });
    const writes = loop({ steps: 1, turn: () => turn(bash("touch made")) });
    const asking = { permissionMode: "ask", limits: { maxSeconds: 0.3 } } as const;
    await inHouse({ script: writes, flags: asking, somebodyToAsk: true }, async (house) => {
      expect(await run(house, "go")).toMatchObject({ exit_code: 7, pending: {} });
      expect(house.of("permission.requested")).toHaveLength(1);
    });
  });

  /** The moment is the machine's own; whatever it hits, the log is whole and the session goes on. */
  test("may come at any moment", async () => {
    const script: Script = (request) => ({ ...counting(6)(request), stream: { deltaChars: 2, deltaMs: 1 } });
    for (let ms = 5; ms <= 125; ms += 15) {
      await inHouse({ script, flags: { limits: { maxSeconds: ms / 1000 } } }, async (house) => {
        const { exit_code: code } = await run(house, "go");
        expect([0, 7]).toContain(code);
        expect(house.engine.session.state().turn).toMatchObject({ phase: "idle", pending: [], permissions: [] });
        await house.reopen({ flags: {} });
        const again = await run(house);
        expect(again).toMatchObject(code === 7 ? { exit_code: 0, result: "Done." } : { status: "idle" });
      });
    }
  });
});
