/** `khaelor -p` over a real task of many steps: what its three outputs promise to scripts, held against the log and the server. */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { modelFacts, priceOf } from "../../src/anthropic/index.ts";
import { appendOnlyViolations, loop, modelLike, type ScriptedTurn } from "../../src/simulator/index.ts";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import {
  fsck,
  IN_ORDER,
  linesOf,
  RUN_TIMEOUT_MS,
  readLog,
  resultOf,
  type Served,
  TEST_KEY,
  withModel,
} from "./stage.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

const ROUNDS = 10;

const files = {
  "count.sh": "count=0\n",
  "test.sh": '. ./count.sh\n[ "$count" -ge 0 ] && echo "1 passed, 0 failed"\n',
  "README.md": "somebody's project\n",
};

/** Reads, edits, tests, ten times over; the commands also look for secrets. */
function step(index: number): ScriptedTurn {
  const round = Math.floor(index / 3);
  const calls = [
    { type: "tool_use", name: "read", input: { file_path: "count.sh" } },
    {
      type: "tool_use",
      name: "edit",
      input: { file_path: "count.sh", old_string: `count=${round}`, new_string: `count=${round + 1}` },
    },
    { type: "tool_use", name: "bash", input: { command: "env | sort >seen-environment; sh test.sh" } },
  ] as const;
  const call = calls[index % 3] ?? calls[0];
  return {
    content: [{ type: "thinking", thinking: `Step ${index}.` }, { type: "text", text: `Step ${index}.` }, call],
  };
}

const script = loop({ steps: 3 * ROUNDS, turn: step, last: "Counted to ten." });

const withTask = (work: (served: Served) => Promise<void>) =>
  withModel({ script, files }, async (served) => {
    served.commit();
    await work(served);
    expect(served.simulator.refusals).toEqual([]);
    expect(appendOnlyViolations(served.simulator.requests)).toEqual([]);
    expect(readFileSync(join(served.project, "count.sh"), "utf8")).toBe(`count=${ROUNDS}\n`);
    expect(readFileSync(join(served.project, "seen-environment"), "utf8")).not.toMatch(/ANTHROPIC|sk-test|KHAELOR/);
    expect(served.stateFiles().filter(({ text }) => text.includes(TEST_KEY))).toEqual([]);
  });

/** What the server counted, by the names of the contract. */
function counted({ simulator }: Served) {
  const usages = simulator.requests.flatMap(({ usage }) => usage ?? []);
  const sum = (name: "input_tokens" | "output_tokens" | "cache_read_input_tokens" | "cache_creation_input_tokens") =>
    usages.reduce((total, usage) => total + usage[name], 0);
  return {
    input: sum("input_tokens"),
    output: sum("output_tokens"),
    cache_read: sum("cache_read_input_tokens"),
    cache_write: sum("cache_creation_input_tokens"),
  };
}

const CHECK = { command: expect.stringContaining("sh test.sh"), exitCode: 0, summary: "1 passed, 0 failed" };

test("json: one line with the contract's fields, and every value of it is true", () =>
  withTask(async (served) => {
    const startedAt = Date.now();
    const ran = await served.ask(["-p", "--yolo", "--output-format", "json", "count to ten"]);
    const elapsedMs = Date.now() - startedAt;
    expect([ran.code, ran.stderr, ran.stdout.split("\n").length]).toEqual([0, "", 2]);
    const [path = ""] = served.logs();
    const [first] = readLog(path);
    const result = resultOf(ran);
    expect(result).toEqual({
      type: "result",
      status: "completed",
      exit_code: 0,
      result: "Counted to ten.",
      session_id: first?.sessionId,
      session_path: path,
      num_turns: 3 * ROUNDS + 1,
      duration_ms: expect.any(Number),
      total_cost_usd: expect.any(Number),
      usage: counted(served),
      changed_files: ["count.sh", "seen-environment"],
      checks: [{ ...CHECK, durationMs: expect.any(Number) }],
      verified: true,
      pending: {},
      issues: [],
    });
    expect(Number(result.duration_ms)).toBeLessThanOrEqual(elapsedMs);
    expect(Number(result.total_cost_usd)).toBeCloseTo(costOf(served), 10);
    expect(await fsck(served, path)).toMatchObject({ ...IN_ORDER, events: readLog(path).length });
  }));

/** From the usage of each request and the published prices of the default model. */
function costOf({ simulator }: Served): number {
  const model = "claude-opus-5-5";
  expect(modelFacts(model).price).toBeDefined();
  return simulator.requests
    .flatMap(({ usage }) => usage ?? [])
    .reduce((total, usage) => {
      const spent = {
        inputTokens: usage.input_tokens,
        outputTokens: usage.output_tokens,
        cacheReadTokens: usage.cache_read_input_tokens,
        cacheWriteTokens: usage.cache_creation_input_tokens,
      };
      return total + (priceOf(model, spent) ?? Number.NaN);
    }, 0);
}

test("text: the answer alone on stdout, and nothing on stderr", () =>
  withTask(async (served) => {
    const { code, stdout, stderr } = await served.ask(["-p", "--yolo", "count to ten"]);
    expect([code, stdout, stderr]).toEqual([0, "Counted to ten.\n", ""]);
  }));

test("stream-json: the log byte for byte, then the result", () =>
  withTask(async (served) => {
    const ran = await served.ask(["-p", "--yolo", "--output-format=stream-json", "count to ten"]);
    const [path = ""] = served.logs();
    const log = readFileSync(path, "utf8");
    expect([ran.code, ran.stdout.slice(0, log.length) === log]).toEqual([0, true]);
    const rest = linesOf(ran.stdout.slice(log.length));
    expect(rest).toMatchObject([{ type: "result", status: "completed", exit_code: 0, session_path: path }]);
  }));

test("a model without a known price: tokens are counted, the cost is null", () =>
  withModel(
    {
      script: () => ({ content: [{ type: "text", text: "Hello." }] }),
      models: [modelLike("claude-opus-5-5", { id: "claude-next-9" })],
    },
    async (served) => {
      const ran = await served.ask(["-p", "-m", "claude-next-9", "--output-format", "json", "hello"]);
      expect(resultOf(ran)).toMatchObject({ exit_code: 0, total_cost_usd: null, usage: counted(served) });
      expect(served.simulator.requests[0]?.body).toMatchObject({ model: "claude-next-9" });
    },
  ));
