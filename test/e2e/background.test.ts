/** Background processes of the compiled program: gone with it, however it ends, and recorded as gone. */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { sequence } from "../../src/simulator/index.ts";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { descendants, survivors } from "./processes.ts";
import {
  fsck,
  IN_ORDER,
  type Line,
  linesOf,
  RUN_TIMEOUT_MS,
  readLog,
  resultOf,
  type Served,
  withModel,
} from "./stage.ts";
import { expectEnd, talk } from "./talk.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

const call = (input: Readonly<Record<string, unknown>>) =>
  ({ content: [{ type: "tool_use", name: "process", input }] }) as const;
const say = (text: string) => ({ content: [{ type: "text", text }] }) as const;

/** It ignores TERM, and so do its children. */
const STUBBORN = "trap '' TERM; sleep 300.91 & echo up; sleep 300.92; sleep 300.93";
const ENDED = { processId: "p1", exitCode: null, cause: "khaelor-shutdown" };

const exits = (log: string): readonly Line["payload"][] =>
  readLog(log).flatMap(({ type, payload }) => (type === "process.exited" ? [payload] : []));

const onlyLog = (served: Served): string => {
  const [log, ...others] = served.logs();
  if (log === undefined || others.length > 0) throw new Error("there is not exactly one log");
  return log;
};

test("after kill -9 no process of it is left, and the resume records that", async () => {
  const script = sequence([
    call({ action: "start", command: STUBBORN, wait: 30 }),
    call({ action: "read", id: "p1", wait: 600 }),
    say("Done."),
  ]);
  await withModel({ script }, async (served) => {
    const running = served.begin(["-p", "go", "--yolo"]);
    await recorded(served, "tool.started", 2);
    running.kill("SIGSTOP");
    const left = descendants(running.pid);
    running.kill("SIGKILL");
    await running.done;
    expect(left.length).toBeGreaterThanOrEqual(4); // the watchdog, the shell and its two children
    expect(await survivors(left)).toEqual([]);
    const log = onlyLog(served);
    expect(exits(log)).toEqual([]);
    const resumed = await served.ask(["-p", "--resume", "--yolo", "--output-format", "json"]);
    expect({ code: resumed.code, result: resultOf(resumed).result }).toEqual({ code: 0, result: "Done." });
    expect(exits(log)).toMatchObject([ENDED]);
    expect(await fsck(served, log)).toMatchObject(IN_ORDER);
  });
});

test("a run that is over does not wait for its processes: it stops and records them", async () => {
  const script = sequence([call({ action: "start", command: STUBBORN, wait: 30 }), say("Up.")]);
  await withModel({ script }, async (served) => {
    const running = served.begin(["-p", "go", "--yolo", "--output-format", "stream-json"]);
    await recorded(served, "process.started", 1);
    const left = descendants(running.pid);
    const { code, stdout } = await running.done;
    expect(code).toBe(0);
    expect(
      linesOf(stdout)
        .slice(-2)
        .map(({ type }) => type),
    ).toEqual(["process.exited", "result"]);
    expect(await survivors(left)).toEqual([]);
    expect(exits(onlyLog(served))).toMatchObject([{ ...ENDED, signal: "SIGKILL" }]);
  });
});

test("a program that is the front hears of their ends too, behind its last result", async () => {
  const script = sequence([call({ action: "start", command: STUBBORN, wait: 30 }), say("Up.")]);
  await withModel({ script }, async (served) => {
    const front = talk(served, ["go", "--yolo"]);
    await front.next("result");
    expectEnd(await front.end(), 0);
    expect(front.lines.slice(-2)).toMatchObject([
      { type: "result", status: "completed" },
      { type: "process.exited", payload: ENDED },
    ]);
    expect(front.lines.at(-1)?.seq).toBe(readLog(onlyLog(served)).at(-1)?.seq);
  });
});

/** Resolves when the only log holds so many lines of this type. */
async function recorded(served: Served, type: string, times: number): Promise<void> {
  const seen = () =>
    served
      .logs()
      .flatMap(readLog)
      .filter((line) => line.type === type).length;
  while (seen() < times) await Bun.sleep(10);
}
