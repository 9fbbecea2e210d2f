/** What `/compact` asks for, between two turns: with a focus, by each route, stopped, and where it cannot be. */
import { describe, expect, test } from "bun:test";
import { courseOf, inSmallWindow, isSummary, MAIN, summaries, talk, task } from "./compacting.ts";
import { sent } from "./driving.ts";

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
