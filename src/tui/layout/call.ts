/**
 * The card of a call: one line, and below it what matters now. While it runs the newest of what it prints, after an edit the
 * change, after a failure why; unfolded all that is kept.
 */
import type { Line } from "../line.ts";
import type { CallItem } from "../model/items.ts";
import { oneName } from "../spelling.ts";
import { foldedBody, openBody } from "./call-body.ts";
import { markOf, resultPieces, subjectWords, wentWrong } from "./call-words.ts";
import { roomOf, row, textMargin } from "./margin.ts";
import { clippedMiddle, clippedSpans, type Piece, widthOf } from "./span.ts";
import type { LayoutContext } from "./types.ts";

export function callLines(call: CallItem, context: LayoutContext): readonly Line[] {
  return [head(call, context), ...(context.isOpen ? openBody : foldedBody)(call, context)];
}

/** Whether anything stands below its line when nobody unfolded it; by what it is, not by where it is shown. */
export const hasBody = (call: CallItem): boolean =>
  wentWrong(call) ||
  (call.state === "done" && call.changes.some(({ diff }) => diff !== undefined)) ||
  (call.state === "running" && call.output !== "");

/** A path gives way in its middle, so that its name and what came of it stay. */
function head(call: CallItem, context: LayoutContext): Line {
  const mark = markOf(call);
  const margin = textMargin(context);
  const told = resultPieces(call, context.isOpen);
  const start: readonly Piece[] = [
    { tone: mark.tone, text: `${mark.sign} ` },
    { tone: "fg", text: oneName(call.name, MAX_NAME) },
  ];
  const taken = cellsOf(start, context) + widthOf(margin) + 1;
  const room = Math.max(0, roomOf(context) - taken);
  // Where both cannot stand, what it is about tells more than what came of it: that its mark tells too.
  const result = room >= MIN_ROOM_FOR_BOTH ? told : [];
  const wanted = room - Math.min(cellsOf(result, context), Math.floor(room / 2));
  return row([...start, ...subjectPieces(call, wanted, context), ...result], margin, context);
}

const MAX_NAME = 40;
const MIN_ROOM_FOR_BOTH = 24;

const cellsOf = (pieces: readonly Piece[], { measure }: LayoutContext): number =>
  pieces.reduce((sum, { text }) => sum + measure(text), 0);

function subjectPieces(call: CallItem, width: number, { measure }: LayoutContext): readonly Piece[] {
  const words = subjectWords(call);
  if (words === "" || width < 2) return [];
  const isPath = call.name !== "bash" && call.name !== "process" && words.includes("/");
  if (isPath) return [{ tone: "muted", text: ` ${clippedMiddle(words, width, measure)}` }];
  return clippedSpans([{ tone: "muted", text: ` ${words}` }], width + 1, measure);
}
