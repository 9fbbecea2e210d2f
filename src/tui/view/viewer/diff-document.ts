/** One file's diff as rows that are laid out one by one: notes, heads of hunks, lines, in one column or two. */
import { type DiffRow, type FileDiff, parseDiff } from "../../layout/diff.ts";
import { digitsOf, type SidePair, sidePairs, splitLines, unifiedLines } from "../../layout/diff-lines.ts";
import type { Piece } from "../../layout/span.ts";
import type { Measure } from "../../layout/width.ts";
import { wrapPieces } from "../../layout/wrap.ts";
import { EMPTY_LINE, type Line } from "../../line.ts";
import type { DiffFile } from "../../ports.ts";
import { fittedLine } from "../row.ts";
import { type Renumbering, sameRow } from "./scroller.ts";
import type { Searched } from "./search.ts";

export interface DiffLook {
  readonly width: number;
  readonly measure: Measure;
  readonly isSplit: boolean;
}

export interface DiffDocument extends Searched {
  /** Everything looks otherwise now, unless it gives nothing. Rows have other numbers when the columns changed. */
  setLook(look: DiffLook): Renumbering | undefined;
  readonly diff: FileDiff;
  /** The row of the hunk's head. */
  rowOf(hunk: number): number;
  /** The hunk that this row belongs to; the first for what stands before it. */
  hunkAt(row: number): number;
  setCurrent(hunk: number): void;
}

type Row =
  | { readonly kind: "blank" }
  | { readonly kind: "note"; readonly text: string }
  | { readonly kind: "head"; readonly hunk: number }
  | { readonly kind: "one"; readonly row: DiffRow }
  | { readonly kind: "two"; readonly pair: SidePair };

const NOTE_MARGIN = [{ text: " ", width: 1, tone: "muted" }] as const;

export function diffDocument({ path, diff: source }: DiffFile): DiffDocument {
  const diff = parseDiff(source);
  const digits = digitsOf(diff.hunks.flatMap(({ rows }) => rows.slice(-1)));
  let look: DiffLook = { width: 1, measure: (text) => text.length, isSplit: false };
  let current = 0;
  let { rows, heads } = rowsOf(diff, look.isSplit);

  function lines(index: number): readonly Line[] {
    const row = rows[index];
    const lineLook = { ...look, path, digits, isWrapped: true };
    switch (row?.kind) {
      case "note":
        return wrapPieces([{ tone: "muted", text: row.text }], { ...look, first: NOTE_MARGIN, rest: NOTE_MARGIN });
      case "head":
        return [headLine(diff, row.hunk, { ...look, isCurrent: row.hunk === current })];
      case "one":
        return unifiedLines(row.row, lineLook);
      case "two":
        return splitLines(row.pair, lineLook);
      default:
        return [EMPTY_LINE];
    }
  }

  return {
    diff,
    lines,
    count: () => rows.length,
    text: (index) => textOfRow(rows[index]),
    rowOf: (hunk) => heads[hunk] ?? 0,
    hunkAt: (row) =>
      Math.max(
        0,
        heads.findLastIndex((head) => head <= row),
      ),
    setCurrent(hunk) {
      current = hunk;
    },
    setLook(next) {
      if (look.width === next.width && look.measure === next.measure && look.isSplit === next.isSplit) return undefined;
      const [before, isOther] = [rows, look.isSplit !== next.isSplit];
      if (isOther) ({ rows, heads } = rowsOf(diff, next.isSplit));
      look = next;
      return isOther ? renumbering(before, rows) : sameRow;
    },
  };
}

const NOTHING = "No lines to compare: what changed is empty, no text, or was not kept.";

function rowsOf({ notes, hunks }: FileDiff, isSplit: boolean): { rows: readonly Row[]; heads: readonly number[] } {
  const rows: Row[] = notes.map((text) => ({ kind: "note", text }));
  const heads: number[] = [];
  for (const [index, hunk] of hunks.entries()) {
    if (rows.length > 0) rows.push({ kind: "blank" });
    heads.push(rows.length);
    rows.push({ kind: "head", hunk: index });
    if (isSplit) for (const pair of sidePairs(hunk.rows)) rows.push({ kind: "two", pair });
    else for (const row of hunk.rows) rows.push({ kind: "one", row });
  }
  if (rows.length === 0) rows.push({ kind: "note", text: NOTHING });
  return { rows, heads };
}

/** By what stands in a row. A blank one goes with the row above it; what stands before the first hunk does not move. */
function renumbering(before: readonly Row[], after: readonly Row[]): Renumbering {
  return (row) => {
    const [sign] = signsOf(before[before[row]?.kind === "blank" ? row - 1 : row]);
    return sign === undefined ? row : after.findIndex((other) => signsOf(other).includes(sign));
  };
}

/** What tells a row from all others in one column and in two. */
function signsOf(row: Row | undefined): readonly (DiffRow | number)[] {
  switch (row?.kind) {
    case "head":
      return [row.hunk];
    case "one":
      return [row.row];
    case "two":
      return [row.pair.before, row.pair.after].filter((side) => side !== undefined);
    default:
      return [];
  }
}

function headLine(
  { hunks }: FileDiff,
  index: number,
  { width, measure, isCurrent }: DiffLook & { isCurrent: boolean },
): Line {
  const hunk = hunks[index];
  const place = hunk?.place ? ` · ${hunk.place}` : "";
  const words = ` lines ${linesOfHunk(hunk)}${place} `;
  const tone = isCurrent ? "accent" : "muted";
  const pieces: readonly Piece[] = [
    { tone, text: isCurrent ? "›" : "─" },
    { tone, text: words },
  ];
  return fittedLine(pieces, width, measure);
}

/** The new lines of a hunk, as in `118–124`. */
export function linesOfHunk(hunk: FileDiff["hunks"][number] | undefined): string {
  if (!hunk) return "";
  const count = hunk.rows.filter(({ kind }) => kind !== "removed").length;
  const last = hunk.next + Math.max(0, count - 1);
  return last === hunk.next ? `${hunk.next}` : `${hunk.next}–${last}`;
}

function textOfRow(row: Row | undefined): string {
  switch (row?.kind) {
    case "note":
      return row.text;
    case "one":
      return row.row.text;
    case "two":
      return [row.pair.before?.text, row.pair.after?.text].filter((text) => text !== undefined).join("\n");
    default:
      return "";
  }
}
