/** The terminal of the tests shows what a program wrote, tells what it left switched on, and passes keys as a terminal does. */
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { tmpdir } from "node:os";
import { openTerminal, type Terminal, type TerminalOptions } from "./terminal.ts";
import { keyBytes } from "./terminal-keys.ts";
import { trackModes } from "./terminal-modes.ts";
import { hasTmux, openTmux } from "./tmux.ts";

setDefaultTimeout(30_000);

const opened: Terminal[] = [];
afterAll(async () => {
  for (const terminal of opened) await terminal.close();
});

const shell = (script: string): TerminalOptions => ({
  command: ["/bin/sh", "-c", script],
  cols: 40,
  rows: 6,
  cwd: tmpdir(),
  env: { PATH: process.env.PATH },
});

const KINDS: readonly (readonly [string, (options: TerminalOptions) => Terminal | Promise<Terminal>])[] = [
  ["a pseudo-terminal", openTerminal],
  ...(hasTmux() ? [["tmux", openTmux] as const] : []),
];

describe.each(KINDS)("%s", (_name, open) => {
  const start = async (script: string): Promise<Terminal> => {
    const terminal = await open(shell(script));
    opened.push(terminal);
    return terminal;
  };

  test("types, and shows what comes of it", async () => {
    const terminal = await start('read a; echo "got <$a>"; read b');
    terminal.type("漢字 x");
    terminal.key("enter");
    await terminal.waitFor("got <漢字 x>");
    expect([terminal.row(0), terminal.row(1), terminal.screen()]).toEqual([
      "漢字 x",
      "got <漢字 x>",
      "漢字 x\ngot <漢字 x>",
    ]);
    expect(terminal.cursor()).toEqual({ x: 0, y: 2 });
    terminal.key("enter");
    expect((await terminal.exited).signal).toBe(null);
  });

  test("is resized", async () => {
    const terminal = await start("trap 'stty size' WINCH; echo ready; while :; do read x; done");
    await terminal.waitFor("ready");
    terminal.resize(50, 8);
    await terminal.waitFor("8 50");
    expect(terminal.screen()).toContain("8 50");
  });

  test("pastes in brackets where they are asked for", async () => {
    const terminal = await start("stty raw -echo; printf '\\033[?2004hready'; head -c 15 | cat -v; read x");
    await terminal.waitFor("ready");
    terminal.paste("a\nb");
    await terminal.waitFor("^[[200~a^Mb^[[201~");
    expect(terminal.screen()).toContain("^[[200~a^Mb^[[201~");
  });

  test("says what it waited for, and what was there", async () => {
    const terminal = await start("echo hello; read x");
    await terminal.waitFor("hello");
    await expect(terminal.waitFor("goodbye", 50)).rejects.toThrow("goodbye:\n  | hello");
  });
});

test("a query is answered, and the terminal's own flags are seen", async () => {
  const terminal = openTerminal(
    shell("stty raw -echo; printf '\\033[6n'; head -c 6 | cat -v; stty sane; echo; echo ok; read x"),
  );
  opened.push(terminal);
  await terminal.waitFor("^[[1;1R\nok");
  expect(terminal.isCooked()).toBe(true);
});

test("keys are the bytes that terminals send", () => {
  const sent = [
    "ctrl+c",
    "alt+enter",
    "shift+tab",
    "ctrl+shift+up",
    "alt+up",
    "ctrl+delete",
    "f12",
    "alt+b",
    "+",
    "ctrl+j",
  ];
  expect(sent.map(keyBytes)).toEqual([
    "\x03",
    "\x1b\r",
    "\x1b[Z",
    "\x1b[1;6A",
    "\x1b[1;3A",
    "\x1b[3;5~",
    "\x1b[24~",
    "\x1bb",
    "+",
    "\n",
  ]);
  expect(() => keyBytes("ctrl+é")).toThrow("no terminal sends ctrl+é");
});

test("modes are followed through any cut of the bytes", () => {
  const text =
    "\x1b[?1049h\x1b[?25l\x1b[?1000;1006hword\x1b]0;title\x07\x1b[>5u\x1b[?2004h\x1b[1;31mred\x1b[0m\x1b[?1049l\x1bP+q\x1b\\\x1b[>4;1m";
  for (let at = 0; at <= text.length; at++) {
    const modes = trackModes();
    modes.write(text.slice(0, at));
    modes.write(text.slice(at));
    expect(modes.on()).toEqual([
      "bracketed-paste",
      "cursor-hidden",
      "kitty-keyboard",
      "modify-other-keys",
      "mouse-1000",
      "mouse-1006",
    ]);
  }
  const modes = trackModes();
  modes.write(`${text}\x1b[?1049h\x1b[<u\x1b[?1049l\x1b[?25h\x1b[?1000l\x1b[?1006l\x1b[?2004l\x1b[>4;0m`);
  expect(modes.on()).toEqual([]);
});
