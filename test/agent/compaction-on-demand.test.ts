/**
 * What `/compact` asks for, between two turns: with a focus, by each route, stopped, and where it cannot be. It is no part of a turn,
 * begins none, and nothing changes the conversation under it.
 */
import { describe, expect, test } from "bun:test";
import { switchModel } from "../../src/cli/model-switch.ts";
import type { Fault } from "../../src/simulator/index.ts";
import { courseOf, inSmallWindow, isSummary, MAIN, summaries, talk, task } from "./compacting.ts";
import { sent } from "./driving.ts";
import { dieBehind } from "./dying.ts";

describe("on demand", () => {
  test("between two turns, with a focus; stopped, it leaves everything as it was", () =>
    inSmallWindow({ script: talk(1_500) }, async (house) => {
      for (let at = 1; at <= 4; at++) await house.say(`question ${at}`);
      const made = await house.engine.agent.compact({ focus: "the names of all tables" });
      expect([made.ok, courseOf(house).at(-1)]).toEqual([true, "compacted user-command by aux"]);
      expect(JSON.stringify(sent(house, -1))).toContain("the names of all tables");
      expect(house.of("context.compacted")[0]).toMatchObject({ focus: "the names of all tables", route: "aux" });
      await house.say("question 5");
      expect(courseOf(house).at(-1)).toBe("completed");
    }));
  test("behind a turn that the user stopped, it orders nothing", () =>
    inSmallWindow({ script: task({ steps: 5 }) }, async (house) => {
      const fourth = house.next(
        "tool.started",
        ({ payload }) => payload.toolUseId !== "" && house.of("tool.started").length === 4,
      );
      const stopped = fourth.then(() => house.interrupt());
      await house.say("Print many lines.");
      await stopped;
      await house.settled();
      expect((await house.engine.agent.compact({})).ok).toBe(true);
      const { message = "" } = house.of("context.compacted")[0] ?? {};
      expect([
        message.includes("Go on with the task"),
        message.includes("This turn was stopped before its end"),
      ]).toEqual([false, true]);
      await house.say("Forget it.");
      expect(courseOf(house).at(-1)).toBe("completed");
    }));
  test("of somebody who leaves: what was said meanwhile waits for the next time", () =>
    inSmallWindow(
      {
        script: talk(1_500),
        onSse: (event, house, { body }) => {
          if (event.event !== "content_block_delta" || !isSummary(body)) return;
          house.engine.agent.dispatch({ kind: "steer", text: "one more thing" });
          house.engine.agent.dispatch({ kind: "quit" });
        },
      },
      async (house) => {
        for (let at = 1; at <= 4; at++) await house.say(`question ${at}`);
        const requests = house.of("model.request-started").length;
        await house.engine.agent.compact({});
        await house.settled();
        expect(house.of("model.request-started").length).toBe(requests + 1);
        expect(house.engine.session.state().turn.queued.map(({ text }) => text)).toContain("one more thing");
      },
    ));
  test("stopped, it leaves everything as it was, and what was said meanwhile follows", () =>
    inSmallWindow(
      {
        script: talk(1_500),
        onSse: (event, house, { body }) => {
          if (event.event === "content_block_delta" && isSummary(body)) house.interrupt();
        },
      },
      async (house) => {
        for (let at = 1; at <= 4; at++) await house.say(`question ${at}`);
        const { messages } = house.engine.session.state().conversation;
        const before = [...messages];
        const made = await house.engine.agent.compact({});
        expect(made).toEqual({ ok: false, error: { reason: "stopped", message: expect.any(String) } });
        expect([...house.engine.session.state().conversation.messages]).toEqual(before);
        expect(house.of("user.interrupted").length).toBe(0);
        await house.say("question 5");
        expect(courseOf(house).at(-1)).toBe("completed");
      },
    ));
  test("not while a turn runs, and not where there is nothing", () =>
    inSmallWindow({ script: task({ steps: 1 }) }, async (house) => {
      expect(await house.engine.agent.compact({})).toMatchObject({ ok: false, error: { reason: "irreducible" } });
      const asked = house.next("tool.started").then(() => house.engine.agent.compact({}));
      await house.say("Print a line.");
      expect(await asked).toMatchObject({ ok: false, error: { reason: "busy" } });
      expect(summaries(house)).toBe(0);
    }));
  test("by nobody: what is known is enough to go on, and it says that no model was asked", () =>
    inSmallWindow({ script: task({ steps: 4 }) }, async (house) => {
      await house.say("Print four lines.");
      expect((await house.engine.agent.compact({ route: "none" })).ok).toBe(true);
      const [compacted] = house.of("context.compacted");
      expect([compacted?.route, compacted?.summaryModel, summaries(house)]).toEqual(["none", "none", 0]);
      await house.say("And four more.");
      expect(courseOf(house).at(-1)).toBe("completed");
    }));
  test("by the API itself: its block is kept as it came, and stands first from then on", () =>
    inSmallWindow({ script: talk(1_500), flags: { compaction: { route: "server" } } }, async (house) => {
      for (let at = 1; at <= 4; at++) await house.say(`question ${at}`);
      expect((await house.engine.agent.compact({})).ok).toBe(true);
      expect(courseOf(house).at(-1)).toBe("compacted user-command by server");
      const [compacted] = house.of("context.compacted");
      await house.say("question 5");
      expect(sent(house, -1)[0]).toEqual({ role: "assistant", content: [compacted?.block] } as never);
      expect([courseOf(house).at(-1), compacted?.summaryModel]).toEqual(["completed", MAIN]);
      await house.reopen();
      await house.say("question 6");
      expect(courseOf(house).at(-1)).toBe("completed");
    }));
});

const BUSY_SERVER: Fault = { kind: "http", status: 529, headers: { "retry-after-ms": "20" } };

test("is not counted as a request of the turn before it", () =>
  inSmallWindow({ script: task({ steps: 3 }), flags: { limits: { maxTurns: 4 } } }, async (house) => {
    await house.say("Print three lines.");
    expect(await house.engine.agent.compact({})).toMatchObject({ ok: true });
    await house.settled();
    expect(courseOf(house)).toEqual(["completed", "compacted user-command by aux"]);
  }));

test("the cap of the turn before it does not stand against it; that of the session does, and says so", () =>
  inSmallWindow({ script: task({ steps: 3 }) }, async (house) => {
    await house.say("Print three lines.");
    const { agent, budget } = house.engine;
    await budget.set("turn", 0.000001);
    await budget.set("session", 0.000001);
    expect(await agent.compact({})).toMatchObject({
      ok: false,
      error: { reason: "budget", message: expect.stringContaining("The cap for the session is used up") },
    });
    await house.settled();
    await budget.set("session", null);
    expect(await agent.compact({})).toMatchObject({ ok: true });
    await house.settled();
  }));

test("does not go on with a turn that a crash cut: that is for the user to say", () =>
  inSmallWindow({ script: task({ steps: 5 }) }, async (house) => {
    let ended = 0;
    await dieBehind(
      house,
      "tool.completed",
      () => house.submit("Print FIVE lines."),
      () => ++ended === 4,
    );
    expect(await house.engine.agent.compact({})).toMatchObject({ ok: true });
    await house.settled();
    expect([courseOf(house), house.engine.session.state().turn.phase]).toEqual([
      ["compacted user-command by aux"],
      "open",
    ]);
    expect(house.engine.agent.resume()).toBe(true);
    await house.settled();
    expect([courseOf(house).at(-1), JSON.stringify(sent(house)).includes("Print FIVE lines.")]).toEqual([
      "completed",
      true,
    ]);
  }));

describe("the model stays while it is made", () => {
  test.each(["before the first request", "between two attempts"])("%s", (when) =>
    inSmallWindow({ script: talk(1_500) }, async (house) => {
      for (let at = 1; at <= 4; at++) await house.say(`question ${at}`);
      if (when !== "before the first request") house.simulator.failNext(BUSY_SERVER);
      const failed = house.next("model.request-failed");
      const made = house.engine.agent.compact({ route: "server" });
      if (when !== "before the first request") await failed;
      expect(switchModel(house.engine, { model: "claude-sonnet-5-5" })).toMatchObject({ ok: false });
      expect(await made).toMatchObject({ ok: true, value: { route: "server" } });
      await house.settled();
      expect(switchModel(house.engine, { model: "claude-sonnet-5-5" })).toMatchObject({ ok: true });
      await house.say("question 5");
      expect([courseOf(house).at(-1), sent(house)[0]?.role]).toEqual(["completed", "user"]);
    }),
  );
});

test("of what is said while it is made nothing is lost: words, a command of the user's own, and what was taken back is not said", () =>
  inSmallWindow({ script: talk(1_500) }, async (house) => {
    for (let at = 1; at <= 4; at++) await house.say(`question ${at}`);
    const { agent } = house.engine;
    const asking = house.next("model.request-started");
    const made = agent.compact({});
    await asking;
    expect(await agent.compact({})).toMatchObject({ ok: false, error: { reason: "busy" } });
    house.submit("WORDS");
    agent.dispatch({ kind: "steer", text: "LATER", deliver: "next-turn" });
    agent.dispatch({ kind: "steer", text: "REGRETTED" });
    const regretted = house.engine.session.state().turn.queued.find(({ text }) => text === "REGRETTED");
    agent.dispatch({ kind: "withdraw", queuedEventId: regretted?.eventId ?? "" });
    agent.dispatch({ kind: "shell", command: "echo SHELL" });
    expect(await made).toMatchObject({ ok: true });
    await house.settled();
    await house.say("question 5");
    const said = JSON.stringify(sent(house));
    expect(["SHELL", "WORDS", "LATER", "REGRETTED"].filter((word) => said.includes(word))).toEqual([
      "SHELL",
      "WORDS",
      "LATER",
    ]);
  }));

test.each(["main", "server"] as const)(
  "by %s behind a tool loop whose thinking a switch of the model took out: it is not asked about as one under way",
  (route) =>
    inSmallWindow({ script: task({ steps: 3, printed: 2_500 }) }, async (house) => {
      await house.say("Print three lines.");
      expect(switchModel(house.engine, { model: "claude-sonnet-5-5" })).toMatchObject({ ok: true });
      expect(await house.engine.agent.compact({ route })).toMatchObject({ ok: true, value: { route: "main" } });
      await house.settled();
      await house.say("And three more.");
      expect(courseOf(house).slice(-1)).toEqual(["completed"]);
    }),
);
