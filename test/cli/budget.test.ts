/** Caps of money in a whole house: they hold over restarts, in forks and for all sessions of a day, and count cut answers. */
import { describe, expect, test } from "bun:test";
import type { CapScope } from "../../src/agent/index.ts";
import type { Engine } from "../../src/cli/engine.ts";
import { eventLine } from "../../src/cli/event-line.ts";
import { createMarkdown } from "../../src/cli/markdown.ts";
import { watchRun } from "../../src/cli/result.ts";
import { runHeadless } from "../../src/cli/run-turn.ts";
import { runHeadless as runSlash } from "../../src/cli/slash/headless.ts";
import { createEventLines } from "../../src/cli/transcript.ts";
import type { LogEvent } from "../../src/shared/index.ts";
import { type Fault, loop, type Script } from "../../src/simulator/index.ts";
import { grantWords } from "../../src/tui/model/notices.ts";
import { bash, type Driven, inHouse, say, thinking, turn } from "../agent/driving.ts";
import { engineIn } from "../agent/engines.ts";

const working = (steps: number): Script => loop({ steps, turn: (at) => turn(thinking("on"), bash(`echo ${at}`)) });
/** More than nothing, and less than any request costs. */
const TINY = 0.0001;
const BROKEN: Fault = { kind: "error-event", afterSeen: "content_block_stop" };

async function run(engine: Engine, prompt?: string) {
  const watch = watchRun(engine.session, () => 0);
  return watch.finish(await runHeadless(engine, { prompt, onEvent: watch.onEvent }));
}

/** Another session of the same home, for the time of `work`. */
async function inAnother<T>(house: Driven, work: (engine: Engine) => Promise<T>, changes = {}): Promise<T> {
  const engine = await engineIn(house, changes);
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

async function spent({ budget }: Engine): Promise<Record<CapScope, number>> {
  const rows = (await budget.report()).map(({ scope, spentUsd }) => [scope, spentUsd]);
  return Object.fromEntries(rows) as Record<CapScope, number>; // as: it reports each
}

const STOPPED = { status: "failed", exit_code: 7, result: "" } as const;
const stoppedFor = (scope: CapScope) => ({
  ...STOPPED,
  issues: [expect.stringMatching(new RegExp(`^The cap for the ${scope} is used up: .*limits\\.max\\w+Usd=`))],
});

describe("a session that its cap has stopped", () => {
  test("stays stopped when it is resumed, without a request, and goes on to its end under a higher cap", async () => {
    const flags = { limits: { maxSessionUsd: TINY } };
    await inHouse({ script: working(3), flags }, async (house) => {
      expect(await run(house.engine, "go")).toMatchObject({ ...stoppedFor("session"), num_turns: 1 });
      expect(house.engine.session.state().grants.budget).toEqual({ sessionUsd: TINY });
      await house.reopen({ flags: {} });
      const { length } = house.events;
      expect(await run(house.engine)).toMatchObject({ ...stoppedFor("session"), num_turns: 0 });
      expect(house.events.slice(length).map(({ type }) => type)).toEqual(["task.failed"]);
      expect(await run(house.engine, "and now?")).toMatchObject({ ...stoppedFor("session"), num_turns: 0 });
      await house.reopen({ flags: { limits: { maxSessionUsd: 1 } } });
      expect(await run(house.engine)).toMatchObject({ status: "completed", exit_code: 0, result: "Done." });
      await house.reopen({ flags: {} });
      expect(house.engine.session.state().grants.budget).toEqual({ sessionUsd: 1 });
      expect(house.simulator.requests).toHaveLength(4);
    });
  });

  test("goes on at once when a command raises the cap, and only then; off takes it away", async () => {
    const flags = { limits: { maxTurnUsd: TINY } };
    await inHouse({ script: working(2), flags }, async (house) => {
      expect(await run(house.engine, "go")).toMatchObject({ ...stoppedFor("turn"), num_turns: 1 });
      for (const [args, problem] of [
        ["", "budget: say which: turn, session or day, and US dollars or off"],
        ["turn 0", "budget: A cap is more than nothing; /budget turn off takes it away."],
        ["turn 0.0002", undefined],
        ["session 9", undefined],
      ] as const) {
        expect(await runSlash(house.engine, "budget", args)).toBe(problem);
        expect(house.engine.agent.isBusy()).toBe(false);
      }
      expect(await runSlash(house.engine, "budget", "turn off")).toBeUndefined();
      await house.settled();
      expect(house.of("task.completed")).toHaveLength(1);
      expect(house.engine.session.state().grants.budget).toEqual({ turnUsd: null, sessionUsd: 9 });
    });
  });

  test("is not gone on with while another limit stands", async () => {
    const flags = { limits: { maxTurnUsd: TINY, maxTurns: 1 } };
    await inHouse({ script: working(2), flags }, async (house) => {
      expect(await run(house.engine, "go")).toMatchObject(STOPPED);
      expect(await house.engine.budget.set("turn", 5)).toEqual({
        ok: true,
        value: { usedUp: undefined, mayGoOn: false },
      });
    });
  });

  test("is not gone on with when something else had stopped it", async () => {
    const script: Script = () => ({ ...say("and"), stopReason: "max_tokens" });
    await inHouse({ script }, async (house) => {
      expect(await run(house.engine, "go")).toMatchObject(STOPPED);
      expect(await house.engine.budget.set("turn", 5)).toMatchObject({ ok: true, value: { mayGoOn: false } });
    });
  });
});

test("a cap of a turn begins anew with each message, not with what is said while it works or with a resume", async () => {
  await inHouse({ script: working(1) }, async (house) => {
    await run(house.engine, "go");
    const { turn: first } = await spent(house.engine);
    await house.reopen();
    expect((await spent(house.engine)).turn).toBe(first);
    await run(house.engine, "again");
    const { turn: second, session, day } = await spent(house.engine);
    expect([first > 0, second > 0]).toEqual([true, true]);
    expect(session).toBeCloseTo(first + second, 12);
    expect(day).toBe(session);
  });
});

test("what a cut answer had used counts for the turn, the session and the day", async () => {
  const script: Script = (request) => ({ ...working(1)(request), ...(request.index === 0 && { fault: BROKEN }) });
  for (const limits of [{ maxTurnUsd: TINY }, { maxSessionUsd: TINY }, { maxDayUsd: TINY }]) {
    await inHouse({ script, flags: { limits } }, async (house) => {
      expect(await run(house.engine, "go")).toMatchObject({ ...STOPPED, num_turns: 0 });
      const { turn: used, session, day } = await spent(house.engine);
      expect([used > 0, session, day]).toEqual([true, used, used]);
      expect(house.simulator.requests).toHaveLength(1);
    });
  }
});

describe("a cap of the day", () => {
  const capped = { flags: { permissionMode: "bypass", limits: { maxDayUsd: TINY } } } as const;

  test("counts what other sessions have spent, also one that is open elsewhere and works", async () => {
    await inHouse({ script: working(1) }, async (house) => {
      await run(house.engine, "go");
      await inAnother(
        house,
        async (second) => {
          expect(await run(second, "go")).toMatchObject({ ...stoppedFor("day"), num_turns: 0 });
          const used = house.engine.session.state().usage.spentUsd;
          expect(await spent(second)).toEqual({ turn: 0, session: 0, day: used });
          await run(house.engine, "more");
          expect((await spent(second)).day).toBe(house.engine.session.state().usage.spentUsd);
        },
        capped,
      );
      await house.engine.close();
      await inAnother(
        house,
        async (third) => {
          expect(await run(third, "go")).toMatchObject({ ...stoppedFor("day"), num_turns: 0 });
        },
        capped,
      );
      await house.reopen();
    });
  });

  test("counts the kept sessions also in one that is thrown away", async () => {
    await inHouse({ script: working(1) }, async (house) => {
      await run(house.engine, "go");
      const places = { home: house.home, sessionHome: `${house.home}-thrown`, userHome: house.home, cwd: house.cwd };
      await inAnother(
        house,
        async (thrown) => {
          const result = await run(thrown, "go");
          expect([result.num_turns, result.issues]).toEqual([
            0,
            [
              expect.stringMatching(
                /To go on, run it again with --config limits\.maxDayUsd=\S+, or wait until tomorrow\.$/,
              ),
            ],
          ]);
        },
        { ...capped, places },
      );
    });
  });

  test("is looked at before each turn: what another spends meanwhile stops the next one", async () => {
    const script: Script = (request) =>
      request.lastUserText().includes("at length") ? say("word ".repeat(20_000)) : working(1)(request);
    await inHouse({ script, flags: { limits: { maxDayUsd: 1 } } }, async (house) => {
      expect(await run(house.engine, "go")).toMatchObject({ exit_code: 0 });
      const { day } = await spent(house.engine);
      expect(await runSlash(house.engine, "budget", `day ${(day + 0.1).toFixed(4)}`)).toBeUndefined();
      await inAnother(house, async (second) => {
        await run(second, "at length");
        expect(second.session.state().usage.spentUsd).toBeGreaterThan(0.1);
        expect(await run(house.engine, "next")).toMatchObject({ ...stoppedFor("day"), num_turns: 0 });
      });
    });
  });
});

test("a fork inherits the caps, and what it took over is not on its own bill", async () => {
  await inHouse({ script: working(1), flags: { limits: { maxSessionUsd: 1 } } }, async (house) => {
    await run(house.engine, "go");
    const { id } = house.engine.session;
    const { session: used } = await spent(house.engine);
    await house.engine.close();
    await inAnother(
      house,
      async (fork) => {
        expect(fork.session.state().grants.budget).toEqual({ sessionUsd: 1 });
        expect(await spent(fork)).toEqual({ turn: 0, session: 0, day: used });
        await run(fork, "more");
        const after = await spent(fork);
        expect(after.session).toBeCloseTo(after.turn, 12);
        expect(after.day).toBeCloseTo(used + after.turn, 12);
      },
      { resume: id, fork: {} },
    );
    await house.reopen({ flags: {} });
  });
});

describe("a model whose price nobody knows", () => {
  test("is refused at a start and by a switch while a cap stands, and a cap while it is used", async () => {
    await inHouse({ script: () => say("Hello.") }, async (house) => {
      const unknown = { permissionMode: "bypass", model: "mystery", limits: { maxSessionUsd: 2 } } as const;
      await expect(engineIn(house, { flags: unknown })).rejects.toThrow(
        'the cap of $2.00 for the session cannot be kept: the price of mystery is not known. Say it under "prices" in the configuration, name another model, or leave the budget out.',
      );
      await house.engine.budget.set("day", 3);
      expect(await runSlash(house.engine, "model", "mystery")).toBe(
        "model: The cap of $3.00 for the day cannot be kept: the price of mystery is not known.",
      );
      await house.engine.budget.set("day", null);
      expect(await runSlash(house.engine, "model", "mystery")).toBeUndefined();
      expect(await runSlash(house.engine, "budget", "day 3")).toBe(
        'budget: the cap of $3.00 for the day cannot be kept: the price of mystery is not known. Say it under "prices" in the configuration, and open the session again.',
      );
    });
  });
});

test("a cap that was chosen is told in words wherever a log is shown, and as no answer to a question", () => {
  const payload = { permissionRequestId: "b", scope: "session", budget: { sessionUsd: 5, dayUsd: null } } as const;
  const event = { v: 1, id: "e", sessionId: "s", seq: 7, ts: 0, type: "permission.granted", payload } as LogEvent;
  expect(eventLine(event)).toMatch(/permission\.granted +budget: \$5\.00 for the session, no cap for the day\n$/);
  expect(createEventLines()(event)).toEqual(["— budget: $5.00 for the session, no cap for the day —\n"]);
  expect(createMarkdown().take(event)).toContain("*Budget: $5.00 for the session, no cap for the day.*");
  expect(grantWords(payload, undefined)?.text).toBe("Budget: $5.00 for the session, no cap for the day");
});
