/** Ways through the column, row by row: up and down from a place, and what a viewport holds. What is passed is laid out. */
import type { Line } from "../../line.ts";
import type { Column, ColumnView, Place, Spot } from "./column.ts";

export interface VisibleRow extends Place {
  readonly line: Line;
}

export function spotBefore(column: Column, { slot, section }: Spot): Spot | undefined {
  if (section > 0) return { slot, section: section - 1 };
  return slot > 0 ? { slot: slot - 1, section: Math.max(0, column.sections(slot - 1) - 1) } : undefined;
}

export function spotAfter(column: Column, { slot, section }: Spot): Spot | undefined {
  if (section + 1 < column.sections(slot)) return { slot, section: section + 1 };
  return slot + 1 < column.slots() ? { slot: slot + 1, section: 0 } : undefined;
}

function lastSpot(column: Column): Spot | undefined {
  const slot = column.slots() - 1;
  return slot < 0 ? undefined : { slot, section: Math.max(0, column.sections(slot) - 1) };
}

/** At most so many rows up; the first row of all at the top. */
export function above(column: Column, from: Place, rows: number): Place {
  let [spot, row, left]: [Spot, number, number] = [from, from.row, rows];
  while (left > row) {
    const before = spotBefore(column, spot);
    if (!before) return { ...spotOf(spot), row: 0 };
    left -= row;
    spot = before;
    row = column.lines(spot).length;
  }
  return { ...spotOf(spot), row: row - left };
}

/** At most so many rows down; the last row of all at the end. */
export function below(column: Column, from: Place, rows: number): Place {
  let [spot, row]: [Spot, number] = [from, from.row + rows];
  for (;;) {
    const { length } = column.lines(spot);
    if (row < length) return { ...spotOf(spot), row };
    const after = spotAfter(column, spot);
    if (!after) return { ...spotOf(spot), row: Math.max(0, length - 1) };
    row -= length;
    spot = after;
  }
}

/** As many as there are, at most so many. */
export function rowsFrom(column: Column, from: Place, count: number): VisibleRow[] {
  const rows: VisibleRow[] = [];
  let skip = from.row;
  for (let spot: Spot | undefined = from; spot && rows.length < count; spot = spotAfter(column, spot)) {
    const lines = column.lines(spot);
    for (let row = skip; row < lines.length && rows.length < count; row++) rows.push(rowAt(spot, row, lines));
    skip = 0;
  }
  return rows;
}

/** The newest, at most so many. */
export function rowsAtEnd(column: Column, count: number): VisibleRow[] {
  const rows: VisibleRow[] = [];
  for (let spot = lastSpot(column); spot && rows.length < count; spot = spotBefore(column, spot)) {
    const lines = column.lines(spot);
    for (let row = lines.length - 1; row >= 0 && rows.length < count; row--) rows.push(rowAt(spot, row, lines));
  }
  return rows.reverse();
}

/** The whole column, laid out for this alone and forgotten as it goes. */
export function* allLines(column: Column, view: ColumnView, isOpen?: boolean): Generator<Line> {
  for (let slot = 0; slot < column.slots(); slot++) {
    for (let section = 0; section < column.sections(slot); section++) {
      yield* column.layOutOnce({ slot, section }, { ...view, isOpen: isOpen ?? column.isOpen(slot) });
    }
  }
}

const spotOf = ({ slot, section }: Spot): Spot => ({ slot, section });

function rowAt(spot: Spot, row: number, lines: readonly Line[]): VisibleRow {
  const line = lines[row];
  if (!line) throw new RangeError("a row is asked for only where there is one");
  return { ...spotOf(spot), row, line };
}
