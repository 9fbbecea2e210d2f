/** `khaelor -p` within limits: what ends it, with which code and words, and that the same session goes on afterwards. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type Fault, loop, type Script } from "../../src/simulator/index.ts";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { fsck, IN_ORDER, linesOf, RUN_TIMEOUT_MS, readLog, resultOf, type Served, withModel } from "./stage.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

const working: Script = loop({
  steps: 3,
  turn: (at) => ({ content: [{ type: "tool_use", name: "bash", input: { command: `echo ${at}` } }] }),
});

/** Ends with 7 under these flags, says how to go on, and goes on without them. */
async function endsAndGoesOn(served: Served, flags: readonly string[], issue: RegExp): Promise<void> {
  const ran = await served.ask(["-p", "--yolo", "--output-format", "json", ...flags, "go"]);
  expect([ran.code, ran.stderr]).toEqual([7, ""]);
  expect(resultOf(ran)).toMatchObject({ status: "failed", exit_code: 7, result: "" });
  expect(resultOf(ran).issues).toEqual([expect.stringMatching(issue)]);
  const [path = ""] = served.logs();
  expect(readLog(path).at(-1)?.type).toBe("task.failed");
  expect(await fsck(served, path)).toMatchObject(IN_ORDER);
  const more = await served.ask(["-p", "--resume", "--yolo"]);
  expect([more.code, more.stdout]).toEqual([0, "Done.\n"]);
  expect(await fsck(served, path)).toMatchObject(IN_ORDER);
  expect(served.simulator.refusals).toEqual([]);
}

describe("a limit", () => {
  test("of requests", () =>
    withModel({ script: working }, (served) =>
      endsAndGoesOn(served, ["--max-turns", "2"], /2 requests.*--resume and a higher --max-turns/),
    ));

  test("of money", () =>
    withModel({ script: working }, (served) =>
      endsAndGoesOn(served, ["--max-budget-usd", "0.0001"], /budget.*--resume and a higher --max-budget-usd/),
    ));

  test("of time, in the middle of an answer", () =>
    withModel({ script: (request) => ({ ...working(request), delayMs: request.index === 0 ? 2_000 : 0 }) }, (served) =>
      endsAndGoesOn(served, ["--timeout", "1s"], /time limit of 1 s.*--resume.*--timeout/),
    ));

  test("of time, while it waits for another attempt", () =>
    withModel({ script: working }, async (served) => {
      const busy: Fault = { kind: "http", status: 529, headers: { "retry-after": "60" } };
      served.simulator.failNext(busy);
      const ran = await served.ask(["-p", "--yolo", "--timeout", "1", "go"]);
      expect([ran.code, ran.stderr]).toEqual([7, expect.stringContaining("The time limit of 1 s was reached.")]);
      expect(await fsck(served, served.logs()[0] ?? "")).toMatchObject(IN_ORDER);
    }));

  test("of time ends a front whose program says nothing more", () =>
    withModel({ script: (request) => ({ ...working(request), delayMs: 20_000 }) }, async (served) => {
      const streams = ["--input-format", "stream-json", "--output-format", "stream-json"];
      const ran = await served.ask(["-p", ...streams, "--timeout", "1", "go"], { stdin: { silent: true } });
      const [event, result] = linesOf(ran.stdout).slice(-2);
      expect([ran.code, event?.type, result as unknown]).toEqual([
        7,
        "task.failed",
        expect.objectContaining({ type: "result", status: "failed", exit_code: 7 }),
      ]);
    }));

  test("of time ends a front between two turns, which one more result says", () =>
    withModel({ script: () => ({ content: [{ type: "text", text: "Hello." }] }) }, async (served) => {
      const streams = ["-p", "--input-format", "stream-json", "--output-format", "stream-json", "--timeout", "1"];
      const issues = [expect.stringContaining("The time limit of 1 s was reached.")];
      for (const words of [["hi"], []]) {
        const ran = await served.ask([...streams, ...words], { stdin: { silent: true } });
        const results = linesOf(ran.stdout).filter(({ type }) => type === "result") as readonly unknown[];
        expect([ran.code, results]).toEqual([
          7,
          [
            ...words.map(() => expect.objectContaining({ status: "completed", exit_code: 0, result: "Hello." })),
            expect.objectContaining({ status: "idle", exit_code: 7, result: "", num_turns: 0, issues }),
          ],
        ]);
      }
    }));

  test("that makes no sense is refused before anything is begun", () =>
    withModel({ script: working }, async ({ ask, logs, simulator }) => {
      for (const [flag, value] of [
        ["--max-turns", "0"],
        ["--max-turns", "many"],
        ["--max-turns", "1.5"],
        ["--max-budget-usd", "0"],
        ["--max-budget-usd", "$3"],
        ["--timeout", "soon"],
        ["--timeout", "-3"],
        ["--timeout", "0"],
      ] as const) {
        const { code, stdout, stderr } = await ask(["-p", flag, value, "go"]);
        expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(flag)]);
        expect(stderr).toContain(value);
      }
      expect([logs(), simulator.requests.length]).toEqual([[], 0]);
    }));

  test("of money, for a model whose price nobody knows, is refused with what to do", () =>
    withModel({ script: working }, async ({ ask, logs }) => {
      for (const args of [
        ["-m", "mystery"],
        ["--fallback-model", "mystery"],
        ["--aux-model", "mystery"],
      ]) {
        const { code, stderr } = await ask(["-p", "--max-budget-usd", "1", ...args, "go"]);
        expect([code, stderr]).toEqual([2, expect.stringMatching(/price of mystery is not known.*"prices"/)]);
      }
      expect(logs()).toEqual([]);
    }));

  test("of money, at the user's own prices, is kept by them", () =>
    withModel({ script: working }, async ({ ask }) => {
      const price = { input: 1_000_000, output: 1_000_000, cacheRead: 1_000_000 };
      const own = `prices=${JSON.stringify({ "claude-opus-5-5": price })}`;
      const flags = ["--yolo", "--output-format", "json", "--max-budget-usd", "1000", "--config", own];
      const ran = await ask(["-p", ...flags, "go"]);
      expect([ran.code, Number(resultOf(ran).total_cost_usd) > 1000]).toEqual([7, true]);
    }));
});

const OVERLOADED: Fault = { kind: "http", status: 529, headers: { "x-should-retry": "false" } };

test("with a fallback an overloaded model is replaced, and a person is told", () =>
  withModel(
    {
      script: ({ body }) => ({
        content: [{ type: "text", text: `from ${body.model}` }],
        ...(body.model !== "claude-sonnet-5-5" && {
          fault: Array.from({ length: 9 }, () => OVERLOADED),
        }),
      }),
    },
    async (served) => {
      const args = ["-p", "--fallback-model", "claude-sonnet-5-5"];
      const ran = await served.ask([...args, "go"]);
      expect([ran.code, ran.stdout]).toEqual([0, "from claude-sonnet-5-5\n"]);
      expect(ran.stderr.split("\n")).toEqual([
        "khaelor: claude-opus-5-5 does not answer; this goes on with claude-sonnet-5-5",
        "khaelor: claude-opus-5-5 did not answer: from there on it was claude-sonnet-5-5.",
        "",
      ]);
      expect(await fsck(served, served.logs()[0] ?? "")).toMatchObject(IN_ORDER);
      const json = await served.ask([...args, "--output-format", "json", "go"]);
      expect(resultOf(json)).toMatchObject({
        exit_code: 0,
        issues: ["claude-opus-5-5 did not answer: from there on it was claude-sonnet-5-5."],
      });
      const without = await served.ask(["-p", "go"]);
      expect(without.code).toBe(8);
    },
  ));
