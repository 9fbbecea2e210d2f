/** The small parts that lines are put together from. Text comes in safe: see `plain-text.ts` and `spelling.ts`. */
import type { Line, Span, Style } from "../line.ts";
import { graphemesOf, type Measure } from "./width.ts";

/** Text in one style, not yet measured. */
export interface Piece extends Style {
  readonly text: string;
}

export const spanOf = (piece: Piece, measure: Measure): Span => ({ ...piece, width: measure(piece.text) });

export function lineOf(spans: readonly Span[], extra: Omit<Line, "spans" | "width"> = {}): Line {
  return { spans, width: widthOf(spans), ...extra };
}

export function widthOf(spans: readonly Span[]): number {
  let width = 0;
  for (const span of spans) width += span.width;
  return width;
}

const isSameStyle = (a: Style, b: Style): boolean =>
  a.tone === b.tone &&
  a.bold === b.bold &&
  a.italic === b.italic &&
  a.dim === b.dim &&
  a.underline === b.underline &&
  a.strike === b.strike &&
  a.tint === b.tint;

/** So many empty cells, none where there is no room. */
export const blanks = (width: number): readonly Span[] =>
  width > 0 ? [{ text: " ".repeat(width), width, tone: "fg" }] : [];

/** The same text in as few spans as there are styles. */
export function joined(spans: readonly Span[]): readonly Span[] {
  const out: Span[] = [];
  for (const span of spans) {
    const last = out.at(-1);
    if (span.text === "") continue;
    if (!last || !isSameStyle(last, span)) out.push(span);
    else out[out.length - 1] = { ...last, text: last.text + span.text, width: last.width + span.width };
  }
  return out;
}

/** The beginning that fits, by graphemes, and its cells. */
export function fittingStart(text: string, width: number, measure: Measure): { text: string; width: number } {
  let [kept, used] = ["", 0];
  for (const grapheme of graphemesOf(text)) {
    const cells = measure(grapheme);
    if (used + cells > width) break;
    kept += grapheme;
    used += cells;
  }
  return { text: kept, width: used };
}

/** The end that fits. */
export function fittingEnd(text: string, width: number, measure: Measure): { text: string; width: number } {
  let [kept, used] = ["", 0];
  for (const grapheme of graphemesOf(text).toReversed()) {
    const cells = measure(grapheme);
    if (used + cells > width) break;
    kept = grapheme + kept;
    used += cells;
  }
  return { text: kept, width: used };
}

const MARK = "…";

/** One line of these pieces, at most so wide; what does not fit is shown as cut. */
export function clippedSpans(pieces: readonly Piece[], width: number, measure: Measure): readonly Span[] {
  const out: Span[] = [];
  let room = width;
  for (const [index, piece] of pieces.entries()) {
    const span = spanOf(piece, measure);
    const isLast = pieces.slice(index + 1).every(({ text }) => text === "");
    if (span.width < room || (span.width === room && isLast)) {
      out.push(span);
      room -= span.width;
      continue;
    }
    if (room > 0) {
      const start = fittingStart(piece.text, room - 1, measure);
      out.push({ ...piece, text: start.text + MARK, width: start.width + 1 });
    }
    break;
  }
  return joined(out);
}

/** A text that keeps both its ends, as of a path whose name matters most. */
export function clippedMiddle(text: string, width: number, measure: Measure): string {
  if (measure(text) <= width) return text;
  if (width < 5) return fittingStart(text, Math.max(0, width - 1), measure).text + (width > 0 ? MARK : "");
  const end = fittingEnd(text, Math.ceil((width - 1) * 0.6), measure);
  return fittingStart(text, width - 1 - end.width, measure).text + MARK + end.text;
}
