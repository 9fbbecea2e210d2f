/** Caps of money with the compiled program: they hold in every front and over every restart, and the exit code is 7. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { loop, type Script } from "../../src/simulator/index.ts";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { fsck, IN_ORDER, linesOf, RUN_TIMEOUT_MS, readLog, resultOf, withModel } from "./stage.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

const working: Script = loop({
  steps: 2,
  turn: (at) => ({ content: [{ type: "tool_use", name: "bash", input: { command: `echo ${at}` } }] }),
});

const JSON_OUT = ["--yolo", "--output-format", "json"];

describe("a cap of a session", () => {
  test("stops it with 7 and the way on, also when it is resumed, until a higher one lets it end", () =>
    withModel({ script: working }, async (served) => {
      const { ask, simulator } = served;
      const ran = await ask(["-p", ...JSON_OUT, "--config", "limits.maxSessionUsd=0.0001", "go"]);
      const { session_id: id } = resultOf(ran);
      const issues = [
        expect.stringContaining(`To go on, run khaelor -p --resume ${id} --config limits.maxSessionUsd=`),
      ];
      expect([ran.code, ran.stderr]).toEqual([7, ""]);
      expect(resultOf(ran)).toMatchObject({ status: "failed", exit_code: 7, result: "", num_turns: 1, issues });
      const again = await ask(["-p", ...JSON_OUT, "--resume"]);
      expect([again.code, resultOf(again).num_turns, simulator.requests.length]).toEqual([7, 0, 1]);
      const [, way = ""] = /run khaelor (.*)\.$/.exec(String((resultOf(again).issues as string[])[0])) ?? [];
      const last = await ask([...way.split(" "), "--yolo", "--config", "limits.maxSessionUsd=1"]);
      expect([last.code, last.stdout, simulator.requests.length]).toEqual([0, "Done.\n", 3]);
      expect(await fsck(served, served.logs()[0] ?? "")).toMatchObject(IN_ORDER);
    }));

  test("that a program has set as a front holds in a later run, and of the day in another session", () =>
    withModel({ script: working }, async ({ ask, logs, simulator }) => {
      const line = (command: string, args: string) => `${JSON.stringify({ kind: "slash", command, args })}\n`;
      const front = ["-p", "--yolo", "--input-format", "stream-json", "--output-format", "stream-json"];
      const said = await ask(front, { stdin: `${line("budget", "session 0.0001")}${line("budget", "sesion 5")}` });
      expect(said.stderr).toContain('budget: There is no cap for "sesion"; did you mean session');
      const granted = linesOf(said.stdout).filter(({ type }) => type === "permission.granted");
      expect(granted.map(({ payload }) => payload.budget)).toEqual([{ sessionUsd: 0.0001 }]);
      const ran = await ask(["-p", ...JSON_OUT, "--resume", readLog(logs()[0] ?? "")[0]?.sessionId ?? "", "go"]);
      expect([ran.code, resultOf(ran).num_turns]).toEqual([7, 1]);
      const other = await ask(["-p", ...JSON_OUT, "--config", "limits.maxDayUsd=0.0001", "go"]);
      expect([other.code, resultOf(other).num_turns, simulator.requests.length]).toEqual([7, 0, 1]);
    }));
});
