/** `khaelor -p` that is stopped, left by its reader, or meets another writer: nothing hangs, and what was recorded goes on. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Script, type SseEvent, sequence } from "../../src/simulator/index.ts";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { descendants, survivors } from "./processes.ts";
import { fsck, IN_ORDER, RUN_TIMEOUT_MS, type Running, readLog, resultOf, type Served, withModel } from "./stage.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

const LONG_ANSWER = "Every word of it comes slowly. ".repeat(20);

/** A server that calls `when` as soon as it has sent the third delta of a text, and goes on slowly. */
async function midStream(work: (served: Served, reached: Promise<void>) => Promise<void>): Promise<void> {
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  let deltas = 0;
  const onEvent = ({ event, data }: SseEvent) => {
    const isText =
      event === "content_block_delta" && typeof data !== "string" && JSON.stringify(data).includes("text_delta");
    if (isText && ++deltas === 3) resolve();
  };
  const script: Script = ({ index, lastUserText }) => ({
    content: [{ type: "text", text: index === 0 && !/Continue/.test(lastUserText()) ? LONG_ANSWER : "Gone on with." }],
  });
  await withModel({ script, stream: { deltaMs: 20 }, onEvent }, (served) => work(served, reached));
}

describe("a signal in the middle of an answer", () => {
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 143],
  ] as const) {
    test(`${signal} ends it with ${code}, says how to go on, and the session can be resumed`, () =>
      midStream(async (served, reached) => {
        const running = served.begin(["-p", "tell me"]);
        await reached;
        running.kill(signal);
        const ran = await running.done;
        expect([ran.code, ran.signal, ran.stdout]).toEqual([code, null, ""]);
        expect(ran.stderr).toContain("khaelor -p --resume");
        const [path = ""] = served.logs();
        const log = readLog(path);
        expect(log.map(({ type }) => type)).toContain("user.interrupted");
        expect(await fsck(served, path)).toMatchObject(IN_ORDER);

        const resumed = await served.ask(["-p", "--resume", "--output-format", "json"]);
        expect(resultOf(resumed)).toMatchObject({ status: "completed", exit_code: 0, result: "Gone on with." });
        expect(await fsck(served, path)).toMatchObject(IN_ORDER);
        expect(served.simulator.refusals).toEqual([]);
      }));
  }

  test("with json output the one line comes all the same", () =>
    midStream(async ({ begin }, reached) => {
      const running = begin(["-p", "--output-format", "json", "tell me"]);
      await reached;
      running.kill("SIGINT");
      const ran = await running.done;
      expect(resultOf(ran)).toMatchObject({ type: "result", status: "interrupted", exit_code: 130, result: "" });
    }));
});

const waits: Script = sequence([
  { content: [{ type: "tool_use", name: "bash", input: { command: "sleep 303 & echo yes >ready; sleep 304" } }] },
  { content: [{ type: "text", text: "It was stopped." }] },
]);

test("SIGINT while a command runs ends the command and its children too", () =>
  withModel({ script: waits }, async (served) => {
    const running = served.begin(["-p", "--yolo", "wait"]);
    await fileIsThere(join(served.project, "ready"));
    const children = descendants(running.pid);
    running.kill("SIGINT");
    const { code } = await running.done;
    expect([code, children.length > 1]).toEqual([130, true]);
    expect(await survivors(children)).toEqual([]);
    expect(await fsck(served, served.logs()[0] ?? "")).toMatchObject(IN_ORDER);
  }));

/** Another process makes it; there is no event to wait for that all systems have. */
async function fileIsThere(path: string): Promise<void> {
  for (let tries = 0; !existsSync(path) && tries < 2_000; tries++) await Bun.sleep(5);
}

describe("a reader that leaves", () => {
  const answer = sequence([{ content: [{ type: "text", text: LONG_ANSWER.repeat(160) }] }]);

  for (const args of ["--output-format stream-json", "--output-format json", ""]) {
    test(`head -c 1 behind ${args || "text"}: the run ends by itself, complains of nothing, and its log is whole`, () =>
      withModel({ script: answer, stream: { deltaChars: 10_000 } }, async (served) => {
        const shell = `"$KHAELOR" -p ${args} hello | head -c 1 >/dev/null; echo "\${PIPESTATUS[0]}"`;
        const { stdout, stderr } = await served.ask([], { shell });
        expect([stdout, stderr]).toEqual(["0\n", ""]);
        const [path = ""] = served.logs();
        expect(readLog(path).at(-1)?.type).toBe("task.completed");
        expect(await fsck(served, path)).toMatchObject(IN_ORDER);
      }));
  }

  test("a reader that is slow gets everything", () =>
    withModel({ script: answer, stream: { deltaChars: 10_000 } }, async ({ ask }) => {
      const { stdout } = await ask([], { shell: '"$KHAELOR" -p hello | { sleep 0.5; cat; } | wc -c' });
      expect(Number(stdout)).toBe(LONG_ANSWER.length * 160 + 1);
    }));
});

test("a second writer gets 10 and is told who holds the session; readers are not in the way; the first one finishes", () =>
  midStream(async (served, reached) => {
    const running: Running = served.begin(["-p", "tell me"]);
    await reached;
    const [path = ""] = served.logs();
    const [{ sessionId = "" } = {}] = readLog(path);
    const before = readFileSync(path, "utf8");
    const second = await served.ask(["-p", "-r", sessionId, "me too"]);
    expect([second.code, second.stdout]).toEqual([10, ""]);
    expect(second.stderr).toContain(`process ${running.pid}`);
    expect(second.stderr.trimEnd().split("\n")).toHaveLength(1);
    const shown = await served.run(["sessions", "show", sessionId]);
    expect([shown.code, shown.stdout.includes("tell me")]).toEqual([0, true]);
    expect((await served.run(["fsck", path])).code).toBe(0);
    expect(readFileSync(path, "utf8").startsWith(before)).toBe(true);
    const first = await running.done;
    expect([first.code, first.stdout.trim()]).toEqual([0, LONG_ANSWER.trim()]);
  }));
