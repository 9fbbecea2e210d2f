/** Where things stand in the transcript: what is said begins in the fourth column, what belongs to a card in the eighth. */
import type { Line, Span } from "../line.ts";
import { blanks, clippedSpans, lineOf, type Piece, spanOf, widthOf } from "./span.ts";
import type { LayoutContext } from "./types.ts";
import { wrapPieces } from "./wrap.ts";

/** Before what is said. */
export const textMargin = ({ isCompact }: LayoutContext): readonly Span[] => blanks(isCompact ? 0 : 3);

/** Before what belongs to a card. */
export const bodyMargin = ({ isCompact }: LayoutContext): readonly Span[] => blanks(isCompact ? 2 : 7);

/** The last column stays free, but where every column counts. */
export const roomOf = ({ width, isCompact }: LayoutContext): number => (isCompact ? width : Math.max(1, width - 1));

/** What is read as text is no wider than this, without its margin. */
export const MAX_TEXT_CELLS = 100;

export const textWidth = (context: LayoutContext, margin: readonly Span[]): number =>
  Math.min(roomOf(context), widthOf(margin) + MAX_TEXT_CELLS);

/** One line, cut where it must be. */
export function row(pieces: readonly Piece[], margin: readonly Span[], context: LayoutContext): Line {
  const room = roomOf(context);
  const before = widthOf(margin) < room ? margin : [];
  const spans = clippedSpans(pieces, room - widthOf(before), context.measure);
  return lineOf([...before, ...spans], { ...(before.length > 0 && { indent: widthOf(before) }) });
}

/** As many lines as it takes; further ones hang below the text behind the marks. */
export function wrappedRow(
  pieces: readonly Piece[],
  margin: readonly Span[],
  context: LayoutContext,
  marks: readonly Piece[] = [],
): readonly Line[] {
  const first = [...margin, ...marks.map((mark) => spanOf(mark, context.measure))];
  const rest = [...margin, ...blanks(widthOf(first) - widthOf(margin))];
  return wrapPieces(pieces, { width: textWidth(context, margin), measure: context.measure, first, rest });
}
