/** Where a line to type into stands in a row: behind its sign, at the same cell as the composer's text. Pure. */
import type { Line } from "../line.ts";

/** The cells before what is typed, its sign included; a cell is left for the text at any width. */
export const fieldLeft = (width: number): number => (width < 20 ? Math.min(2, Math.max(0, width - 2)) : 3);

/** The cells for what is typed; the last column stays free. */
export const fieldWidth = (width: number): number => Math.max(1, width - fieldLeft(width) - 1);

/** What is typed, behind its sign. */
export function fieldLine(line: Line, left: number): Line {
  const mark = { tone: "accent" as const, text: left > 2 ? " › " : "› ".slice(0, left), width: left };
  return { spans: [mark, ...line.spans], width: left + line.width };
}
