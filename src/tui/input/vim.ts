/**
 * Vim's keys for the draft, over whatever editor there is: writing, and commands with counts, operators and motions. What it
 * does not know in command mode types nothing; keys with Ctrl or Alt are the keymap's, but for Ctrl+R.
 */
import { type Key, keyName } from "../key.ts";
import { before, lineEnd, lineStart } from "../screen/draft.ts";
import type { Editor } from "../screen/port.ts";
import {
  type Begun,
  COMMANDS,
  draftIn,
  enter,
  type Operator,
  operate,
  rangeTo,
  replaceSign,
  type VimMode,
  type VimState,
  type Work,
  wholeLines,
} from "./vim-edits.ts";
import { type Find, found, MOTIONS, type Target } from "./vim-motions.ts";

export interface Vim {
  mode(): VimMode;
  /** Before the keymap. True: used. */
  key(key: Key): boolean;
  /** Back to writing, with the cursor of before; when vim is switched off too. */
  reset(): void;
}

export function createVim(editor: () => Editor): Vim {
  const state: VimState = { mode: "insert", begun: {}, held: { text: "", chips: [], isLines: false } };
  return {
    mode: () => state.mode,
    key(key) {
      const work = { editor: editor(), state };
      return state.mode === "insert" ? written(keyName(key), work) : commanded(key, work);
    },
    reset: () => enter("insert", { editor: editor(), state }),
  };
}

function written(name: string, work: Work): boolean {
  if (name !== "escape") return false;
  const draft = draftIn(work.editor);
  enter("normal", work);
  if (draft.cursor > lineStart(draft, draft.cursor)) work.editor.setCursor(before(draft, draft.cursor));
  return true;
}

/** By other names. */
const SAME: Readonly<Record<string, string>> = { backspace: "h", space: "l", delete: "x" };

function commanded(key: Key, work: Work): boolean {
  const { state, editor } = work;
  const name = keyName(key);
  if (name === "escape") {
    const wasBegun = Object.keys(state.begun).length > 0;
    state.begun = {};
    return wasBegun;
  }
  if (name === "ctrl+r") {
    editor.run("redo");
    return true;
  }
  if (name === "?" && editor.text() === "") return false; // the help
  const sign = state.begun.waits === undefined ? (SAME[name] ?? key.text) : key.text;
  if (sign === undefined || key.ctrl || key.alt) {
    state.begun = {};
    return false;
  }
  state.begun = take(sign, work);
  if (state.mode === "normal") keepOnText(editor);
  return true;
}

/** What remains of the command that is being typed. */
function take(sign: string, work: Work): Begun {
  const { begun } = work.state;
  const { count, waits, operator } = begun;
  if (waits) return awaited(waits, sign, work);
  if (/^[1-9]$/.test(sign) || (sign === "0" && count !== undefined)) {
    return { ...begun, count: Math.min(MAX_COUNT, (count ?? 0) * 10 + Number(sign)) };
  }
  if (sign === "g" || isFind(sign)) return { ...begun, waits: sign };
  return operator ? operated(operator, sign, work) : alone(sign, work);
}

const MAX_COUNT = 10_000;

const isFind = (sign: string): sign is Find => ["f", "F", "t", "T"].includes(sign);
const isOperator = (sign: string): sign is Operator => ["d", "c", "y"].includes(sign);
const motionOf = (sign: string) => (Object.hasOwn(MOTIONS, sign) ? MOTIONS[sign] : undefined);
const moveOf = (begun: Begun) => ({ count: countOf(begun), isForOperator: begun.operator !== undefined });

/** Undefined: none was typed. */
const countOf = ({ count, times }: Begun): number | undefined =>
  count === undefined && times === undefined ? undefined : Math.min(MAX_COUNT, (count ?? 1) * (times ?? 1));

/** The letter that a command waited for. */
function awaited(waits: NonNullable<Begun["waits"]>, sign: string, work: Work): Begun {
  const { editor, state } = work;
  if (waits === "r") replaceSign(sign, countOf(state.begun) ?? 1, editor);
  else if (waits !== "g") move(found(draftIn(editor), waits, sign, moveOf(state.begun)), work);
  else if (sign === "g") move(motionOf("gg")?.(draftIn(editor), moveOf(state.begun)), work);
  return {};
}

/** What stands behind an operator: itself, for whole lines, or a motion. */
function operated(operator: Operator, sign: string, work: Work): Begun {
  const { editor, state } = work;
  if (sign === operator) operate(operator, wholeLines(draftIn(editor), countOf(state.begun) ?? 1), work);
  else move(motionOf(operator === "c" && sign === "w" ? "cw" : sign)?.(draftIn(editor), moveOf(state.begun)), work);
  return {};
}

function alone(sign: string, work: Work): Begun {
  const { editor, state } = work;
  const { count } = state.begun;
  if (isOperator(sign)) return { operator: sign, ...(count !== undefined && { times: count }) };
  if (sign === "r") return { ...state.begun, waits: "r" };
  const motion = motionOf(sign);
  if (sign === "j" || sign === "k") moveRows(sign, count ?? 1, editor);
  else if (motion) move(motion(draftIn(editor), moveOf(state.begun)), work);
  else if (Object.hasOwn(COMMANDS, sign)) COMMANDS[sign]?.(work, count ?? 1);
  return {};
}

/** Rows as the screen shows them. */
function moveRows(sign: "j" | "k", count: number, editor: Editor): void {
  for (let left = Math.min(count, 1000); left > 0; left--) editor.run(sign === "j" ? "move-down" : "move-up");
}

function move(target: Target | undefined, work: Work): void {
  const { operator } = work.state.begun;
  if (!target) return;
  if (operator === undefined) work.editor.setCursor(target.offset);
  else operate(operator, rangeTo(target, draftIn(work.editor)), work);
}

/** In command mode the cursor stands on a character, never behind the last one of its line. */
function keepOnText(editor: Editor): void {
  const draft = draftIn(editor);
  const { cursor } = draft;
  if (cursor === lineEnd(draft, cursor) && cursor > lineStart(draft, cursor)) editor.setCursor(before(draft, cursor));
}
