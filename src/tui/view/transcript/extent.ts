/** What the pointer covers in the transcript: a character, a word or a whole line of the source. */
import { graphemesOf } from "../../layout/width.ts";
import { offsetAt } from "./cells.ts";
import type { Column, Spot } from "./column.ts";
import { firstLine, type SourcePoint } from "./source-point.ts";
import { type TextLine, textLines } from "./text-lines.ts";
import type { VisibleRow } from "./walk.ts";

/** A place in the source of an item or a live block; `slot` is where it was last seen. */
export interface Point extends Spot {
  readonly id: string;
  readonly source: SourcePoint;
}

export interface Extent {
  readonly from: Point;
  readonly to: Point;
}

/** With the second click it is a word, with the third a line. */
export function extentAt(
  column: Column,
  row: VisibleRow,
  { cell, clicks }: { readonly cell: number; readonly clicks: number },
): Extent | undefined {
  const id = column.contents.idAt(row.slot);
  const { measure } = column.view();
  const laidOut = column.lines(row);
  const lines = textLines(laidOut, measure);
  const index = lines.findIndex(({ rows }) => rows.some((part) => part.row === row.row));
  const line = lines[index];
  const part = line?.rows.find((found) => found.row === row.row);
  if (id === undefined || !line || !part) return undefined;
  const unit = offsetAt(row.line, Math.max(0, cell), measure);
  const offset = Math.min(part.to, part.from + Math.max(0, unit - part.unit));
  const { from, to } = clicks >= 3 ? { from: 0, to: line.text.length } : around(line, offset, clicks === 2);
  const point = (at: number): Point => ({
    id,
    slot: row.slot,
    section: row.section,
    source: { line: index + firstLine(laidOut), offset: at },
  });
  return { from: point(from), to: point(to) };
}

/** Below zero: the first comes first. */
export function compare(column: Column, a: Point, b: Point): number {
  const slotNow = ({ id, slot }: Point) => column.contents.slotOf(id, slot) ?? slot;
  return (
    slotNow(a) - slotNow(b) ||
    a.section - b.section ||
    a.source.line - b.source.line ||
    a.source.offset - b.source.offset
  );
}

/** Paths and addresses are words. */
const WORD = /[\p{L}\p{N}\p{M}_~@/\\](?:[\p{L}\p{N}\p{M}_~@/\\.:+%#&=?-]*[\p{L}\p{N}\p{M}_~@/\\])?/gu;

function around({ text }: TextLine, offset: number, isWord: boolean): { readonly from: number; readonly to: number } {
  if (isWord) {
    for (const { 0: word, index } of text.matchAll(WORD)) {
      if (offset >= index && offset < index + word.length) return { from: index, to: index + word.length };
    }
  }
  const [next = ""] = graphemesOf(text.slice(offset, offset + MAX_GRAPHEME));
  return { from: offset, to: offset + next.length };
}

const MAX_GRAPHEME = 64;
