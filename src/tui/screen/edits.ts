/** What each editing action does to a draft. Up and down are not here: they depend on how the text is wrapped. */
import {
  before,
  behind,
  type Draft,
  draftOf,
  lineEnd,
  lineStart,
  placeCursor,
  replaceRange,
  wordBefore,
  wordBehind,
} from "./draft.ts";
import type { EditorAction } from "./port.ts";

export type PureAction = Exclude<EditorAction, "move-up" | "move-down" | "undo" | "redo">;

type Edit = (draft: Draft) => Draft;

const to =
  (place: (draft: Draft, offset: number) => number): Edit =>
  (draft) =>
    placeCursor(draft, place(draft, draft.cursor));

/** What is selected goes; else what lies between the cursor and that place. */
const erase =
  (place: (draft: Draft, offset: number) => number): Edit =>
  (draft) => {
    if (draft.selection) return replaceRange(draft, draft.selection, "");
    const other = place(draft, draft.cursor);
    if (other === draft.cursor) return draft;
    return replaceRange(draft, { start: Math.min(other, draft.cursor), end: Math.max(other, draft.cursor) }, "");
  };

/** At the beginning of a line it is the break before it that goes. */
const lineStartOrBreak = (draft: Draft, offset: number): number => {
  const start = lineStart(draft, offset);
  return start === offset ? Math.max(0, offset - 1) : start;
};
const lineEndOrBreak = (draft: Draft, offset: number): number => {
  const end = lineEnd(draft, offset);
  return end === offset ? Math.min(draft.text.length, offset + 1) : end;
};

export const typed = (draft: Draft, text: string): Draft =>
  replaceRange(draft, draft.selection ?? { start: draft.cursor, end: draft.cursor }, text);

export const EDITS: Readonly<Record<PureAction, Edit>> = {
  "move-left": (draft) =>
    draft.selection ? placeCursor(draft, draft.selection.start) : placeCursor(draft, before(draft, draft.cursor)),
  "move-right": (draft) =>
    draft.selection ? placeCursor(draft, draft.selection.end) : placeCursor(draft, behind(draft, draft.cursor)),
  "word-forward": to(wordBehind),
  "word-backward": to(wordBefore),
  "line-home": to(lineStart),
  "line-end": to(lineEnd),
  "buffer-home": (draft) => placeCursor(draft, 0),
  "buffer-end": (draft) => placeCursor(draft, draft.text.length),
  backspace: erase(before),
  delete: erase(behind),
  "delete-word-backward": erase(wordBefore),
  "delete-word-forward": erase(wordBehind),
  "delete-to-line-start": erase(lineStartOrBreak),
  "delete-to-line-end": erase(lineEndOrBreak),
  newline: (draft) => typed(draft, "\n"),
  "select-all": (draft) =>
    draft.text === ""
      ? draft
      : { ...draftOf(draft.text, draft.chips), selection: { start: 0, end: draft.text.length } },
};
