/**
 * `kill -9` of the demo at chosen moments, and the resume after it: nothing that was recorded is lost, no process is left, and the
 * work is finished and proved. For a task with everything in it, see kill-matrix.test.ts.
 */
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Script } from "../../src/simulator/index.ts";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { descendants, type Process, survivors } from "./processes.ts";
import {
  fsck,
  IN_ORDER,
  type Line,
  linesOf,
  openStage,
  RUN_TIMEOUT_MS,
  type Running,
  readLog,
  type Stage,
  withModel,
} from "./stage.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

/** What is known of a run at one moment. */
interface Seen {
  /** Types of the whole lines in its log, in order. */
  readonly types: readonly string[];
  readonly stdout: string;
  readonly ageMs: number;
}
type Moment = (seen: Seen) => boolean;

const logged =
  (type: string, times = 1): Moment =>
  ({ types }) =>
    types.filter((one) => one === type).length >= times;
const printed =
  (words: string): Moment =>
  ({ stdout }) =>
    stdout.includes(words);

/** In the demo: which event is in the log, or which words are on the screen, when the kill comes. */
const MOMENTS: readonly (readonly [name: string, moment: Moment])[] = [
  ["before there is a log", ({ ageMs }) => ageMs >= 40],
  ["the session has begun", logged("session.started")],
  ["the task is recorded", logged("user.message-created")],
  ["a request is out", logged("model.request-started")],
  ["in the middle of a text", printed("I will run the ch")],
  ["a text has settled", logged("model.text-block-completed")],
  ["a call is requested", logged("tool.requested")],
  ["a command has started", logged("tool.started")],
  ["a red check is recorded", logged("verify.result")],
  ["between two requests", logged("model.request-started", 2)],
  ["in the middle of the third text", printed("also counts the minu")],
  ["the edit is requested", logged("tool.requested", 3)],
  ["the edit has started", logged("tool.started", 3)],
  ["the file is changed", logged("file.modified")],
  ["the second run has started", logged("tool.started", 4)],
  ["a green check is recorded", logged("verify.result", 2)],
  ["in the middle of the report", printed("- Cause:")],
  ["the answer is complete", logged("model.response-completed", 5)],
];

interface Killed {
  readonly log: string | undefined;
  /** The whole lines that the log held, as bytes. */
  readonly kept: string;
  readonly children: readonly Process[];
}

/** Stops the program at the moment, looks, and kills it. */
async function killAt(stage: Stage, running: Running, moment: Moment): Promise<Killed> {
  const startedAt = Date.now();
  let over = false;
  void running.done.then(() => {
    over = true;
  });
  while (!over) {
    const [log] = stage.logs();
    const kept = log === undefined ? "" : wholeLines(readFileSync(log, "utf8"));
    const types = linesOf(kept).map(({ type }) => type);
    if (moment({ types, stdout: running.stdout(), ageMs: Date.now() - startedAt })) break;
    // Nothing tells when another process appends a line; this looks often enough to meet every one of them.
    await Bun.sleep(1);
  }
  running.kill("SIGSTOP");
  const [log] = stage.logs();
  const children = descendants(running.pid);
  const kept = log === undefined ? "" : wholeLines(readFileSync(log, "utf8"));
  running.kill("SIGKILL");
  const { code, signal } = await running.done;
  // On a slow machine the end may come before the kill; then it has to be a good one.
  expect([signal, code]).toEqual(signal === null ? [null, 0] : ["SIGKILL", null]);
  return { log, kept, children };
}

const wholeLines = (text: string) => text.slice(0, text.lastIndexOf("\n") + 1);

/** What must hold of the log after the resume, whatever was cut. */
async function expectWhole(stage: Stage, { log, kept, children }: Killed): Promise<readonly Line[]> {
  const path = log ?? stage.logs()[0] ?? "";
  expect(readFileSync(path, "utf8").slice(0, kept.length)).toBe(kept);
  expect(await fsck(stage, path)).toMatchObject(IN_ORDER);
  expect(await survivors(children)).toEqual([]);
  return readLog(path);
}

/** Runs the demo into a kill, resumes it, and tells how both went. */
async function killAndResume(moment: Moment) {
  const stage = await openStage();
  const killed = await killAt(stage, stage.start(["demo"]), moment);
  const { code, stdout, stderr } = await stage.run(["demo", "--resume"]);
  const log = await expectWhole(stage, killed);
  const logs = stage.logs().length;
  stage.close();
  return {
    code,
    stderr,
    ended: /■ task\.completed|■ this demo had already finished/.test(stdout),
    verified: /verified\s+yes/.test(stdout),
    changes: log.filter(({ type }) => type === "file.modified").length,
    logs,
  };
}

describe("the demo", () => {
  // They run beside each other, a few at a time; each test then waits for its own and judges it.
  const turns = turnTaker(6);
  const outcomes = new Map<string, ReturnType<typeof killAndResume>>();
  beforeAll(() => {
    for (const [name, moment] of MOMENTS) {
      const outcome = turns(() => killAndResume(moment));
      outcome.catch(() => undefined); // thrown where it is awaited
      outcomes.set(name, outcome);
    }
  });
  for (const [name] of MOMENTS) {
    test(`killed when ${name}, it is resumed and finished`, async () => {
      const finished = { code: 0, stderr: "", ended: true, verified: true, changes: 1, logs: 1 };
      expect(await outcomes.get(name)).toEqual(finished);
    });
  }

  test("killed again and again, it is finished in the end", async () => {
    const stage = await openStage();
    const parts: Killed[] = [await killAt(stage, stage.start(["demo"]), logged("tool.started"))];
    for (const moment of [logged("session.resumed", 1), logged("file.modified"), logged("session.resumed", 3)]) {
      parts.push(await killAt(stage, stage.start(["demo", "--resume"]), moment));
    }
    const { code, stdout } = await stage.run(["demo", "--resume"]);
    expect([code, /verified\s+yes/.test(stdout)]).toEqual([0, true]);
    for (const killed of parts) await expectWhole(stage, killed);
    stage.close();
  });

  test("killed after its end, there is nothing to go on with, and it says what was proved", async () => {
    const stage = await openStage();
    await stage.run(["demo"]);
    const [path = ""] = stage.logs();
    const before = readFileSync(path, "utf8");
    const { code, stdout, stderr } = await stage.run(["demo", "--resume"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("had already finished");
    expect(stdout).toMatch(/verified\s+yes/);
    expect(readFileSync(path, "utf8").slice(0, before.length)).toBe(before);
    stage.close();
  });
});

/** At most so many at a time: more would only wait for each other's processors. */
function turnTaker(places: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = places;
  return async (work) => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free--;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}

test("a command and its background child that run at the kill are ended; the call is closed with its effects unknown", () =>
  withModel({ script: sleeper }, async (served) => {
    const flags = ["-p", "--yolo", "--output-format", "stream-json"];
    const running = served.begin([...flags, "--include-partial-messages", "wait"]);
    // That its output comes means that the program has the command in hand, and not only that the command runs.
    const killed = await killAt(served, running, ({ stdout }) => stdout.includes('"tool.output"'));
    expect(killed.children.length).toBeGreaterThanOrEqual(3); // the watchdog, the shell and its two children
    const ended = await served.ask([...flags, "-r"]);
    expect(ended.code).toBe(0);
    const log = await expectWhole(served, killed);
    const cancelled = log.find(({ type }) => type === "tool.cancelled")?.payload;
    expect(cancelled).toMatchObject({ reason: "resume-recovery" });
    expect(String(cancelled?.modelText)).toContain("unknown");
    expect(served.simulator.refusals).toEqual([]);
  }));

/** Runs something long; when that came to nothing, it says so and ends. */
const sleeper: Script = (request) =>
  request.lastResults().length > 0
    ? { content: [{ type: "text", text: "It did not finish." }] }
    : {
        content: [{ type: "tool_use", name: "bash", input: { command: "sleep 301 & echo ready; sleep 302; wait" } }],
      };
