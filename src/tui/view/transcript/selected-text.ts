/** What lies between two points of the transcript: its text, and how it is marked where it is seen. */
import { type Line, textOf } from "../../line.ts";
import { copiedFrom, restyled } from "./cells.ts";
import type { Column, Place, Spot } from "./column.ts";
import type { Extent, Point } from "./extent.ts";
import { toRow } from "./source-point.ts";
import { spotAfter, type VisibleRow } from "./walk.ts";

/** More is not copied. */
const MAX_CHARS = 8 * 1024 * 1024;

/** A point as a row, and the offset in the row's text. */
interface Edge extends Place {
  readonly unit: number;
}

export function selectedText(column: Column, range: Extent): string {
  const [start, end] = [edgeOf(column, range.from), edgeOf(column, range.to)];
  if (!start || !end) return "";
  let text = "";
  for (const row of rowsBetween(column, start, end)) {
    const part = partOf(row, row.line, { column, start, end });
    if (!isSameRow(row, start)) text += row.line.wraps ? (row.line.gap ?? "") : "\n";
    text += textOf(row.line).slice(part?.from, part?.to);
    if (text.length > MAX_CHARS) break;
  }
  return text;
}

function* rowsBetween(column: Column, start: Place, end: Place): Generator<VisibleRow> {
  for (let spot: Spot | undefined = start; spot; spot = spotAfter(column, spot)) {
    for (const [row, line] of column.lines(spot).entries()) {
      const { slot, section } = spot;
      const here = { slot, section, row, line };
      if (before(end, here)) return;
      if (!before(here, start)) yield here;
    }
  }
}

export function markerOf(column: Column, range: Extent): (row: VisibleRow, line: Line) => Line {
  const [start, end] = [edgeOf(column, range.from), edgeOf(column, range.to)];
  if (!start || !end) return (_row, line) => line;
  const { measure } = column.view();
  return (row, line) => {
    const part = partOf(row, line, { column, start, end });
    return part ? restyled(line, part, { tint: "selected" }, measure) : line;
  };
}

function edgeOf(column: Column, { id, slot: hint, section, source }: Point): Edge | undefined {
  const slot = column.contents.slotOf(id, hint);
  if (slot === undefined) return undefined;
  return { slot, section, ...toRow(column.lines({ slot, section }), source, column.view().measure) };
}

interface Between {
  readonly column: Column;
  readonly start: Edge;
  readonly end: Edge;
}

/** What of a row is selected; undefined: the row is not between the edges. */
function partOf(place: Place, line: Line, { column, start, end }: Between) {
  if (before(place, start) || before(end, place)) return undefined;
  const from = isSameRow(place, start) ? start.unit : copiedFrom(line, column.view().measure);
  const to = isSameRow(place, end) ? end.unit : textOf(line).length;
  return { from, to: Math.max(from, to) };
}

const before = (a: Place, b: Place): boolean => (a.slot - b.slot || a.section - b.section || a.row - b.row) < 0;
const isSameRow = (a: Place, b: Place): boolean => !before(a, b) && !before(b, a);
