/**
 * Rows of a diff as styled lines: in one column, or old and new beside each other. A tab stops at the same column on both
 * sides, because it is counted from where the code begins.
 */
import type { Line, Span, Tint, Tone } from "../line.ts";
import { createLexer, type Lexer } from "./code.ts";
import { type ChangedRow, changeRuns, type DiffRow } from "./diff.ts";
import { languageName } from "./languages.ts";
import { boundedLine, leftOut, TAB_CELLS, withoutTabs } from "./plain-text.ts";
import { blanks, clippedSpans, lineOf, type Piece, widthOf } from "./span.ts";
import type { Measure } from "./width.ts";
import { wrapPieces } from "./wrap.ts";

export interface DiffLook {
  /** In cells, of the whole line. */
  readonly width: number;
  readonly measure: Measure;
  /** Tells the language. */
  readonly path: string;
  /** Of the widest number. */
  readonly digits: number;
  /** What does not fit goes on in the next line; else it is cut. */
  readonly isWrapped: boolean;
  /** Before every line. */
  readonly margin?: readonly Span[];
}

const SIGNS = { context: " ", added: "+", removed: "-" } as const;
const SIGN_TONES = { context: "faint", added: "ok", removed: "error" } as const satisfies Record<string, Tone>;

export const digitsOf = (rows: readonly DiffRow[]): number =>
  String(rows.reduce((most, row) => Math.max(most, numberOf(row)), 1)).length;

const numberOf = (row: DiffRow): number => (row.kind === "context" ? Math.max(row.old, row.next) : row.at);

/** `118 - text`: one number, the new one where there are two. */
export function unifiedLines(row: DiffRow, look: DiffLook): readonly Line[] {
  return numberedLines(row, row.kind === "context" ? row.next : row.at, look);
}

function numberedLines(row: DiffRow, number: number, look: DiffLook): readonly Line[] {
  const gutter: readonly Span[] = [
    ...(look.margin ?? []),
    { text: `${String(number).padStart(look.digits)} `, width: look.digits + 1, tone: "faint" },
    { text: `${SIGNS[row.kind]} `, width: 2, tone: SIGN_TONES[row.kind] },
  ];
  return fitted(codePieces(row, lexerFor(look.path), look.measure), gutter, { ...look, tint: tintOf(row) });
}

const tintOf = ({ kind }: DiffRow): Tint | undefined => (kind === "context" ? undefined : kind);

interface Fitting extends DiffLook {
  readonly tint: Tint | undefined;
}

function fitted(pieces: readonly Piece[], gutter: readonly Span[], { width, measure, isWrapped, tint }: Fitting) {
  const first = widthOf(gutter) < width ? gutter : [];
  const extra = { ...(first.length > 0 && { indent: widthOf(first) }), ...(tint && { tint }) };
  if (!isWrapped) {
    return [lineOf([...first, ...clippedSpans(pieces, width - widthOf(first), measure)], extra)];
  }
  return wrapPieces(pieces, { width, measure, first, rest: blanks(widthOf(first)), ...(tint && { tint }) });
}

/** A row is lexed for itself, so that any part of a diff can be laid out alone. */
function codePieces(row: DiffRow, lexer: Lexer, measure: Measure): readonly Piece[] {
  const { text, left } = boundedLine(row.text);
  const note: readonly Piece[] = left > 0 ? [{ tone: "faint", text: leftOut(left) }] : [];
  const { pieces } = lexer(text, undefined);
  const marked = row.kind !== "context" && row.changed ? emphasised(pieces, row.changed) : pieces;
  return [...expanded(marked, measure), ...note];
}

function emphasised(pieces: readonly Piece[], { from, to }: NonNullable<ChangedRow["changed"]>): readonly Piece[] {
  const out: Piece[] = [];
  let at = 0;
  for (const piece of pieces) {
    const cut = (offset: number) => Math.min(Math.max(offset - at, 0), piece.text.length);
    const [start, end] = [cut(from), cut(to)];
    at += piece.text.length;
    const parts: readonly Piece[] = [
      { ...piece, text: piece.text.slice(0, start) },
      { ...piece, text: piece.text.slice(start, end), bold: true },
      { ...piece, text: piece.text.slice(end) },
    ];
    out.push(...parts.filter(({ text }) => text !== ""));
  }
  return out;
}

function expanded(pieces: readonly Piece[], measure: Measure): readonly Piece[] {
  if (!pieces.some(({ text }) => text.includes("\t"))) return pieces;
  let column = 0;
  return pieces.map((piece) => {
    const lead = column % TAB_CELLS;
    const text = withoutTabs(" ".repeat(lead) + piece.text, measure).slice(lead);
    column += measure(text);
    return { ...piece, text };
  });
}

const LEXERS = new Map<string, Lexer>();
const MAX_LEXERS = 50;

function lexerFor(path: string): Lexer {
  const name = languageName(path);
  const known = LEXERS.get(name);
  if (known) return known;
  if (LEXERS.size >= MAX_LEXERS) LEXERS.clear();
  const lexer = createLexer(name);
  LEXERS.set(name, lexer);
  return lexer;
}

/** What stands beside each other: the same line twice, or what was there and what is there now. */
export interface SidePair {
  readonly before: DiffRow | undefined;
  readonly after: DiffRow | undefined;
}

export function sidePairs(rows: readonly DiffRow[]): readonly SidePair[] {
  return changeRuns(rows).flatMap((run): readonly SidePair[] => {
    const [first] = run;
    if (first?.kind === "context") return [{ before: first, after: first }];
    const removed = run.filter(({ kind }) => kind === "removed");
    const added = run.filter(({ kind }) => kind === "added");
    const height = Math.max(removed.length, added.length);
    return Array.from({ length: height }, (_, index) => ({ before: removed[index], after: added[index] }));
  });
}

const DIVIDER: Span = { text: " │ ", width: 3, tone: "rule" };

/** Both sides, each in its half; the shorter one is filled up. */
export function splitLines({ before, after }: SidePair, look: DiffLook): readonly Line[] {
  const half = Math.max(1, Math.floor((look.width - DIVIDER.width) / 2));
  const left = sideLines(before, "old", { ...look, width: half });
  const right = sideLines(after, "next", { ...look, width: half });
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => {
    const spans = [...filled(left[index], half), DIVIDER, ...filled(right[index], half)];
    return lineOf(spans, { ...(index > 0 && { wraps: true }) });
  });
}

function sideLines(row: DiffRow | undefined, side: "old" | "next", look: DiffLook): readonly Line[] {
  return row ? numberedLines(row, row.kind === "context" ? row[side] : row.at, look) : [];
}

/** The tint of a side is of its spans, for the line has two. */
function filled(line: Line | undefined, width: number): readonly Span[] {
  const spans = line?.spans ?? [];
  const all = [...spans, ...blanks(width - (line?.width ?? 0))];
  return line?.tint ? all.map((span) => ({ ...span, ...(line.tint && { tint: line.tint }) })) : all;
}
