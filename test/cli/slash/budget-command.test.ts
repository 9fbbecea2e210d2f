/** `/budget` on a terminal: what it shows, what it changes, and that a turn which a cap had stopped goes on. */
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { watchRun } from "../../../src/cli/result.ts";
import { runHeadless } from "../../../src/cli/run-turn.ts";
import { budgetTable } from "../../../src/cli/slash/budget.ts";
import { readBudget } from "../../../src/cli/slash/budget-words.ts";
import { engineIn } from "../../agent/engines.ts";
import { expectGolden } from "../../support/frames.ts";
import { inTerminalHouse, payloadsOf, saying } from "../../support/terminal-house.ts";
import { createSession, fullLayout, texts } from "../../tui/view/transcript/stage.ts";

test("what may be said", () => {
  const ways = "say /budget turn|session|day and an amount as in 5 or 0.50, or off.";
  for (const [typed, wish] of [
    ["", {}],
    ["day", { scope: "day" }],
    ["session 5", { scope: "session", usd: 5 }],
    ["SESSION $5", { scope: "session", usd: 5 }],
    ["turn 0.50", { scope: "turn", usd: 0.5 }],
    ["turn .5", { scope: "turn", usd: 0.5 }],
    ["day off", { scope: "day", usd: null }],
  ] as const) {
    expect([typed, readBudget(typed)]).toEqual([typed, { ok: true, value: wish }]);
  }
  for (const [typed, problem] of [
    ["5", `For what? There is a cap for each turn, for the session and for the day: ${ways}`],
    ["sesion 5", `There is no cap for "sesion"; did you mean session? To set one, ${ways}`],
    ["month 5", `There is no cap for "month". To set one, ${ways}`],
    ["day five", `"five" is no amount: ${ways}`],
    ["day -1", `"-1" is no amount: ${ways}`],
    ["day 1,50", `"1,50" is no amount: ${ways}`],
    ["day 1e9", `"1e9" is no amount: ${ways}`],
    ["day 5 off", `"5 off" is no amount: ${ways}`],
    ["turn 0", "A cap is more than nothing; /budget turn off takes it away."],
  ] as const) {
    expect([typed, readBudget(typed)]).toEqual([typed, { ok: false, error: problem }]);
  }
});

describe("as it is seen", () => {
  const table = budgetTable([
    { scope: "turn", spentUsd: 0.0421, isAtLeast: false, capUsd: undefined, saidBy: "" },
    { scope: "session", spentUsd: 3.2, isAtLeast: false, capUsd: 5, saidBy: "this session" },
    { scope: "day", spentUsd: 21.5, isAtLeast: true, capUsd: 20, saidBy: "user ~/.khaelor/config.json:4" },
  ]);
  for (const width of [98, 60, 10]) {
    test(`${width} columns wide`, () => {
      const shown = createSession([{ id: "note-1", seq: 0, kind: "note", text: table }]);
      const lines = fullLayout(shown, width, () => false).map(({ line }) => line);
      expectGolden(`budget-${width}`, texts(lines).join("\n"));
    });
  }
});

test("each scope with what was spent, its cap, and who said it", async () => {
  await inTerminalHouse({ flags: { limits: { maxDayUsd: 9 } } }, async (house) => {
    await house.open();
    await house.say("say one");
    await house.run("/budget session 5");
    const [all = ""] = saying(await house.run("/budget"));
    const { spentUsd } = house.host.engine().session.state().usage;
    const spent = `$${Number(spentUsd.toPrecision(2))}`;
    expect(all.split("\n").slice(2, 5)).toEqual([
      `| this turn | ${spent} | none |  |  |`,
      `| this session | ${spent} | $5.00 | $4.99 | this session |`,
      `| today | ${spent} | $9.00 | $8.99 | the command line |`,
    ]);
    expect(
      saying(await house.run("/budget day"))[0]
        ?.split("\n")
        .slice(2, 3),
    ).toEqual(all.split("\n").slice(4, 5));
    expect(saying(await house.run("/status"))[0]).toContain("$5.00 for the session, $9.00 for the day (/budget)");
    expect(await house.refusal("/budget week 5")).toContain('There is no cap for "week".');
  });
});

test("a session of today that cannot be read whole is counted, for what it cost is not all in the sum", async () => {
  await inTerminalHouse({}, async (house) => {
    const { path } = await house.open();
    writeFileSync(join(path, "..", "01J8ZQ0000SESS0000000000AA.jsonl"), "no session\nnone at all\n");
    const told = "1 session of today could not be read whole: what it cost is not all in the sum.";
    for (const [line, isTold] of [
      ["/budget", true],
      ["/budget day", true],
      ["/budget turn", false],
    ] as const) {
      expect([line, saying(await house.run(line))[0]?.includes(told)]).toEqual([line, isTold]);
    }
    expect(saying(await house.run("/budget day"))[0]).toContain("| today | at least $");
  });
});

test("a cap that is set below what is spent stops the next request; a higher one lets the turn go on at once", async () => {
  await inTerminalHouse({}, async (house) => {
    const session = await house.open();
    await house.say("say one");
    const [low = ""] = saying(await house.run("/budget session 0.0001"));
    expect(low).toMatch(
      /^From the next request on, the session may cost \$0\.0001\. \$[\d.]+ are spent already: the next request will be stopped\.$/,
    );
    await house.say("say two");
    expect(payloadsOf(house, "task.failed")).toEqual([
      { reason: "budget", detail: expect.stringMatching(/To go on, say \/budget session [\d.]+\.$/) },
    ]);
    const [{ detail } = expect.unreachable()] = payloadsOf(house, "task.failed");
    const [, way = ""] = /say (\/budget session [\d.]+)\.$/.exec(detail) ?? [];
    const [said = ""] = saying(await house.run(way));
    expect(said).toMatch(
      /^From the next request on, the session may cost \$[\d.]+\. The turn that it had stopped goes on\.$/,
    );
    await session.settled();
    expect(payloadsOf(house, "task.completed")).toHaveLength(2);
    expect(saying(await house.run("/budget session off"))).toEqual(["No cap for the session any more."]);
  });
});

test("what was set here holds when the session is resumed without a screen", async () => {
  await inTerminalHouse({}, async (house) => {
    const { id } = await house.open();
    await house.run("/budget session 0.0001");
    await house.say("say one");
    await house.host.close();
    const engine = await engineIn(house, { resume: id });
    try {
      const watch = watchRun(engine.session, () => 0);
      const result = watch.finish(await runHeadless(engine, { prompt: "say two", onEvent: watch.onEvent }));
      expect(result).toMatchObject({ exit_code: 7, num_turns: 0, issues: [expect.stringContaining(`--resume ${id}`)] });
    } finally {
      await engine.close();
    }
  });
});

test("while a turn runs it is taken, and counts from the next request on", async () => {
  await inTerminalHouse({}, async (house) => {
    const session = await house.open();
    const begun = new Promise<void>((resolve) => {
      house.host.engine().session.bus.on("tool.started", () => resolve());
    });
    session.dispatch({ kind: "submit-message", text: "run cat go", mentions: [] });
    await begun;
    expect(saying(await house.run("/budget turn 0.00001"))[0]).toContain("the next request will be stopped");
    await session.settled();
    expect(payloadsOf(house, "task.failed")).toMatchObject([{ reason: "budget" }]);
    expect(house.simulator.requests).toHaveLength(1);
  });
});

test("a cap of the day does not come between a question that was open at a restart and its answer", async () => {
  const flags = { permissionMode: "ask", limits: { maxDayUsd: 9 } } as const;
  await inTerminalHouse({ flags, files: { "x.sh": "touch made\n" } }, async (house) => {
    const { id, path } = await house.open();
    const asked = new Promise<void>((resolve) => {
      house.host.engine().session.bus.on("permission.requested", () => resolve());
    });
    house.session().dispatch({ kind: "submit-message", text: "run sh x.sh", mentions: [] });
    await asked;
    const bytes = readFileSync(path); // as a kill in this moment leaves it
    await house.host.close();
    writeFileSync(path, bytes);
    const session = await house.open({ resume: id });
    const [question] = house.host.engine().session.state().turn.permissions;
    session.dispatch({
      kind: "permission-response",
      requestId: question?.permissionRequestId ?? "",
      decision: "once",
    });
    await session.settled();
    expect(existsSync(join(house.cwd, "made"))).toBe(true);
  });
});
