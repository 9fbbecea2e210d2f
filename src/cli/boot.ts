/**
 * The first thing that a terminal shows: one write with the frame's outline, then raw mode, with what is typed kept for the
 * composer. Imports nothing but the file system, for it runs before everything else.
 */
import { writeSync } from "node:fs";

let keys: Uint8Array[] = [];
let isUp = false;
const grab = (bytes: Uint8Array) => keys.push(bytes);

/** Both ends are a terminal that can be drawn on. */
export const canDraw = (): boolean =>
  process.stdout.isTTY === true && process.stdin.isTTY === true && process.env.TERM !== "dumb";

/** Call it once, as soon as it is clear that the interface comes. */
export function showShell(): void {
  const { columns = 80, rows = 24 } = process.stdout;
  const at = (row: number, text: string) => `\x1b[${Math.max(1, row)};1H${text}`;
  const rule = "─".repeat(columns);
  const frame =
    at(1, " khaelor") + at(rows - 3, rule) + at(rows - 2, " ›") + at(rows - 1, rule) + at(rows, " starting");
  writeSync(1, `\x1b[?1049h\x1b[?2004h\x1b[?2026h\x1b[2J${frame}${at(rows - 2, "\x1b[3C")}\x1b[?2026l`);
  process.stdin.setRawMode(true);
  process.stdin.on("data", grab);
  isUp = true;
}

/** What was typed since `showShell`; from now on nothing is kept. */
export function takeEarlyKeys(): readonly Uint8Array[] {
  process.stdin.off("data", grab);
  const taken = keys;
  keys = [];
  return taken;
}

/** Gives the terminal back when the interface never came. */
export function leaveShell(): void {
  if (!isUp) return;
  isUp = false;
  process.stdin.off("data", grab);
  process.stdin.setRawMode(false);
  process.stdin.pause();
  writeSync(1, "\x1b[?2004l\x1b[?1049l");
}
