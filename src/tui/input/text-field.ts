/**
 * One line that is typed into: a filter, a name, a search, a key. Pure data behind a few verbs; it knows characters as people
 * see them (graphemes), and never draws more than it is given room for. What it does not use of keys is left to its owner.
 */
import { sanitize } from "../../shared/index.ts";
import { type Key, keyName } from "../key.ts";
import { graphemesOf, type Measure } from "../layout/width.ts";
import type { Line, Style } from "../line.ts";

export interface TextField {
  text(): string;
  /** Replaces everything; the cursor stands behind it. */
  set(text: string): void;
  /** True: used. Enter, Escape, Tab, up and down never are. */
  key(key: Key): boolean;
  /** Line breaks become blanks, control characters go. */
  paste(text: string): void;
  /** The part around the cursor, at most `width` cells, and how many cells into it the cursor stands. */
  line(width: number, measure: Measure): { readonly line: Line; readonly cursor: number };
}

export interface TextFieldOptions {
  readonly initial?: string;
  /** Each character is shown as a dot. */
  readonly isSecret?: boolean;
  readonly style?: Style;
  /** Shown while there is nothing. */
  readonly placeholder?: string;
}

/** More is cut off: what takes more is no line. */
const MAX_CHARACTERS = 10_000;
const MAX_UNITS = 8 * MAX_CHARACTERS;

/** What is before the cursor and what is behind it. */
interface State {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

const stateOf = (text: string): State => ({ before: graphemesOf(text).slice(0, MAX_CHARACTERS), after: [] });

export function createTextField(options: TextFieldOptions = {}): TextField {
  let state = stateOf(cleaned(options.initial ?? ""));
  const insert = (text: string) => {
    const { before, after } = state;
    // A combining mark joins what it is typed behind.
    const joined = graphemesOf(before.join("") + text);
    state = { before: joined.slice(0, Math.max(0, MAX_CHARACTERS - after.length)), after };
  };
  return {
    text: () => [...state.before, ...state.after].join(""),
    set(text) {
      state = stateOf(cleaned(text));
    },
    key(key) {
      const move = MOVES.get(keyName(key));
      if (move) state = move(state);
      else if (key.text !== undefined && !key.ctrl && !key.alt) insert(cleaned(key.text));
      else return false;
      return true;
    },
    paste: (text) => insert(cleaned(text)),
    line: (width, measure) => drawn(state, options, { width: Math.max(1, width), measure }),
  };
}

/** A key that is pasted often comes with its line's end. */
const cleaned = (text: string): string =>
  sanitize(text.slice(0, MAX_UNITS).replace(/[\r\n]+$/, "")).replace(/[\r\n\t]+/g, " ");

type Move = (state: State) => State;

const split = ({ before, after }: State, at: number): State => {
  const all = [...before, ...after];
  return { before: all.slice(0, at), after: all.slice(at) };
};

const isWord = (grapheme: string | undefined): boolean => grapheme !== undefined && /[\p{L}\p{N}_]/u.test(grapheme);
const isBlank = (grapheme: string | undefined): boolean => grapheme !== undefined && /^\s/.test(grapheme);

/** How many characters at the end of the list belong to its last word. */
function lastWord(list: readonly string[], belongs: (grapheme: string | undefined) => boolean): number {
  let at = list.length;
  while (at > 0 && !belongs(list[at - 1])) at--;
  while (at > 0 && belongs(list[at - 1])) at--;
  return list.length - at;
}

const wordBefore = ({ before }: State): number => before.length - lastWord(before, isWord);
const wordBehind = ({ before, after }: State): number => before.length + lastWord(after.toReversed(), isWord);
const textBefore = ({ before }: State): number => before.length - lastWord(before, (one) => !isBlank(one));

const left: Move = (state) => split(state, Math.max(0, state.before.length - 1));
const right: Move = (state) => split(state, state.before.length + 1);
const home: Move = (state) => split(state, 0);
const end: Move = ({ before, after }) => ({ before: [...before, ...after], after: [] });
const wordLeft: Move = (state) => split(state, wordBefore(state));
const wordRight: Move = (state) => split(state, wordBehind(state));
const backspace: Move = ({ before, after }) => ({ before: before.slice(0, -1), after });
const remove: Move = ({ before, after }) => ({ before, after: after.slice(1) });
const cutBefore: Move = ({ after }) => ({ before: [], after });
const cutBehind: Move = ({ before }) => ({ before, after: [] });
const cutText: Move = (state) => ({ before: state.before.slice(0, textBefore(state)), after: state.after });
const cutWord: Move = (state) => ({ before: state.before.slice(0, wordBefore(state)), after: state.after });
const cutWordBehind: Move = (state) => ({ before: state.before, after: split(state, wordBehind(state)).after });

const MOVES: ReadonlyMap<string, Move> = new Map([
  ["left", left],
  ["right", right],
  ["home", home],
  ["ctrl+a", home],
  ["end", end],
  ["ctrl+e", end],
  ["ctrl+left", wordLeft],
  ["alt+left", wordLeft],
  ["alt+b", wordLeft],
  ["ctrl+right", wordRight],
  ["alt+right", wordRight],
  ["alt+f", wordRight],
  ["backspace", backspace],
  ["shift+backspace", backspace],
  ["ctrl+h", backspace],
  ["delete", remove],
  ["ctrl+d", remove],
  ["ctrl+u", cutBefore],
  ["ctrl+k", cutBehind],
  ["ctrl+w", cutText],
  ["alt+backspace", cutWord],
  ["ctrl+backspace", cutWord],
  ["alt+d", cutWordBehind],
]);

interface Room {
  readonly width: number;
  readonly measure: Measure;
}

function drawn({ before, after }: State, options: TextFieldOptions, { width, measure }: Room) {
  const style = options.style ?? { tone: "fg" };
  if (before.length + after.length === 0) {
    const text = fitting(graphemesOf(options.placeholder ?? ""), width, measure).join("");
    const shown = measure(text);
    return {
      line: { spans: text === "" ? [] : [{ tone: "faint", text, width: shown } as const], width: shown },
      cursor: 0,
    };
  }
  const shownAs = (list: readonly string[]) => (options.isSecret ? list.map(() => "•") : list);
  const left = fitting(shownAs(before).toReversed(), width - 1, measure).toReversed();
  const cursor = measured(left, measure);
  const text = [...left, ...fitting(shownAs(after), width - cursor, measure)].join("");
  const line: Line = { spans: [{ ...style, text, width: measure(text) }], width: measure(text) };
  return { line, cursor };
}

const measured = (list: readonly string[], measure: Measure): number =>
  list.reduce((sum, grapheme) => sum + measure(grapheme), 0);

/** As many from the beginning as there is room for. */
function fitting(list: readonly string[], width: number, measure: Measure): readonly string[] {
  let room = width;
  const end = list.findIndex((grapheme) => {
    room -= measure(grapheme);
    return room < 0;
  });
  return end === -1 ? list : list.slice(0, end);
}
