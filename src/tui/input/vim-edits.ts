/** What vim's commands do to a draft: operators over a range, what needs no motion, and what was deleted or copied last. */
import {
  before,
  behind,
  type Draft,
  lineEnd,
  lineStart,
  moved,
  type Piece,
  pieceOf,
  type Range,
  replaceRange,
} from "../screen/draft.ts";
import type { Editor } from "../screen/port.ts";
import { type Find, firstLetter, MOTIONS, type Target } from "./vim-motions.ts";

export type VimMode = "insert" | "normal";

export type Operator = "d" | "c" | "y";

/** What was typed of a command so far. */
export interface Begun {
  readonly count?: number;
  readonly operator?: Operator;
  /** The count before the operator; the two are multiplied. */
  readonly times?: number;
  /** `g`, or the motion that waits for its letter; `r` waits for the letter that replaces. */
  readonly waits?: "g" | "r" | Find;
}

interface Held extends Piece {
  readonly isLines: boolean;
}

export interface VimState {
  mode: VimMode;
  begun: Begun;
  held: Held;
}

export interface Work {
  readonly editor: Editor;
  readonly state: VimState;
}

export function enter(mode: VimMode, { editor, state }: Work): void {
  state.mode = mode;
  state.begun = {};
  editor.setCursorShape(mode === "normal" ? "block" : "bar");
}

export const draftIn = (editor: Editor): Draft => ({
  text: editor.text(),
  chips: editor.chips(),
  cursor: editor.cursor(),
});

interface Reach extends Range {
  readonly isLines: boolean;
}

export function rangeTo({ offset, isLines, isInclusive }: Target, draft: Draft): Reach {
  const [first, last] = offset < draft.cursor ? [offset, draft.cursor] : [draft.cursor, offset];
  if (isLines) return { start: lineStart(draft, first), end: lineEnd(draft, last), isLines: true };
  return { start: first, end: isInclusive ? behind(draft, last) : last, isLines: false };
}

export function wholeLines(draft: Draft, count: number): Reach {
  let end = lineEnd(draft, draft.cursor);
  for (let left = count - 1; left > 0 && end < draft.text.length; left--) end = lineEnd(draft, end + 1);
  return { start: lineStart(draft, draft.cursor), end, isLines: true };
}

export function operate(operator: Operator, { start, end, isLines }: Reach, work: Work): void {
  const { editor, state } = work;
  const draft = draftIn(editor);
  state.held = { ...pieceOf(draft, { start, end }), isLines };
  if (operator === "y") editor.setCursor(isLines ? Math.min(draft.cursor, end) : start);
  else if (operator === "c") put(editor, { start, end }, "");
  else if (isLines) cutLines(draft, { start, end }, editor);
  else put(editor, { start, end }, "");
  if (operator === "c") enter("insert", work);
}

/** With one line's end, whichever side has one. */
function cutLines(draft: Draft, { start, end }: Range, editor: Editor): void {
  const hasNext = end < draft.text.length;
  put(editor, hasNext ? { start, end: end + 1 } : { start: Math.max(0, start - 1), end }, "");
  editor.setCursor(firstLetter(draftIn(editor), Math.min(start, editor.text().length)));
}

function put(editor: Editor, range: Range, text: string): void {
  putPiece(editor, range, { text, chips: [] });
}

function putPiece(editor: Editor, range: Range, { text, chips }: Piece): void {
  const next = replaceRange(draftIn(editor), range, text);
  if (range.start !== range.end || text !== "") {
    editor.setText(next.text, [...next.chips, ...moved(chips, range.start)]);
  }
  editor.setCursor(next.cursor);
}

/** Only when there are so many in the line. */
export function replaceSign(sign: string, count: number, editor: Editor): void {
  const draft = draftIn(editor);
  let end = draft.cursor;
  for (let left = count; left > 0; left--) {
    if (end >= lineEnd(draft, draft.cursor)) return;
    end = behind(draft, end);
  }
  put(editor, { start: draft.cursor, end }, sign.repeat(count));
  editor.setCursor(before(draftIn(editor), editor.cursor()));
}

type Command = (work: Work, count: number) => void;

const writing =
  (place: (draft: Draft) => number, text = ""): Command =>
  (work) => {
    work.editor.setCursor(place(draftIn(work.editor)));
    if (text !== "") work.editor.insert(text);
    enter("insert", work);
  };

const operating =
  (operator: Operator, sign: string): Command =>
  (work, count) => {
    const draft = draftIn(work.editor);
    const target = MOTIONS[sign]?.(draft, { count, isForOperator: true });
    if (target) operate(operator, rangeTo(target, draft), work);
  };

const putting =
  (isBehind: boolean): Command =>
  ({ editor, state: { held } }, count) => {
    if (held.isLines) putLines(held, isBehind, editor);
    else if (held.text !== "") putText(repeated(held, Math.min(count, 100)), isBehind, editor);
  };

const repeated = ({ text, chips }: Piece, count: number): Piece => ({
  text: text.repeat(count),
  chips: Array.from({ length: count }, (_, at) => moved(chips, at * text.length)).flat(),
});

function putLines({ text, chips }: Piece, isBehind: boolean, editor: Editor): void {
  const draft = draftIn(editor);
  const at = isBehind ? lineEnd(draft, draft.cursor) : lineStart(draft, draft.cursor);
  const lines = isBehind ? { text: `\n${text}`, chips: moved(chips, 1) } : { text: `${text}\n`, chips };
  putPiece(editor, { start: at, end: at }, lines);
  editor.setCursor(firstLetter(draftIn(editor), isBehind ? at + 1 : at));
}

function putText(piece: Piece, isBehind: boolean, editor: Editor): void {
  const draft = draftIn(editor);
  const at = isBehind ? next(draft) : draft.cursor;
  putPiece(editor, { start: at, end: at }, piece);
  editor.setCursor(before(draftIn(editor), at + piece.text.length));
}

const here = ({ cursor }: Draft) => cursor;
const next = (draft: Draft) =>
  draft.cursor < lineEnd(draft, draft.cursor) ? behind(draft, draft.cursor) : draft.cursor;

/** What needs no motion. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  i: writing(here),
  a: writing(next),
  I: writing((draft) => firstLetter(draft, draft.cursor)),
  A: writing((draft) => lineEnd(draft, draft.cursor)),
  o: writing((draft) => lineEnd(draft, draft.cursor), "\n"),
  O: (work) => {
    const start = lineStart(draftIn(work.editor), work.editor.cursor());
    put(work.editor, { start, end: start }, "\n");
    work.editor.setCursor(start);
    enter("insert", work);
  },
  x: operating("d", "l"),
  X: operating("d", "h"),
  s: operating("c", "l"),
  D: operating("d", "$"),
  C: operating("c", "$"),
  Y: (work, count) => operate("y", wholeLines(draftIn(work.editor), count), work),
  p: putting(true),
  P: putting(false),
  u: ({ editor }, count) => {
    for (let left = Math.min(count, 1000); left > 0; left--) editor.run("undo");
  },
};
