/**
 * Tables of markdown: columns aligned by cells when the table fits, else each row as a line of its parts. Rows are held back
 * until the table ends, because each may widen a column; so many and no more.
 */
import type { Line, Span } from "../line.ts";
import { inlinePieces } from "./inline.ts";
import { blanks, lineOf, type Piece, spanOf, widthOf } from "./span.ts";
import type { Measure } from "./width.ts";
import { wrapPieces } from "./wrap.ts";

export const MAX_TABLE_ROWS = 200;
const MAX_COLUMNS = 40;

export type Align = "left" | "right" | "center";

export interface TableContext {
  readonly width: number;
  readonly measure: Measure;
  /** Before every line. */
  readonly prefix: readonly Span[];
}

/** A line that can be a row: it has a bar that stands for itself. */
export const isRowLike = (line: string): boolean => /(^|[^\\])\|/.test(line.slice(0, 4000));

const DELIMITERS = /^\|?\s*:?-+:?(?:\s*\|\s*:?-+:?)*\s*\|?$/;

/** The columns that a delimiter row such as `|---|--:|` sets below this header; undefined: it is none. */
export function alignments(line: string, header: string): readonly Align[] | undefined {
  if (!DELIMITERS.test(line.trim()) || !line.includes("|")) return undefined;
  const aligns = cellsOf(line).map((cell): Align => {
    if (!cell.endsWith(":")) return "left";
    return cell.startsWith(":") ? "center" : "right";
  });
  return aligns.length === cellsOf(header).length ? aligns : undefined;
}

/** A bar behind a backslash, or within code, parts nothing. */
function cellsOf(line: string): readonly string[] {
  const inner = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  const cells = inner.match(/(?:\\.|`[^`]*`|[^|\\])+|(?<=\||^)(?=\||$)/g) ?? [""];
  return cells.slice(0, MAX_COLUMNS).map((cell) => cell.replaceAll("\\|", "|").trim());
}

/** Header first; one without a word is not shown. */
export function layoutTable(rows: readonly string[], aligns: readonly Align[], context: TableContext): readonly Line[] {
  const cells = rows.map((row, index) => spansOf(row, index === 0, aligns.length, context.measure));
  const widths = aligns.map((_, column) => Math.max(1, ...cells.map((row) => widthOf(row[column] ?? []))));
  const room = context.width - widthOf(context.prefix);
  const whole = widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1));
  const columns = { widths, aligns, prefix: context.prefix };
  const isHanging = whole > room && canHang(columns, whole, room);
  if (whole > room && !isHanging) return rows.flatMap((row, index) => plainRow(row, index === 0, context));
  const [head, ...body] = cells.map((row) =>
    isHanging ? hangingRow(row, columns, context) : [alignedRow(row, columns)],
  );
  const ruled = Math.min(whole, room);
  const rule = lineOf([...context.prefix, { text: "─".repeat(ruled), width: ruled, tone: "rule" }], {
    indent: widthOf(context.prefix) + ruled,
  });
  const isNamed = cells[0]?.some((cell) => widthOf(cell) > 0);
  return head && isNamed ? [...head, rule, ...body.flat()] : body.flat();
}

const GAP = "  ";
/** A last column with less room is no column. */
const MIN_HANGING = 16;

/** Only the last column is too wide, and holds text: it is wrapped within itself. */
function canHang({ widths, aligns }: Columns, whole: number, room: number): boolean {
  const before = whole - (widths.at(-1) ?? 0);
  return widths.length > 1 && aligns.at(-1) === "left" && before * 2 <= room && room - before >= MIN_HANGING;
}

function hangingRow(
  row: readonly (readonly Span[])[],
  { widths, aligns, prefix }: Columns,
  { width, measure }: TableContext,
): readonly Line[] {
  const before = alignedRow([...row.slice(0, -1), []], { widths, aligns, prefix });
  const rest = [...prefix, ...blanks(before.width - widthOf(prefix))];
  const [first, ...others] = wrapPieces(row.at(-1) ?? [], { width, measure, first: before.spans, rest });
  return first ? [{ ...first, indent: widthOf(prefix) }, ...others] : [];
}

function spansOf(row: string, isHeader: boolean, columns: number, measure: Measure): readonly (readonly Span[])[] {
  const cells = cellsOf(row);
  return Array.from({ length: columns }, (_, column) =>
    inlinePieces(cells[column] ?? "", styleOf(isHeader)).map((piece) => spanOf(piece, measure)),
  );
}

const styleOf = (isHeader: boolean) => (isHeader ? ({ tone: "fg", bold: true } as const) : ({ tone: "fg" } as const));

interface Columns {
  readonly widths: readonly number[];
  readonly aligns: readonly Align[];
  readonly prefix: readonly Span[];
}

function alignedRow(row: readonly (readonly Span[])[], { widths, aligns, prefix }: Columns): Line {
  const spans: Span[] = [...prefix];
  for (const [column, width] of widths.entries()) {
    const cell = row[column] ?? [];
    const free = width - widthOf(cell);
    const before = aligns[column] === "right" ? free : aligns[column] === "center" ? Math.floor(free / 2) : 0;
    const isLast = column === widths.length - 1;
    spans.push(...blanks(before), ...cell, ...blanks(isLast ? 0 : free - before + GAP.length));
  }
  return lineOf(spans, { ...(prefix.length > 0 && { indent: widthOf(prefix) }) });
}

/** A row of a table that is too wide for its columns. */
export function plainRow(row: string, isHeader: boolean, { width, measure, prefix }: TableContext): readonly Line[] {
  const pieces = cellsOf(row).flatMap((cell, index): readonly Piece[] => [
    ...(index > 0 ? [{ tone: "rule", text: " │ " } as const] : []),
    ...inlinePieces(cell, styleOf(isHeader)),
  ]);
  return wrapPieces(pieces, { width, measure, first: prefix, rest: prefix });
}
