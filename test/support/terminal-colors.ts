/** Colours of single cells, of both kinds of terminals in one form: `#rrggbb`, the number of a palette, or `default`. */
import { SGR } from "./terminal-bytes.ts";

export interface CellColors {
  readonly text: string;
  readonly fg: string;
  readonly bg: string;
}

/** As much of an xterm.js cell as is read. */
interface Cell {
  getChars(): string;
  isFgRGB(): boolean;
  isBgRGB(): boolean;
  isFgPalette(): boolean;
  isBgPalette(): boolean;
  getFgColor(): number;
  getBgColor(): number;
}

const hex = (color: number): string => `#${color.toString(16).padStart(6, "0")}`;

export function colorsOfCell(cell: Cell | undefined): CellColors {
  if (!cell) return { text: "", fg: "default", bg: "default" };
  const of = (isRgb: boolean, isPalette: boolean, color: number) =>
    isRgb ? hex(color) : isPalette ? `${color}` : "default";
  return {
    text: cell.getChars(),
    fg: of(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor()),
    bg: of(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor()),
  };
}

const CELLS = new RegExp(`${SGR.source}|(\\P{Cc})`, "gu");

/** From rows with the sequences that make their colours, which go on from row to row; cells of one column each. */
export function colorsInRow(rows: readonly string[], x: number, y: number): CellColors {
  const colors = { fg: "default", bg: "default" };
  const before = rows.slice(0, y).flatMap((row) => row.match(SGR) ?? []);
  const row = before.join("") + (rows[y] ?? "");
  let at = 0;
  for (const [, parameters, sign = ""] of row.matchAll(CELLS)) {
    if (parameters !== undefined) style(colors, parameters.split(/[;:]/).map(Number));
    else if (at++ === x) return { text: sign, ...colors };
  }
  return { text: "", fg: "default", bg: "default" };
}

/** Takes the numbers from the list one after the other. */
function style(colors: { fg: string; bg: string }, numbers: number[]): void {
  for (let number = numbers.shift(); number !== undefined; number = numbers.shift()) {
    if (number === 0) Object.assign(colors, { fg: "default", bg: "default" });
    const [which, tens] = [Math.floor(number / 10) % 2 === 1 ? "fg" : "bg", number % 10] as const;
    if (number < 30 || number > 49) continue;
    colors[which] = tens === 8 ? extended(numbers) : tens === 9 ? "default" : `${tens}`;
  }
}

/** What follows 38 or 48; taken from the list. */
function extended(numbers: number[]): string {
  if (numbers.shift() === 5) return `${numbers.shift()}`;
  const [red = 0, green = 0, blue = 0] = numbers.splice(0, 3);
  return hex((red << 16) | (green << 8) | blue);
}
