/** The process tool on real processes: what a model reads of them, what is recorded, and what it is told when it errs. */
import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { createStage, type Stage } from "./stage.ts";

const LONG = 30;

/** A call as the runtime would make it, with the whole text of its result. */
const asked = async (stage: Stage, input: Readonly<Record<string, unknown>>) => {
  const { modelText, errorKind } = await stage.run("process", input);
  return errorKind === undefined ? modelText : `${errorKind}: ${modelText}`;
};

describe("process", () => {
  test("starts in the background, tells what is new, and how it ended", async () => {
    await using stage = createStage();
    const command = "echo one; until [ -e go ]; do sleep 0.02; done; echo two; exit 3";
    expect(await asked(stage, { action: "start", command, wait: LONG })).toBe("one\n[p1 is running]");
    expect(await asked(stage, { action: "read", id: "p1" })).toBe("(no new output)\n[p1 is running]");
    writeFileSync(`${stage.folder}/go`, "");
    expect(await asked(stage, { action: "read", id: "p1", wait: LONG })).toBe("two\n[p1 exited with code 3]");
    expect(await asked(stage, { action: "read", id: "p1", wait: LONG })).toBe(
      "(no new output)\n[p1 exited with code 3]",
    );
    expect(stage.recorded).toEqual([
      { started: { processId: "p1", command, cwd: stage.folder, toolUseId: "call-1" } },
      { exited: { processId: "p1", exitCode: 3, cause: "exited" } },
    ]);
  });

  test("writes to its input, also what makes a line only together, and closes it", async () => {
    await using stage = createStage();
    await stage.run("process", { action: "start", command: "cat -u; echo bye", wait: 0 });
    expect(await asked(stage, { action: "write", id: "p1", input: "wör", wait: LONG })).toBe("wör\n[p1 is running]");
    expect(await asked(stage, { action: "write", id: "p1", input: "ld\n", wait: LONG })).toBe("ld\n[p1 is running]");
    const closed = await asked(stage, { action: "write", id: "p1", input: "", wait: LONG });
    expect(closed).toBe("bye\n[p1 exited with code 0]");
    expect(await asked(stage, { action: "write", id: "p1", input: "x" })).toBe(
      "exec-error: Nothing was written: p1 exited with code 0.",
    );
  });

  test("says how much of an input nobody reads was taken", async () => {
    await using stage = createStage();
    await stage.run("process", { action: "start", command: "sleep 300.81", wait: 0 });
    const input = "x".repeat(32 * 1024);
    const write = () => asked(stage, { action: "write", id: "p1", input, wait: 0 });
    expect([await write(), await write(), await write()]).toEqual([
      "(no new output)\n[p1 is running]",
      "(no new output)\n[p1 is running]",
      "exec-error: Only the first 0 of 32768 bytes were written: p1 does not read its stdin.",
    ]);
    expect(await asked(stage, { action: "write", id: "p1", input: `${input}x` })).toStartWith(
      "invalid-input: The input has 32769 bytes, and 32768 can be written at once",
    );
    await stage.run("process", { action: "start", command: "exec 0<&-; echo shut; sleep 300.82", wait: LONG });
    expect(await asked(stage, { action: "write", id: "p2", input: "x" })).toBe(
      "exec-error: Nothing was written: p2 has closed its stdin.",
    );
  });

  test("stops a process with all that it started, and tells its last words", async () => {
    await using stage = createStage();
    const command = "trap 'echo stopping; exit 5' TERM; echo up; sleep 300.83 & wait";
    await stage.run("process", { action: "start", command, wait: LONG });
    expect(await asked(stage, { action: "stop", id: "p1" })).toBe("stopping\n[p1 was stopped]");
    expect(await asked(stage, { action: "stop", id: "p1" })).toBe("(no new output)\n[p1 was stopped]");
    expect(stage.recorded.at(-1)).toEqual({ exited: { processId: "p1", exitCode: 5, cause: "stopped-by-tool" } });
  });

  test("tells one that a signal killed from one that ended", async () => {
    await using stage = createStage();
    expect(await asked(stage, { action: "start", command: "kill -SEGV $$", wait: LONG })).toBe(
      "(no new output)\n[p1 was killed by SIGSEGV]",
    );
    expect(stage.recorded.at(-1)).toEqual({
      exited: { processId: "p1", exitCode: null, signal: "SIGSEGV", cause: "crashed" },
    });
  });

  test("an aborted turn ends the waiting, not the process", async () => {
    await using stage = createStage();
    const turn = new AbortController();
    const context = { signal: turn.signal };
    await stage.run("process", { action: "start", command: "sleep 300.84", wait: 0 });
    const waiting = stage.run("process", { action: "read", id: "p1", wait: 600 }, context);
    turn.abort();
    const { modelText } = await waiting;
    expect(modelText).toMatch(/^\(no new output\)\n\[p1 is running, \d+ s after its start\]$/);
    expect(stage.recorded).toHaveLength(1);
  });

  test("keeps the newest 200 KB for a read, says what was dropped, and shows of them what fits", async () => {
    await using stage = createStage();
    const line = (n: number) => `${String(n).padStart(9, "0")}\n`;
    await stage.run("process", { action: "start", command: "read x; seq -f %09.0f 1 100000", wait: 0 });
    stage.processes.all()[0]?.endInput();
    await until(stage, "p1");
    const { modelText, spillFile } = await stage.run("process", { action: "read", id: "p1" });
    const kept = 200 * 1024 - 10; // the first line behind the gap may be half a line
    const dropped = 1_000_000 - kept;
    expect(modelText).toStartWith(`[… ${dropped} bytes dropped: only the last 204800 are kept for a read …]\n`);
    expect(modelText).toContain(`bytes left out. The whole output, ${kept} bytes, is in ${spillFile}`);
    expect(modelText).toEndWith(`${line(99_999)}${line(100_000)}[p1 exited with code 0]`);
    expect(Buffer.byteLength(modelText)).toBeLessThanOrEqual(32 * 1024);
    const spilled = readFileSync(spillFile ?? "", "utf8");
    expect([spilled.length, spilled.slice(0, 10)]).toEqual([kept, line(dropped / 10 + 1)]);
  });

  test("cleans what is printed, also where two reads part it", async () => {
    await using stage = createStage();
    const command = "printf 'a\\033[3'; read x; printf '1mb\\303'; read x; printf '\\251\\r50%%\\r100%%\\n'; read x";
    const next = { action: "write", id: "p1", input: "\n", wait: LONG };
    expect(await asked(stage, { action: "start", command, wait: LONG })).toBe("a\n[p1 is running]");
    expect(await asked(stage, next)).toBe("b\n[p1 is running]");
    expect(await asked(stage, next)).toBe("100%\n[p1 is running]");
  });

  test("lists what there is, and names the ids and the call that would be right", async () => {
    await using stage = createStage();
    expect(await asked(stage, { action: "list" })).toBe("There are no processes.");
    expect(await asked(stage, { action: "read", id: "p1" })).toBe(
      'not-found: There is no process p1. {"action":"start","command":"npm run dev"} starts one.\nThere are no processes.',
    );
    await stage.run("process", { action: "start", command: "sleep   300.85", wait: 0 });
    await stage.run("process", { action: "start", command: "read x; echo hi", wait: 0 });
    stage.processes.all()[1]?.endInput();
    await until(stage, "p2");
    const listing = "p1 is running: sleep 300.85\np2 exited with code 0: read x; echo hi (3 bytes unread)";
    expect(await asked(stage, { action: "list" })).toBe(listing);
    expect(await asked(stage, { action: "stop", id: "9" })).toBe(
      `not-found: There is no process 9. The correct call names one of these, as in {"action":"stop","id":"p1"}.\n${listing}`,
    );
    expect(await asked(stage, { action: "read" })).toBe(
      `invalid-input: read needs an id, as in {"action":"read","id":"p1"}.\n${listing}`,
    );
    expect(await asked(stage, { action: "write", id: "p1" })).toStartWith("invalid-input: write needs an input");
    expect(await asked(stage, { action: "start" })).toStartWith("invalid-input: start needs a command");
    expect(await asked(stage, { action: "start", command: "a\0b" })).toStartWith("invalid-input: The command holds");
  });

  test("holds to a number of running processes, and remembers a number of ended ones", async () => {
    await using stage = createStage();
    for (let n = 0; n < 16; n++) await stage.run("process", { action: "start", command: "sleep 300.86", wait: 0 });
    expect(await asked(stage, { action: "start", command: "true" })).toBe(
      "exec-error: 16 processes run already: stop one that is not needed any more.",
    );
    await Promise.all(stage.processes.all().map(({ id }) => stage.processes.stop(id)));
    for (let n = 0; n < 20; n++) await stage.run("process", { action: "start", command: "true", wait: LONG });
    const ids = stage.processes.all().map(({ id }) => id);
    expect([ids.length <= 17, ids.at(-1)]).toEqual([true, "p36"]);
    expect(await asked(stage, { action: "read", id: "p1" })).toStartWith(
      "not-found: p1 has ended, and its output is gone. The correct call names one of these",
    );
  }, 20_000);

  test("starts nothing once the program ends, and records nothing behind that", async () => {
    await using stage = createStage();
    await stage.run("process", { action: "start", command: "sleep 300.87", wait: 0 });
    const late = stage.run("process", { action: "start", command: "sleep 300.88", wait: 0 });
    await stage.processes.stopAll();
    await late;
    const ends = stage.recorded.flatMap((fact) => ("exited" in fact ? [JSON.stringify(fact)] : []));
    expect(ends.sort().map((end) => JSON.parse(end))).toEqual([
      { exited: { processId: "p1", exitCode: null, signal: "SIGTERM", cause: "khaelor-shutdown" } },
      { exited: { processId: "p2", exitCode: null, signal: "SIGTERM", cause: "khaelor-shutdown" } },
    ]);
    expect(await asked(stage, { action: "start", command: "true" })).toStartWith("exec-error: Nothing can be started");
  });

  test("says what a call touches: a command, a text with the line that it continues, or nothing", async () => {
    await using stage = createStage();
    const touches = (input: unknown) => stage.access("process", input);
    await stage.run("process", { action: "start", command: "cat", wait: 0 });
    await stage.run("process", { action: "write", id: "p1", input: "first\nrm -rf ", wait: LONG });
    const cwd = stage.folder;
    expect(touches({ action: "start", command: "npm i" })).toEqual([{ kind: "command", command: "npm i", cwd }]);
    expect(touches({ action: "write", id: "p1", input: "/\n" })).toEqual([
      { kind: "input", command: "cat", text: "rm -rf /\n", cwd },
    ]);
    const harmless = [{ action: "list" }, { action: "read", id: "p1" }, { action: "stop", id: "p1" }];
    const refused = [{ action: "start" }, { action: "write", id: "p9", input: "x" }, { action: "write", input: "x" }];
    expect([...harmless, ...refused].flatMap(touches)).toEqual([]);
  });
});

/** Resolves when the process has ended. */
function until(stage: Stage, id: string): Promise<void> {
  const process = stage.processes.all().find((one) => one.id === id);
  return new Promise((resolve) => {
    const look = () => {
      if (!process?.ending()) return;
      stop?.();
      resolve();
    };
    const stop = process?.onNews(look);
    look();
  });
}
