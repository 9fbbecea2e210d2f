/** The terminal between the program and its shell: stopped and continued, resized to nothing and back. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import type { Pty } from "../support/terminal.ts";
import { RUN_TIMEOUT_MS } from "./stage.ts";
import { inShell, PROMPT, withTerminal } from "./terminal-stage.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

const hasPrompt = (screen: string): boolean => screen.split("\n").at(-1) === PROMPT.trim();

const WAYS: readonly (readonly [name: string, stop: (terminal: Pty, pid: number) => void])[] = [
  ["Ctrl+Z", (terminal) => terminal.key("ctrl+z")],
  ["SIGTSTP from outside", (_terminal, pid) => process.kill(pid, "SIGTSTP")],
];

describe.each(WAYS)("%s", (_name, stop) => {
  test("gives the terminal to the shell, and fg takes it again, at the size that it has by then", () =>
    withTerminal({}, async (stage) => {
      const { terminal, pid } = await inShell(stage);
      terminal.type("half a th");
      await terminal.waitFor("› half a th");
      const before = terminal.modes();
      stop(terminal, pid);
      await terminal.waitFor("Stopped");
      await terminal.waitFor(hasPrompt);
      expect(terminal.modes()).toEqual([]);
      terminal.type("echo $((40 + 2))\r");
      await terminal.waitFor(/^42$/m);
      terminal.resize(60, 16);
      await terminal.waitFor(hasPrompt);
      terminal.type("fg\r");
      await terminal.waitFor("› half a th");
      terminal.type("ought");
      await terminal.waitFor("› half a thought");
      expect([terminal.row(-1).includes("ready"), terminal.row(-2)]).toEqual([true, "─".repeat(60)]);
      expect(terminal.modes()).toEqual(before);
      terminal.key("ctrl+c", "ctrl+c", "ctrl+c");
      await terminal.waitFor(hasPrompt);
      expect(terminal.modes()).toEqual([]);
    }));
});

test("stopped in a way that nobody sees coming, it takes the terminal again as it should be", () =>
  withTerminal({}, async (stage) => {
    const { terminal, pid } = await inShell(stage);
    const before = terminal.modes();
    process.kill(pid, "SIGSTOP");
    await terminal.waitFor("Stopped");
    terminal.type("\rstty sane; printf '\\033[?1000l\\033[?2004l'; clear\r");
    await terminal.waitFor((screen) => !screen.includes("Stopped") && hasPrompt(screen));
    terminal.type("fg\r");
    await terminal.waitFor("ready");
    terminal.type("still here");
    await terminal.waitFor("› still here");
    expect(terminal.modes()).toEqual(before);
  }));

test("started in the background, it touches the terminal when it is brought to the front", () =>
  withTerminal({}, async (stage) => {
    const terminal = stage.open({ cols: 80, rows: 24, shell: { interactive: "bash" } });
    await terminal.waitFor(hasPrompt);
    terminal.type("$KHAELOR &\r");
    await terminal.waitFor(/\[1\] \d+\n/);
    terminal.type("until jobs | grep Stopped; do sleep 0.02; done\r");
    await terminal.waitFor((screen) => screen.includes("+  Stopped") && hasPrompt(screen));
    expect(terminal.modes()).toEqual([]);
    terminal.type("fg\r");
    await terminal.waitFor("ready");
    terminal.key("ctrl+c", "ctrl+c");
    await terminal.waitFor(hasPrompt);
    terminal.type("read line; echo got:$line\r");
    await terminal.waitForCooked();
    terminal.type("it\r");
    await terminal.waitFor("\ngot:it");
    expect(terminal.modes()).toEqual([]);
  }));

test("where no shell waits, Ctrl+Z comes back by itself", () =>
  withTerminal({}, async (stage) => {
    const terminal = stage.open();
    await terminal.waitFor("ready");
    const since = terminal.bytes().length;
    terminal.key("ctrl+z");
    await terminal.waitFor(() => terminal.bytes().slice(since).includes("ready"));
    terminal.type("still here");
    await terminal.waitFor("› still here");
  }));

test("a window that becomes two cells and large again shows what it showed", () =>
  withTerminal({}, async (stage) => {
    const terminal = stage.open({ cols: 80, rows: 24 });
    await terminal.waitFor("ready");
    terminal.type("say what stays\r");
    await terminal.waitFor(/ {3}what stays/);
    await terminal.waitFor("ready");
    terminal.type("draft");
    await terminal.waitFor("› draft");
    const before = terminal.screen();
    for (let round = 0; round < 3; round++) {
      for (const [cols, rows] of [
        [2, 1],
        [1, 1],
        [80, 24],
      ] as const) {
        terminal.resize(cols, rows);
        await Bun.sleep(50); // as a window that is dragged
      }
    }
    await terminal.waitFor((screen) => screen === before);
  }));
