/** Rows that fit: what is too long ends in `…`, the right side is left out before the left one is cut. Text comes in safe. */
import { clippedSpans, fittingEnd, fittingStart, lineOf, type Piece } from "../layout/span.ts";
import { graphemesOf, type Measure } from "../layout/width.ts";
import type { Line, Style, Tint } from "../line.ts";

export const piecesWidth = (pieces: readonly Piece[], measure: Measure): number =>
  pieces.reduce((sum, { text }) => sum + measure(text), 0);

const COMPACT_COLUMNS = 40;

/** There is no room for margins, second columns and long words. */
export const isCompact = (width: number): boolean => width < COMPACT_COLUMNS;

const ELLIPSIS = "…";

export interface CutOptions {
  readonly measure: Measure;
  readonly at?: "start" | "end";
}

/** At most `width` cells. `start`: the end of the text is what matters, as in a path. */
export function cut(text: string, width: number, { measure, at = "end" }: CutOptions): string {
  if (measure(text) <= width) return text;
  if (width < 1) return "";
  if (at === "start") return ELLIPSIS + fittingEnd(text, width - 1, measure).text;
  return fittingStart(text, width - 1, measure).text + ELLIPSIS;
}

/** The pieces from the left; what does not fit is shown as cut. */
export const fittedLine = (pieces: readonly Piece[], width: number, measure: Measure): Line =>
  lineOf(clippedSpans(pieces, width, measure));

/** Two sides of a row; the right one is there only when both have room with a gap between. */
export function sides(left: readonly Piece[], right: readonly Piece[], { width, measure, tint }: RowRoom): Line {
  const wanted = piecesWidth(right, measure);
  const used = piecesWidth(left, measure);
  const gap = width - used - wanted;
  const pieces: readonly Piece[] =
    wanted > 0 && gap >= MIN_GAP ? [...left, { tone: "fg", text: " ".repeat(gap) }, ...right] : left;
  return { ...fittedLine(pieces, width, measure), ...(tint && { tint }) };
}

const MIN_GAP = 2;

export interface RowRoom {
  readonly width: number;
  readonly measure: Measure;
  readonly tint?: Tint;
}

/** The text with the letters at these offsets (UTF-16 units) in the accent; characters are never torn. */
export function marked(text: string, matched: readonly number[], style: Style): readonly Piece[] {
  if (matched.length === 0) return text === "" ? [] : [{ ...style, text }];
  const hits = new Set(matched);
  const pieces: { isHit: boolean; text: string }[] = [];
  let at = 0;
  for (const part of graphemesOf(text)) {
    const isHit = rangeHas(hits, at, at + part.length);
    const last = pieces.at(-1);
    if (last && last.isHit === isHit) last.text += part;
    else pieces.push({ isHit, text: part });
    at += part.length;
  }
  return pieces.map(({ isHit, text: piece }) => ({ ...style, ...(isHit && { tone: "accent" as const }), text: piece }));
}

function rangeHas(hits: ReadonlySet<number>, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (hits.has(at)) return true;
  return false;
}

/** Offsets of a text within the same text cut by `cut`; those that are gone are dropped. */
export function shifted(matched: readonly number[], whole: string, shown: string): readonly number[] {
  if (whole === shown) return matched;
  if (shown.startsWith(ELLIPSIS)) {
    const gone = whole.length - (shown.length - ELLIPSIS.length);
    return matched.filter((at) => at >= gone).map((at) => at - gone + ELLIPSIS.length);
  }
  return matched.filter((at) => at < shown.length - ELLIPSIS.length);
}

/** The piece of a rule that heads what lies over the transcript, with words in it. */
export function titleRule(title: string, width: number, measure: Measure): Line {
  const words = cut(title, Math.max(0, width - 6), { measure });
  if (words === "") return fittedLine([{ tone: "rule", text: "─".repeat(width) }], width, measure);
  const rest = Math.max(0, width - 4 - measure(words));
  return fittedLine(
    [
      { tone: "rule", text: "── " },
      { tone: "fg", bold: true, text: words },
      { tone: "rule", text: ` ${"─".repeat(rest)}` },
    ],
    width,
    measure,
  );
}
