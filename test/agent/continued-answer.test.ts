/** An answer that came in parts is one answer: what a script gets is all of it. */
import { describe, expect, test } from "bun:test";
import { type RunResult, watchRun } from "../../src/cli/result.ts";
import { runHeadless } from "../../src/cli/run-turn.ts";
import { type ScriptedTurn, sequence } from "../../src/simulator/index.ts";
import { bash, inHouse, say, text, turn } from "./driving.ts";

const cut = (words: string): ScriptedTurn => ({ ...say(words), stopReason: "max_tokens" });
const paused = (words: string): ScriptedTurn => ({ ...say(words), stopReason: "pause_turn" });

async function resultOf(...turns: readonly ScriptedTurn[]): Promise<RunResult> {
  let result: RunResult | undefined;
  await inHouse({ script: sequence(turns) }, async (house) => {
    const watch = watchRun(house.engine.session, () => 0);
    result = watch.finish(await runHeadless(house.engine, { prompt: "tell me", onEvent: watch.onEvent }));
  });
  if (!result) throw new Error("there was no run");
  return result;
}

describe("the result of a run", () => {
  test("joins what the output limit parted, as it was parted", async () => {
    expect(await resultOf(cut("The begin"), say("ning and the end."))).toMatchObject({
      status: "completed",
      exit_code: 0,
      result: "The beginning and the end.",
    });
  });

  test("joins what the server paused, however often", async () => {
    expect(await resultOf(paused("One, "), paused("two, "), say("three."))).toMatchObject({
      result: "One, two, three.",
    });
  });

  test("is the last answer alone when the one before it went on to work", async () => {
    const works = turn(text("I look."), bash("echo a"));
    expect(await resultOf(cut("Let me see. "), works, say("It is a."))).toMatchObject({ result: "It is a." });
  });
});
