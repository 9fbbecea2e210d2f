/** A resume: when there is something to go on with, what stays as it was, and what the command line may change. */
import { describe, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runHeadless } from "../../src/cli/run-turn.ts";
import type { ScriptedTurn, ScriptRequest } from "../../src/simulator/index.ts";
import { type Driven, expectSound, inHouse, read, sent, thinking, turn } from "./driving.ts";
import { cutHome, engineIn, recordingOf } from "./engines.ts";

/** From the log, for they are recorded while a session is opened. */
const switches = (house: Driven): readonly unknown[] =>
  recordingOf(house).lines.flatMap((line) => {
    const { type, payload } = JSON.parse(line);
    return type === "session.model-changed" ? [[payload.from, payload.to]] : [];
  });

describe("a resume", () => {
  const loop = ({ index }: ScriptRequest): ScriptedTurn =>
    index % 2 === 0 ? turn(thinking("Look."), read("a.md")) : turn(thinking("Fine."), { type: "text", text: "Done." });
  const files = { "a.md": "x\n" };

  test("waits for the user, and knows when there is nothing to go on with", async () => {
    await inHouse({ script: loop, files }, async (house) => {
      await house.reopen();
      expect(house.engine.agent.resume()).toBe(false);
      await house.say("look");
      await house.reopen();
      expect([house.engine.agent.isBusy(), house.engine.agent.resume()]).toEqual([false, false]);
      const end = await runHeadless(house.engine, { prompt: undefined, onEvent: () => undefined });
      expect(end).toEqual({ idle: true });
    });
  });

  test("sends the same prefix again, so that the cache and the thoughts hold", async () => {
    await inHouse({ script: loop, files }, async (house) => {
      await house.say("look");
      await house.reopen();
      await house.say("look again");
      const [system, tools] = house.simulator.requests
        .map(({ body }) => body as Record<string, unknown>)
        .reduce(
          ([systems, toolses], body) => [
            [...systems, JSON.stringify(body.system)],
            [...toolses, JSON.stringify(body.tools)],
          ],
          [[], []] as [string[], string[]],
        );
      expect([new Set(system).size, new Set(tools).size]).toEqual([1, 1]);
      const answers = sent(house).filter(({ role }) => role === "assistant");
      expect(answers.map(({ content }) => content.map(({ type }) => type))).toEqual([
        ["thinking", "tool_use"],
        ["thinking", "text"],
        ["thinking", "tool_use"],
      ]);
    });
  });

  test("whose frozen prefix is gone begins a new one, and says so", async () => {
    await inHouse({ script: loop, files }, async (house) => {
      await house.say("look");
      const recording = recordingOf(house);
      const home = cutHome(recording, recording.lines.length);
      rmSync(join(home, "blobs"), { recursive: true });
      writeFileSync(join(house.cwd, "AGENTS.md"), "Use tabs.\n"); // what would be rendered now is not what was
      const places = { home, userHome: dirname(house.cwd), cwd: house.cwd };
      const engine = await engineIn(house, { places, resume: recording.id });
      try {
        expect(engine.notices).toMatchObject([expect.stringContaining("goes on with new ones")]);
        engine.agent.dispatch({ kind: "submit-message", text: "look again", mentions: [] });
        await engine.agent.settled();
        expect(engine.session.state().meta.lastOutcome).toBe("completed");
        expect(engine.session.state().conversation.breaks).toBe(1);
        await expectSound({ engine });
      } finally {
        await engine.close();
      }
    });
  });

  test("with --model goes on with that model from the next message on", async () => {
    await inHouse({ script: loop, files }, async (house) => {
      await house.say("look");
      await house.reopen({ flags: { model: "claude-sonnet-5-5" } });
      await house.say("look again");
      const models = house.simulator.requests.map(({ body }) => (body as { readonly model: string }).model);
      expect(models).toEqual(["claude-opus-5-5", "claude-opus-5-5", "claude-sonnet-5-5", "claude-sonnet-5-5"]);
      expect(switches(house)).toEqual([["claude-opus-5-5", "claude-sonnet-5-5"]]);
      await house.reopen();
      expect(house.engine.session.state().turn.model).toBe("claude-sonnet-5-5");
    });
  });

  test("with --model in the middle of a tool loop keeps the old one, and says so", async () => {
    await inHouse({ script: loop, files }, async (house) => {
      const started = house.next("tool.started");
      house.submit("look");
      await started;
      house.interrupt();
      await house.settled();
      await house.reopen({ flags: { model: "claude-sonnet-5-5" } });
      expect(house.engine.notices).toEqual([expect.stringContaining("goes on with claude-opus-5-5")]);
      await house.say("look again");
      expect(switches(house)).toEqual([]);
      expect(house.types().at(-1)).toBe("task.completed");
    });
  });

  test("with --effort changes what is asked for, and without it nothing", async () => {
    await inHouse({ script: loop, files }, async (house) => {
      await house.say("look");
      await house.reopen({ flags: { effort: "low", model: "claude-opus-5-5" } });
      await house.say("look again");
      await house.reopen({ flags: { effort: "low" } });
      await house.say("and again");
      const efforts = house.simulator.requests.map(
        ({ body }) => (body as { readonly output_config?: { readonly effort?: string } }).output_config?.effort,
      );
      expect(efforts).toEqual([undefined, undefined, "low", "low", "low", "low"]);
      expect(switches(house)).toEqual([["claude-opus-5-5", "claude-opus-5-5"]]);
    });
  });

  test("of an interrupted turn tells the model to go on, once", async () => {
    await inHouse({ script: loop, files }, async (house) => {
      const started = house.next("tool.started");
      house.submit("look");
      await started;
      house.interrupt();
      await house.settled();
      await house.reopen();
      expect(house.engine.agent.resume()).toBe(true);
      expect(house.engine.agent.resume()).toBe(false);
      await house.settled();
      expect(house.of("user.message-created").map(({ by }) => by)).toEqual(["user", "kernel"]);
      expect(house.types().at(-1)).toBe("task.completed");
    });
  });
});
