/** What survives the end of the program: open questions, queued words, the prefix; and what a resume may change. */
import { describe, expect, test } from "bun:test";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Engine } from "../../src/cli/engine.ts";
import { watchRun } from "../../src/cli/result.ts";
import { runHeadless } from "../../src/cli/run-turn.ts";
import { type ScriptedTurn, type ScriptRequest, sequence } from "../../src/simulator/index.ts";
import { bash, type Driven, expectSound, inHouse, lastSaid, read, say, sent, thinking, turn } from "./driving.ts";
import { cutHome, engineIn, recordingOf } from "./engines.ts";

const ASK = { flags: { permissionMode: "ask" }, somebodyToAsk: true } as const;

/** Runs `submit` until `type` has been recorded for the n-th time, and gives an engine over the log as it then was. */
async function diedAt(
  house: Driven,
  type: string,
  options: { readonly times?: number; readonly engine?: Parameters<typeof engineIn>[1] } = {},
): Promise<Engine> {
  house.interrupt();
  await house.settled();
  const recording = recordingOf(house);
  const places = recording.lines.flatMap((line, at) => (line.includes(`"type":"${type}"`) ? [at + 1] : []));
  const home = cutHome(recording, places[(options.times ?? 1) - 1] ?? 0);
  return engineIn(house, {
    places: { home, userHome: dirname(house.cwd), cwd: house.cwd },
    resume: recording.id,
    ...ASK,
    ...options.engine,
  });
}

async function using(engine: Engine, run: (engine: Engine) => Promise<void>): Promise<void> {
  try {
    await run(engine);
    await expectSound({ engine });
  } finally {
    await engine.close();
  }
}

describe("an approval that was pending", () => {
  const script = sequence([turn(thinking("Hm."), bash("sh make.sh"), read("make.sh")), say("Done.")]);
  const files = { "make.sh": "touch made.md\n" };
  const made = (house: Driven) => existsSync(join(house.cwd, "made.md"));

  async function pending(run: (house: Driven) => Promise<void>): Promise<void> {
    await inHouse({ ...ASK, script, files }, async (house) => {
      const asked = house.next("permission.requested");
      house.submit("make it");
      await asked;
      await run(house);
    });
  }
  const questions = ({ session }: Engine) => session.state().turn.permissions;

  for (const resumed of [false, true]) {
    test(`comes back as it was and is answered, ${resumed ? "after" : "without"} an order to go on`, async () => {
      await pending(async (house) => {
        const before = house.engine.session.state().turn.permissions;
        await using(await diedAt(house, "permission.requested"), async (engine) => {
          const requests = house.simulator.requests.length;
          expect(questions(engine)).toEqual(before);
          expect(engine.session.state().turn.pending.map(({ stage }) => stage)).toEqual(["waiting", "requested"]);
          if (resumed) expect(engine.agent.resume()).toBe(true);
          expect([made(house), house.simulator.requests.length]).toEqual([false, requests]);
          const requestId = before[0]?.permissionRequestId ?? "";
          engine.agent.dispatch({ kind: "permission-response", requestId, decision: "once" });
          await engine.agent.settled();
          expect([made(house), questions(engine)]).toEqual([true, []]);
          expect(lastSaid(house)).toEqual(["result", "result"]);
          expect(engine.session.state().meta.lastOutcome).toBe("completed");
        });
      });
    });
  }

  test("is refused in words", async () => {
    await pending(async (house) => {
      await using(await diedAt(house, "permission.requested"), async (engine) => {
        const requestId = questions(engine)[0]?.permissionRequestId ?? "";
        engine.agent.dispatch({ kind: "permission-response", requestId, decision: "deny", feedback: "not now" });
        await engine.agent.settled();
        expect([made(house), questions(engine)]).toEqual([false, []]);
        expect(lastSaid(house)).toEqual(["error", "result"]);
        expect(JSON.stringify(sent(house).at(-1))).toContain("The user refused: not now");
      });
    });
  });

  test("still stands after a new message, which the model reads behind its result", async () => {
    await pending(async (house) => {
      await using(await diedAt(house, "permission.requested"), async (engine) => {
        const before = questions(engine);
        engine.agent.dispatch({ kind: "submit-message", text: "are you there?", mentions: [] });
        expect(questions(engine)).toEqual(before);
        const requestId = before[0]?.permissionRequestId ?? "";
        engine.agent.dispatch({ kind: "permission-response", requestId, decision: "once" });
        await engine.agent.settled();
        expect(lastSaid(house)).toEqual(["result", "result", "text: are you there?"]);
      });
    });
  });

  test("with nobody to ask is a refusal, and exit code 4", async () => {
    await pending(async (house) => {
      const died = await diedAt(house, "permission.requested", { engine: { somebodyToAsk: false } });
      await using(died, async (engine) => {
        const watch = watchRun(engine.session, () => 0);
        const end = await runHeadless(engine, { prompt: undefined, onEvent: watch.onEvent });
        expect(watch.finish(end)).toMatchObject({ status: "completed", exit_code: 4, result: "Done.", pending: {} });
        expect(made(house)).toBe(false);
      });
    });
  });

  test("and granted just before the crash is not run without being asked for again", async () => {
    await pending(async (house) => {
      house.engine.session.bus.on("permission.granted", () => queueMicrotask(house.interrupt));
      const [open] = house.engine.session.state().turn.permissions;
      const requestId = open?.permissionRequestId ?? "";
      house.engine.agent.dispatch({ kind: "permission-response", requestId, decision: "once" });
      await using(await diedAt(house, "permission.granted"), async (engine) => {
        engine.agent.resume();
        await engine.agent.settled();
        expect(made(house)).toBe(false);
        expect(lastSaid(house)).toEqual(["error", "error"]);
      });
    });
  });
});

describe("words that were queued", () => {
  test("are delivered where they would have been", async () => {
    const script = sequence([turn(bash("echo one")), say("Noted."), say("And that.")]);
    await inHouse({ script }, async (house) => {
      const started = house.next("tool.started");
      house.submit("run");
      await started;
      house.engine.agent.dispatch({ kind: "steer", text: "be brief" });
      house.engine.agent.dispatch({ kind: "steer", text: "then rest", deliver: "next-turn" });
      await using(await diedAt(house, "user.steering-queued", { times: 2 }), async (engine) => {
        expect(engine.session.state().turn.queued).toMatchObject([
          { text: "be brief", deliver: "now" },
          { text: "then rest", deliver: "next-turn" },
        ]);
        const requests = house.simulator.requests.length;
        engine.agent.resume();
        await engine.agent.settled();
        expect(lastSaid(house, requests)).toEqual(["error", "text: be brief"]);
        expect(lastSaid(house, requests + 1)).toEqual(["text: then rest"]);
        expect(engine.session.state().turn).toMatchObject({ phase: "idle", queued: [], turns: 2 });
      });
    });
  });
});

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
      await using(await engineIn(house, { places, resume: recording.id }), async (engine) => {
        expect(engine.notices).toMatchObject([expect.stringContaining("goes on with new ones")]);
        engine.agent.dispatch({ kind: "submit-message", text: "look again", mentions: [] });
        await engine.agent.settled();
        expect(engine.session.state().meta.lastOutcome).toBe("completed");
        expect(engine.session.state().conversation.breaks).toBe(1);
      });
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
