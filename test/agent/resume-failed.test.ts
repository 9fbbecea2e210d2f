/** A turn whose request failed for good, as with a rate limit or a wrong key: once the cause is gone, a resume goes on with it. */
import { describe, expect, test } from "bun:test";
import { CONTINUATIONS } from "../../src/agent/texts.ts";
import { watchRun } from "../../src/cli/result.ts";
import { runHeadless } from "../../src/cli/run-turn.ts";
import { type ScriptedTurn, type ScriptRequest, sequence } from "../../src/simulator/index.ts";
import { bash, type Driven, edit, inHouse, lastSaid, read, say, turn } from "./driving.ts";

const LIMITED = { kind: "http", status: 429, headers: { "retry-after": "3600" } } as const;

async function resumed(house: Driven) {
  await house.reopen();
  const watch = watchRun(house.engine.session, () => 0);
  return watch.finish(await runHeadless(house.engine, { prompt: undefined, onEvent: watch.onEvent }));
}

describe("a resume without a prompt", () => {
  test("goes on with a turn that a rate limit ended, from where it stood", async () => {
    const script = sequence([turn(bash("echo once >> ran.md; cat ran.md")), say("It ran once.")]);
    await inHouse({ script }, async (house) => {
      house.engine.session.bus.on("tool.completed", () => house.simulator.failNext(LIMITED));
      await house.say("run it");
      expect(house.types().at(-1)).toBe("task.failed");
      expect(await resumed(house)).toMatchObject({ status: "completed", exit_code: 0, result: "It ran once." });
      expect(lastSaid(house)).toEqual(["result", `text: ${CONTINUATIONS.resumed}`]);
    });
  });

  test("has nothing to go on with once that turn has an answer", async () => {
    await inHouse({ script: sequence([say("Hello.")]) }, async (house) => {
      house.simulator.failNext(LIMITED);
      await house.say("hi");
      await resumed(house);
      expect(await resumed(house)).toMatchObject({ status: "idle", exit_code: 2 });
    });
  });

  test("of a turn that was stopped does not count as a word of the gate's", async () => {
    const files = { "a.sh": "echo one\n", "test.sh": "[ -e go ] || sleep 60; exit 1\n" };
    const steps = [turn(read("a.sh")), turn(edit("a.sh", "one", "two"))];
    const script = ({ index }: ScriptRequest): ScriptedTurn => steps[index] ?? say("Done.");
    await inHouse({ script, files }, async (house) => {
      const requested = house.next("task.verification-requested");
      house.submit("change it");
      await requested;
      house.interrupt();
      await house.settled();
      expect(house.engine.session.state().turn.verification.nudged).toBe(false);
      house.engine.agent.resume();
      expect(house.engine.session.state().turn.verification.nudged).toBe(false);
      house.interrupt();
      await house.settled();
    });
  });
});
