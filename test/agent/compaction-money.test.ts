/** Money that runs out while a summary is made: no further one is asked for, nothing is recorded, and more money goes on. */
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { watchRun } from "../../src/cli/result.ts";
import { runHeadless } from "../../src/cli/run-turn.ts";
import type { Flags } from "../../src/cli/settings.ts";
import type { Fault, ScriptedTurn } from "../../src/simulator/index.ts";
import { CHECKPOINT, courseOf, inSmallWindow, summaries, task } from "./compacting.ts";
import { type Driven, say } from "./driving.ts";

const BUSY: Fault = { kind: "http", status: 529, headers: { "retry-after-ms": "1" } };
const NO_YAML = say("I would rather talk.");

async function run(house: Driven, prompt?: string) {
  const watch = watchRun(house.engine.session, () => 0);
  return watch.finish(await runHeadless(house.engine, { prompt, onEvent: watch.onEvent }));
}

/** The cap of the session is below what it has cost as soon as the first request for a summary has gone out. */
function capWhileAsked(house: Driven): void {
  const stop = house.engine.session.bus.on("model.request-started", ({ payload }) => {
    if (payload.purpose !== "compaction") return;
    stop();
    queueMicrotask(() => void house.engine.budget.set("session", 0.0001));
  });
}

describe("a cap that is reached while a summary is made", () => {
  const CASES: readonly (readonly [name: string, first: ScriptedTurn, course: readonly string[]])[] = [
    ["lets nobody ask for it again", NO_YAML, []],
    ["allows no further attempt", { ...say(CHECKPOINT), fault: BUSY }, ["request failed: retryable"]],
  ];
  test.each(CASES)("%s; a higher one goes on", (_name, first, course) =>
    inSmallWindow(
      { script: task({ steps: 9, summary: (attempt) => (attempt === 1 ? first : say(CHECKPOINT)) }) },
      async (house) => {
        capWhileAsked(house);
        const ended = await run(house, "Print nine lines.");
        expect([ended.status, ended.exit_code, courseOf(house)]).toEqual(["failed", 7, [...course, "failed budget"]]);
        expect(ended.issues).toEqual([expect.stringMatching(/^The cap for the session is used up: /)]);
        expect([summaries(house), house.of("context.compacted")]).toEqual([1, []]);
        expect(await house.engine.budget.set("session", 100)).toMatchObject({ ok: true, value: { mayGoOn: true } });
        expect(house.engine.agent.resume()).toBe(true);
        await house.settled();
        expect(courseOf(house).slice(course.length + 1)).toEqual([
          "compacted proactive-token-budget by aux",
          "completed",
        ]);
      },
    ),
  );
});

/** Of the model that sums up, so that one summary costs more than all the rest. */
const DEAR = { input: 100_000, output: 100_000, cacheRead: 100_000, cacheWrite5m: 100_000, cacheWrite1h: 100_000 };
const runFor = (maxBudgetUsd: number): { readonly flags: Flags } => ({ flags: { limits: { maxBudgetUsd } } });

test("the budget of a run that the first summary has used up lets nobody ask for a second one; a higher one goes on", () =>
  inSmallWindow(
    {
      script: task({ steps: 9, summary: (attempt) => (attempt === 1 ? NO_YAML : say(CHECKPOINT)) }),
    },
    async (house) => {
      const prices = { [house.engine.session.state().turn.auxModel]: DEAR };
      writeFileSync(join(house.home, "config.json"), JSON.stringify({ prices }));
      await house.reopen(runFor(5));
      const ended = await run(house, "Print nine lines.");
      expect([ended.exit_code, courseOf(house)]).toEqual([7, ["failed budget"]]);
      expect(ended.issues).toEqual([expect.stringMatching(/^The budget is used up: this run has cost at least /)]);
      expect(summaries(house)).toBe(1);
      await house.reopen(runFor(1e6));
      expect(await run(house)).toMatchObject({ status: "completed", exit_code: 0 });
      expect(courseOf(house).slice(1)).toEqual(["compacted proactive-token-budget by aux", "completed"]);
    },
  ));
