/**
 * The first thing that a terminal shows: one write with the outline of the frame that follows, then raw mode. What is typed
 * from here on waits in the terminal itself, unread and unechoed, until the screen is there to take it. Imports next to
 * nothing, for it runs before everything else.
 */
import { writeSync } from "node:fs";
import { QUIET, RESET } from "./terminal/reset.ts";
import {
  isTerminal,
  rawSettings,
  readSettings,
  type TtySettings,
  type TtySize,
  terminalSize,
  writeSettings,
} from "./terminal/tty.ts";

/** Both ends are a terminal. */
export const isOnTerminal = (): boolean => isTerminal(1) && isTerminal(0);

/** It understands more than lines. */
export const canDraw = (): boolean => isOnTerminal() && !isDumb(process.env.TERM);

/** No name is a terminal of which nothing is known. */
const isDumb = (term: string | undefined): boolean => term === undefined || term === "" || term === "dumb";

let found: TtySettings | undefined;
let isUp = false;

/** Call it once, as soon as it is clear that the interface comes. */
export function showShell(): void {
  found = readSettings();
  writeSync(1, shellFrame(terminalSize()));
  isUp = true;
  if (found) writeSettings(rawSettings(found));
  else process.stdin.setRawMode(true);
}

/**
 * The settings as they were, for a moment: whoever enters raw mode next has to find those, or would put the wrong ones back.
 * Nothing that was typed is lost.
 */
export function handOverShell(): void {
  if (!isUp) return;
  isUp = false;
  if (found) writeSettings(found);
}

/** What the terminal was set to at the start; undefined before it, or where that is not known. */
export const settingsAtStart = (): TtySettings | undefined => found;

/** Gives the terminal back when the interface never came. */
export function leaveShell(): void {
  if (!isUp) return;
  isUp = false;
  writeSync(1, RESET);
  if (found) writeSettings(found);
  else process.stdin.setRawMode(false);
}

/** The rows of the first frame of the interface, as far as they are known without it: text by row, from 1. */
export function shellRows({ columns, rows }: TtySize): ReadonlyMap<number, string> {
  const hasHeader = columns >= 40 && rows >= 12;
  const hasRules = columns >= 40 && rows >= 8;
  const rule = "─".repeat(columns);
  const composer = composerRow({ columns, rows });
  return new Map([
    ...(hasHeader ? [[1, " khaelor"] as const] : []),
    ...(hasRules ? ([composer - 1, composer + 1] as const).map((row) => [row, rule] as const) : []),
    [composer, promptSign(columns)],
    ...(rows > 1 ? [[rows, " starting".slice(0, columns)] as const] : []),
  ]);
}

const composerRow = ({ columns, rows }: TtySize): number => rows - (columns >= 40 && rows >= 8 ? 2 : rows > 1 ? 1 : 0);
const promptSign = (columns: number): string => (columns >= 20 ? " › " : "› ".slice(0, Math.min(2, columns - 1)));

/** Dim is what the interface writes in its greys. */
function shellFrame(size: TtySize): string {
  const composer = composerRow(size);
  const at = (row: number, column: number) => `\u001b[${row};${column}H`;
  const rows = [...shellRows(size)].map(([row, text]) => {
    const isBright = row === composer || text === " khaelor";
    return `${at(row, 1)}${isBright ? text : `\u001b[2m${text}\u001b[22m`}`;
  });
  const cursor = at(composer, promptSign(size.columns).length + 1);
  const enter = `${QUIET}\u001b[22;0t\u001b[?1049h\u001b[?2004h`;
  return `${enter}\u001b[?2026h\u001b[0m\u001b[2J${rows.join("")}${cursor}\u001b[?25h\u001b[?2026l`;
}
