/**
 * The first thing that a terminal shows: one write with the outline of the frame that follows, then raw mode. What is typed
 * from here on waits in the terminal itself, unread and unechoed, until the screen is there to take it. Imports next to
 * nothing, for it runs before everything else.
 */
import { writeSync } from "node:fs";
import { onSignals, type StopSignal } from "./signals.ts";
import { QUIET, RESET, TITLE_BACK, TITLE_KEPT } from "./terminal/reset.ts";
import {
  isTerminal,
  rawSettings,
  readSettings,
  readWaiting,
  type TtySettings,
  type TtySize,
  terminalSize,
  waitForForeground,
  writeSettings,
} from "./terminal/tty.ts";

/** Both ends are a terminal. */
export const isOnTerminal = (): boolean => isTerminal(1) && isTerminal(0);

/** It understands more than lines. */
export const canDraw = (): boolean => isOnTerminal() && !isDumb(process.env.TERM);

/** No name is a terminal of which nothing is known. */
const isDumb = (term: string | undefined): boolean => term === undefined || term === "" || term === "dumb";

let found: TtySettings | undefined;
/** Who the terminal belongs to: a shell, this file, or a screen to which it was handed. */
let holder: "shell" | "boot" | "screen" = "shell";

/** What a signal does while nobody else sees to it; undefined before and after. */
let offSignals: (() => void) | undefined;
let isSeenTo = false;

const early: Uint8Array[] = [];
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** As soon as it is clear that the interface comes; nothing when it is up. Where it draws below what is there, only the keys are kept. */
export function showShell({ alternateScreen }: { readonly alternateScreen: boolean }): void {
  if (holder !== "shell") return;
  waitForForeground();
  found = readSettings();
  if (!isSeenTo) offSignals = onSignals(endBy);
  writeSync(1, alternateScreen ? shellFrame(terminalSize()) : `${QUIET}${TITLE_KEPT}`);
  holder = "boot";
  if (found) writeSettings(rawSettings(found));
  else process.stdin.setRawMode(true);
  const typed = readWaiting();
  if (typed.length > 0) early.push(typed.map((byte) => (byte === LINE_FEED ? CARRIAGE_RETURN : byte)));
}

/** The terminal is given back, and the signal does what it does by itself. */
function endBy(signal: StopSignal): void {
  leaveShell();
  seeToSignals();
  process.kill(process.pid, signal);
}

/** From here on somebody else sees to signals. */
export function seeToSignals(): void {
  isSeenTo = true;
  offSignals?.();
  offSignals = undefined;
}

/**
 * The screen takes the terminal by the runtime's own streams, which must find the settings as they were, or would put the wrong
 * ones back in the end: they have them for a moment, in which nothing that was typed is lost.
 */
export function handOverShell(): void {
  if (holder !== "boot") return;
  holder = "screen";
  const { stdin } = process; // made before that moment, for it takes milliseconds
  if (found) writeSettings(found);
  stdin.setRawMode(true);
}

/** What was typed before keys came as they are, when Enter still came as a line feed. */
export const takeEarlyKeys = (): readonly Uint8Array[] => early.splice(0);

/** The screen has put everything back that it knows of. */
export function takeBackShell(): void {
  if (holder !== "screen") return;
  holder = "shell";
  writeSync(1, TITLE_BACK);
}

/** What the terminal was set to at the start; undefined before it, or where that is not known. */
export const settingsAtStart = (): TtySettings | undefined => found;

/** Gives the terminal back when the interface never came, or nobody knows how far it came. */
export function leaveShell(): void {
  if (holder === "shell") return;
  holder = "shell";
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
const promptSign = (columns: number): string =>
  columns >= 20 ? " › " : "› ".slice(0, Math.min(2, Math.max(0, columns - 2)));

/** Dim is what the interface writes in its greys. */
function shellFrame(size: TtySize): string {
  const composer = composerRow(size);
  const at = (row: number, column: number) => `\u001b[${row};${column}H`;
  const rows = [...shellRows(size)].map(([row, text]) => {
    const isBright = row === composer || text === " khaelor";
    return `${at(row, 1)}${isBright ? text : `\u001b[2m${text}\u001b[22m`}`;
  });
  const cursor = at(composer, promptSign(size.columns).length + 1);
  const enter = `${QUIET}${TITLE_KEPT}\u001b[?1049h\u001b[?2004h`;
  return `${enter}\u001b[?2026h\u001b[0m\u001b[2J${rows.join("")}${cursor}\u001b[?25h\u001b[?2026l`;
}
