/** Rows as the lines of text that they were wrapped from: soft breaks undone, decoration left out. */
import type { Measure } from "../../layout/width.ts";
import { type Line, textOf } from "../../line.ts";
import { copiedFrom, type TextRange } from "./cells.ts";

export interface TextLine {
  readonly text: string;
  readonly rows: readonly RowPart[];
}

/** What of a line of text stands in one row. */
export interface RowPart {
  readonly row: number;
  /** In the line's text. */
  readonly from: number;
  readonly to: number;
  /** Where it begins in the row's own text, behind the decoration. */
  readonly unit: number;
}

export function textLines(lines: readonly Line[], measure: Measure): readonly TextLine[] {
  const out: { text: string; rows: RowPart[] }[] = [];
  for (const [row, line] of lines.entries()) {
    const last = out.at(-1);
    const goesOn = last !== undefined && line.wraps === true;
    const target = goesOn ? last : { text: "", rows: [] };
    if (!goesOn) out.push(target);
    const unit = copiedFrom(line, measure);
    const from = target.text.length + (goesOn ? (line.gap?.length ?? 0) : 0);
    target.text += (goesOn ? (line.gap ?? "") : "") + textOf(line).slice(unit);
    target.rows.push({ row, from, to: target.text.length, unit });
  }
  return out;
}

/** Where a range of a line's text stands, row by row, in the offsets of the rows. */
export function rangesIn({ rows }: TextLine, range: TextRange): readonly (TextRange & { readonly row: number })[] {
  return rows.flatMap(({ row, from, to, unit }) => {
    const [start, end] = [Math.max(from, range.from), Math.min(to, range.to)];
    return start < end ? [{ row, from: unit + start - from, to: unit + end - from }] : [];
  });
}
