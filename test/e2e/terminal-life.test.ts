/** The life of the terminal: whatever ends the program, the shell that it was started from is usable afterwards. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import type { Pty } from "../support/terminal.ts";
import { descendants, type Process, survivors } from "./processes.ts";
import { RUN_TIMEOUT_MS } from "./stage.ts";
import { inShell, PROMPT, withTerminal } from "./terminal-stage.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

const FAILING = [process.execPath, join(import.meta.dir, "programs/failing.ts")];

/** What a person needs of a shell: what they type is seen, a command runs, and nothing else is still switched on. */
async function expectUsable(terminal: Pty, codes: RegExp): Promise<void> {
  terminal.type('echo "code $?; $((40 + 2))"\r');
  await terminal.waitFor(codes);
  expect(terminal.screen()).toContain('echo "code $?; $((40 + 2))"\n'); // echoed, once and in one piece
  terminal.type('read line; echo "got $line"\r');
  await terminal.waitForCooked();
  terminal.type("typed\r");
  await terminal.waitFor("\ntyped\ngot typed");
  expect(terminal.modes()).toEqual([]);
  terminal.type("exit\r");
  expect((await terminal.exited).signal).toBe(null);
}

/** A shell that is quicker than the guardian has asked on the screen that goes, and asks again. */
const hasPrompt = (screen: string): boolean =>
  screen.split("\n").at(-1) === PROMPT.trim() && screen.includes(`${PROMPT}$KHAELOR`);

const SIGNALS: readonly (readonly [NodeJS.Signals, code: number])[] = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
  ["SIGSEGV", 139],
  ["SIGABRT", 134],
  ["SIGQUIT", 131],
  ["SIGKILL", 137],
];

describe.each(["bash", "sh"] as const)("from %s", (interactive) => {
  test.each(SIGNALS)("%s", (signal, code) =>
    withTerminal({}, async (stage) => {
      const { terminal, pid } = await inShell(stage, { shell: { interactive } });
      process.kill(pid, signal);
      // A shell without a line editor has perhaps asked before the other screen was left, and does so only once.
      if (interactive === "sh") await terminal.waitFor(hasPrompt, 1_000).catch(() => terminal.key("enter"));
      await terminal.waitFor(hasPrompt);
      if (interactive === "sh") await terminal.waitForCooked();
      await expectUsable(terminal, new RegExp(`^code ${code}; 42$`, "m"));
    }),
  );

  test("/exit", () =>
    withTerminal({}, async (stage) => {
      const { terminal } = await inShell(stage, { shell: { interactive } });
      terminal.type("/exit\r");
      await terminal.waitFor(hasPrompt);
      await expectUsable(terminal, /^code 0; 42$/m);
    }));

  test("Ctrl+C twice", () =>
    withTerminal({}, async (stage) => {
      const { terminal } = await inShell(stage, { shell: { interactive } });
      terminal.key("ctrl+c", "ctrl+c");
      await terminal.waitFor(hasPrompt);
      await expectUsable(terminal, /^code (0|130); 42$/m);
    }));
});

describe("an error", () => {
  test("in a paint ends the program, and is told", () =>
    withTerminal({}, async (stage) => {
      const { terminal } = await inShell(stage, { program: FAILING, env: { FAULT: "paint" } });
      terminal.type("say unpaintable\r");
      await terminal.waitFor("khaelor: internal error: Error: this cannot be painted");
      await expectUsable(terminal, /^code 1; 42$/m);
    }));

  test.each(["exception", "rejection"])("that nobody catches, %s", (FAULT) =>
    withTerminal({}, async (stage) => {
      const { terminal, pid } = await inShell(stage, { program: FAILING, env: { FAULT } });
      process.kill(pid, "SIGUSR2");
      await terminal.waitFor("khaelor: internal error: Error: nobody catches this");
      await expectUsable(terminal, /^code 1; 42$/m);
    }),
  );
});

test("a closed window ends the program and its children within three seconds", () =>
  withTerminal({}, async (stage) => {
    const { terminal, pid } = await inShell(stage, { program: [await binary(), "--yolo"] });
    terminal.type("run echo begun; sleep 300\r");
    await terminal.waitFor(/^ +begun$/m);
    const all = [...descendants(pid), ...descendants(terminal.pid)];
    expect(all.length).toBeGreaterThan(2);
    const closed = performance.now();
    await terminal.close();
    expect(await survivors(all, 3_000)).toEqual([]);
    expect(performance.now() - closed).toBeLessThan(4_000);
  }));

test("a new terminal with the name of one that is gone is left alone", () =>
  withTerminal({}, async (stage) => {
    let hasMet = false;
    for (let tries = 0; !hasMet && tries < 20; tries++) {
      const gone = stage.open();
      await gone.waitFor("ready");
      const [all, name] = [descendants(gone.pid), terminalOf(gone)];
      const guardian = guardianOf(all);
      process.kill(guardian, "SIGSTOP"); // it acts when the others are there
      await gone.close(); // killed, so that only its guardian is left, and the terminal with it
      const others = Array.from({ length: 4 }, () => stage.open({ shell: "stty raw -echo; echo begun; exec cat" }));
      try {
        for (const other of others) await other.waitFor("begun");
      } finally {
        process.kill(guardian, "SIGCONT");
      }
      expect(await survivors(all, 3_000)).toEqual([]);
      expect(others.map((other) => other.bytes())).toEqual(others.map(() => "begun\n"));
      hasMet = others.some((other) => terminalOf(other) === name); // unless somebody else on this machine was quicker
      for (const other of others) await other.close();
    }
    expect(hasMet).toBe(true);
  }));

function guardianOf(all: readonly Process[]): number {
  const found = all.find(({ pid }) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("khaelor-guardian"));
  if (!found) throw new Error("there is no guardian");
  return found.pid;
}

const terminalOf = ({ pid }: Pty): string => readlinkSync(`/proc/${pid}/fd/0`);

test("a terminal that is gone without a word ends the program too", () =>
  withTerminal({}, async (stage) => {
    const terminal = stage.open({ shell: 'setsid -w "$KHAELOR"' }); // in a session of its own, so that nothing is signalled
    await terminal.waitFor("ready");
    const all = descendants(terminal.pid);
    expect(all.length).toBeGreaterThan(1);
    await terminal.close();
    expect(await survivors(all, 3_000)).toEqual([]);
  }));
