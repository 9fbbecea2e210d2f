/** Slash commands about the model, what it sees and what it costs, through a real house. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inTerminalHouse, payloadsOf, saying } from "../../support/terminal-house.ts";

describe("the model", () => {
  test("/model switches between turns, says what is lost, and the next request goes there", async () => {
    await inTerminalHouse({}, async (house) => {
      await house.open();
      const [before] = saying(await house.run("/model claude-sonnet-5-5"));
      expect(before).toBe("From here on: claude-sonnet-5-5.");
      await house.say("say one");
      const [after = ""] = saying(await house.run("/model claude-haiku-5-5"));
      expect(after).toMatch(
        /^From here on: claude-haiku-5-5\. The cache is of no use to the next request: it reads \S+ tokens anew, for about \$[\d.e-]+\.$/,
      );
      await house.say("say two");
      expect(payloadsOf(house, "model.request-started").map(({ model }) => model)).toEqual([
        "claude-sonnet-5-5",
        "claude-haiku-5-5",
      ]);
      expect(payloadsOf(house, "session.model-changed").map(({ to, reason }) => [to, reason])).toEqual([
        ["claude-sonnet-5-5", "user"],
        ["claude-haiku-5-5", "user"],
      ]);
      expect(saying(await house.run("/model claude-haiku-5-5"))).toEqual(["It is claude-haiku-5-5 already."]);
      expect(await house.refusal("/model claude-opus-5-6")).toBe(
        "There is no model claude-opus-5-6; did you mean claude-opus-5-5?",
      );
    });
  });

  test("what is dear to read again is asked about when a name is typed, and told where one chooses", async () => {
    await inTerminalHouse({}, async (house) => {
      const session = await house.open();
      for (let n = 0; n < 5; n++) await house.say("run head -c 8000 /dev/zero | tr '\\0' x\nsay It is printed.");
      const [asked, done] = await house.run("/model claude-opus-5", undefined);
      expect([asked, done]).toEqual([
        {
          choose: {
            title: expect.stringMatching(/^claude-opus-5 would read \S+ tokens anew, for about \$0\.\d+$/),
            rows: [
              { value: "switch", label: "switch" },
              { value: "stay", label: "leave it as it is" },
            ],
          },
        },
        { say: "Nothing was changed." },
      ]);
      expect(payloadsOf(house, "session.model-changed")).toEqual([]);
      const [, effort] = await house.run("/effort high", "switch");
      expect([effort, session.facts().effort]).toEqual([
        { say: expect.stringContaining("it reads "), tone: "ok" },
        "high",
      ]);
      const cheap = await house.run("/model claude-haiku-5-5");
      expect(saying(cheap)[0]).toMatch(
        /^From here on: claude-haiku-5-5\. The cache is of no use .* for about \$0\.0\d+\.$/,
      );
      const [levels] = await house.run("/model claude-opus-5-5", "switch").then(() => house.run("/effort", undefined));
      expect(levels).toMatchObject({
        choose: {
          title: expect.stringMatching(
            /^How hard is claude-opus-5-5 to think\? A change reads \S+ tokens anew, for about \$0\.\d+\.$/,
          ),
        },
      });
      expect(await house.refusal("/effort enormous")).toContain('has no effort "enormous"'); // nothing is asked before that
    });
  });

  test("/model asks with windows and prices, and --save keeps it for new sessions", async () => {
    await inTerminalHouse({}, async (house) => {
      await house.open();
      const [asked] = await house.run("/model --save", "claude-opus-5");
      expect(asked).toMatchObject({
        choose: {
          isFiltered: true,
          rows: expect.arrayContaining([{ value: "claude-opus-5", label: "claude-opus-5", detail: "1M  $5/$25" }]),
        },
      });
      expect(readFileSync(join(house.home, "config.json"), "utf8")).toContain('"claude-opus-5"');
      await house.run("/new");
      expect(house.session().facts().model).toBe("claude-opus-5");
    });
  });

  test("/model takes a part of an id, asks which of several, and says when nobody knows it", async () => {
    await inTerminalHouse({}, async (house) => {
      await house.open();
      expect(saying(await house.run("/model mythos-preview"))).toEqual(["From here on: claude-mythos-preview."]);
      const [asked] = await house.run("/model Sonnet", "claude-sonnet-5");
      const rows = asked && "choose" in asked ? asked.choose.rows.map(({ value }) => value) : [];
      expect([rows.length > 1, rows.filter((id) => !id.includes("sonnet"))]).toEqual([true, []]);
      expect(house.session().facts().model).toBe("claude-sonnet-5");
      expect(saying(await house.run("/model other/one"))).toEqual([
        "From here on: other/one. It is in no list of models: the next request shows whether there is one.",
      ]);
    });
  });

  test("/effort takes the model's own levels, and nothing changes in the middle of a turn", async () => {
    await inTerminalHouse({}, async (house) => {
      const session = await house.open();
      expect(await house.refusal("/effort enormous")).toContain('has no effort "enormous"; it has low, medium');
      await house.run("/effort high");
      expect([session.facts().effort, payloadsOf(house, "session.model-changed")[0]]).toMatchObject([
        "high",
        { effort: "high" },
      ]);
      expect(saying(await house.run("/effort auto"))[0]).toMatch(/^From here on: claude-\S+, effort auto\./);
      expect([session.facts().effort, saying(await house.run("/effort auto"))[0]]).toEqual([
        undefined,
        expect.stringMatching(/^It is claude-\S+, effort auto already\.$/),
      ]);
      await house.say("say one");
      expect(house.simulator.requests.at(-1)?.body).not.toHaveProperty("output_config");
      await house.run("/effort high");
      session.dispatch({ kind: "submit-message", text: "run sleep 300.72", mentions: [] });
      expect(await house.refusal("/model claude-opus-5")).toContain("cannot change in the middle of its work");
      session.dispatch({ kind: "interrupt" });
      await house.host.engine().agent.settled();
    });
  });

  test("/context tells what was sent by section, all of it, and what it was", async () => {
    await inTerminalHouse({}, async (house) => {
      await house.open();
      expect(saying(await house.run("/context"))[0]).toContain("Nothing was sent yet");
      await house.say("say first");
      await house.say("say second");
      const [sections = ""] = saying(await house.run("/context"));
      const { usage } = house.host.engine().session.state();
      const last = usage.last ?? expect.unreachable();
      const real = last.inputTokens + last.cacheReadTokens + last.cacheWriteTokens + last.outputTokens;
      expect(sections).toContain(`**${real}** tokens as the API counted them`);
      expect(sections).toMatch(/\| system \| \d+ \| \d+% \|/);
      expect(saying(await house.run("/context all"))[0]).toContain("say second");
      const seq = house.events.find(({ type }) => type === "model.response-completed")?.seq ?? 0;
      const [then = ""] = saying(await house.run(`/context @${seq}`));
      expect([then.includes("say first"), then.includes("say second")]).toEqual([true, false]);
      expect(await house.refusal("/context @9999")).toContain("The last event is @");
    });
  });

  test("/cost and /status tell what is known, and that something is not known", async () => {
    await inTerminalHouse({ files: { "AGENTS.md": "Be brief.\n" } }, async (house) => {
      await house.open();
      expect(saying(await house.run("/cost"))).toEqual(["Nothing was sent yet, so nothing was spent."]);
      await house.say("say one");
      const { total } = house.host.engine().session.state().usage;
      const [cost = ""] = saying(await house.run("/usage"));
      expect(cost).toMatch(/^\*\*\$[\d.e-]+\*\* for 1 request\./);
      expect(cost).toContain(`| sent | ${total.inputTokens + total.cacheReadTokens + total.cacheWriteTokens} |`);
      const [status = ""] = saying(await house.run("/status"));
      expect(status).toContain("| instructions | `~/project/AGENTS.md` |");
      expect(status).toContain("| permissions | mode bypass, 0 rules (/permissions) |");
      await house.run("/model claude-mythos-5");
      await house.say("say two");
      const [both = ""] = saying(await house.run("/cost"));
      expect(both).toContain("the price is not known");
      expect(both).toContain("|  | opus-5-5 | mythos-5 | together |");
      expect(both).toContain("| answers | 1 | 1 | 2 |");
      expect(both).toContain("| price |  | unknown |  |");
    });
  });
});
