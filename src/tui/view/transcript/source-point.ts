/**
 * A point in the text of a section that stays where it is when the section is wrapped anew: a line of the text, soft breaks
 * undone and decoration left out, and an offset in it.
 */
import type { Measure } from "../../layout/width.ts";
import { type Line, textOf } from "../../line.ts";
import { clamp, copiedFrom } from "./cells.ts";

export interface SourcePoint {
  /** The blank line before an item is none of its text, and comes and goes with the width: it is -1. */
  readonly line: number;
  /** In UTF-16 units. */
  readonly offset: number;
}

/** A character of a row: which row of the section, and the offset in the row's text, decoration included. */
export interface RowPoint {
  readonly row: number;
  readonly unit: number;
}

export function toSource(lines: readonly Line[], { row, unit }: RowPoint, measure: Measure): SourcePoint {
  let line = firstLine(lines) - 1;
  let offset = 0;
  for (let at = 0; at <= row && at < lines.length; at++) {
    const here = lines[at];
    if (!here?.wraps || at === 0) [line, offset] = [line + 1, 0];
    else offset += here.gap?.length ?? 0;
    if (here && at < row) offset += copiedLength(here, measure);
  }
  const here = lines[row];
  const within = here ? clamp(unit - copiedFrom(here, measure), copiedLength(here, measure)) : 0;
  return { line, offset: offset + within };
}

/** The last row that begins at or before the point. */
export function toRow(lines: readonly Line[], point: SourcePoint, measure: Measure): RowPoint {
  let line = firstLine(lines) - 1;
  let start = 0;
  let found: RowPoint = { row: 0, unit: 0 };
  for (const [row, here] of lines.entries()) {
    if (!here.wraps || row === 0) [line, start] = [line + 1, 0];
    else start += here.gap?.length ?? 0;
    if (line > point.line || (line === point.line && row > 0 && here.wraps && start > point.offset)) break;
    const length = copiedLength(here, measure);
    found = { row, unit: copiedFrom(here, measure) + clamp(point.offset - start, length) };
    start += length;
  }
  return found;
}

/** The number of the first line. */
export const firstLine = (lines: readonly Line[]): number => (lines[0]?.spans.length === 0 ? -1 : 0);

const copiedLength = (line: Line, measure: Measure): number => textOf(line).length - copiedFrom(line, measure);
