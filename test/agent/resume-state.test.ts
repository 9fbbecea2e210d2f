/** What survives the end of the program: open questions, queued words, and what is known of calls that were cut. */
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Engine } from "../../src/cli/engine.ts";
import { watchRun } from "../../src/cli/result.ts";
import { runHeadless } from "../../src/cli/run-turn.ts";
import { sequence } from "../../src/simulator/index.ts";
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

test("a call that had started comes back as one of unknown effect, the one behind it as not run", async () => {
  const script = sequence([turn(bash("echo a"), bash("echo b")), say("Done.")]);
  await inHouse({ script }, async (house) => {
    const started = house.next("tool.started");
    house.submit("run");
    await started;
    await using(await diedAt(house, "tool.started"), async (engine) => {
      engine.agent.resume();
      await engine.agent.settled();
      const results = sent(house)
        .at(-1)
        ?.content.map(({ content }) => content);
      expect(results).toEqual([
        expect.stringContaining("its effects are unknown"),
        "[The program ended before this call started. It was not run.]",
      ]);
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
