/**
 * The composer's text. The draft is the truth and lives here with its history; the text area only shows it. So chips are
 * erased whole and survive undo, whatever the library does with positions of its own.
 */
import { sanitize } from "../../shared/index.ts";
import { type Key, keyName } from "../key.ts";
import { type Draft, draftOf, EMPTY_DRAFT, placeCursor, type Range, replaceRange, selected } from "./draft.ts";
import { createEditHistory, type EditKind } from "./edit-history.ts";
import { EDITS, type PureAction, typed } from "./edits.ts";
import type { Chip, Editor, EditorAction, PlacedChip } from "./port.ts";
import type { TextArea } from "./text-area.ts";

export interface ComposerEditor extends Editor {
  /** What no binding took: letters, and the keys every text field has. True: something was done. */
  key(key: Key): boolean;
  /** The cursor goes where the area was clicked, from its top left. */
  click(x: number, y: number): void;
}

/** What is longer is cut: whoever takes more at once makes a chip of it. */
const MAX_DRAFT_UNITS = 2_000_000;

const KEYS: Readonly<Record<string, EditorAction>> = {
  left: "move-left",
  right: "move-right",
  up: "move-up",
  down: "move-down",
  home: "line-home",
  end: "line-end",
  "ctrl+home": "buffer-home",
  "ctrl+end": "buffer-end",
  backspace: "backspace",
  "shift+backspace": "backspace",
  "ctrl+h": "backspace",
  delete: "delete",
  "shift+delete": "delete",
  "ctrl+b": "move-left",
};

export function createEditor(area: TextArea, onChange: () => void): ComposerEditor {
  let draft: Draft = EMPTY_DRAFT;
  const history = createEditHistory();
  function become(next: Draft): void {
    if (next === draft) return;
    draft = next;
    area.show(next);
    onChange();
  }
  function change(next: Draft, kind: EditKind): void {
    if (next.text !== draft.text || next.chips.length !== draft.chips.length) history.record(draft, next, kind);
    become(next);
  }
  const cleaned = (text: string, room: number) => cleanText(text).slice(0, Math.max(0, room));
  const room = () => MAX_DRAFT_UNITS - draft.text.length;
  const insert = (text: string) => {
    const isTyped = text.length <= 2 && text !== "\n" && !draft.selection;
    change(typed(draft, cleaned(text, room())), isTyped ? "type" : "other");
  };
  /** The area's own cursor stands there already; where none may stand it is moved. */
  function land(offset: number): void {
    const old = draft;
    draft = placeCursor(draft, offset);
    area.show(draft);
    if (draft.cursor !== old.cursor || old.selection) onChange();
  }
  const moves: Readonly<Record<Exclude<EditorAction, PureAction>, () => void>> = {
    undo: () => become(history.undo(draft) ?? draft),
    redo: () => become(history.redo(draft) ?? draft),
    "move-up": () => land(area.moveVertically("up")),
    "move-down": () => land(area.moveVertically("down")),
  };
  function run(action: EditorAction): void {
    if (isPure(action)) {
      const isErased = (action === "backspace" || action === "delete") && !draft.selection;
      change(EDITS[action](draft), isErased ? "erase" : "other");
    } else moves[action]();
  }
  return {
    text: () => draft.text,
    chips: () => draft.chips,
    cursor: () => draft.cursor,
    setCursor: (offset) => become(placeCursor(draft, offset)),
    setText(text: string, chips: readonly PlacedChip[] = []) {
      change(draftOf(cleaned(text, MAX_DRAFT_UNITS), chips), "other");
    },
    insert,
    insertChip(chip: Chip, replacing?: Range) {
      const label = cleaned(chip.label, room()).replaceAll(/[\n\t]+/g, " ");
      const range = replacing ?? draft.selection ?? { start: draft.cursor, end: draft.cursor };
      change(replaceRange(draft, within(draft, range), { ...chip, label }), "other");
    },
    run,
    rows: (width) => area.rows(width),
    selectedText: () => selected(draft),
    setCursorShape: (shape) => area.setCursorShape(shape),
    key(key) {
      const action = KEYS[keyName(key)];
      if (action) run(action);
      else if (key.text !== undefined) insert(key.text);
      return action !== undefined || key.text !== undefined;
    },
    click: (x, y) => land(area.moveTo(x, y)),
  };
}

const isPure = (action: EditorAction): action is PureAction => action in EDITS;

/** As a draft may hold it. Terminals send line ends as Enter does. */
export const cleanText = (text: string): string => sanitize(text.replaceAll(/\r\n?/g, "\n"));

const within = ({ text }: Draft, { start, end }: Range): Range => {
  const from = Math.min(Math.max(0, start), text.length);
  return { start: from, end: Math.min(Math.max(from, end), text.length) };
};
