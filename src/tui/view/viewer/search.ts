/** Search in a document of rows: a line to type into, the next and the previous place, and marks on what is visible. */
import { createTextField, type TextField } from "../../input/text-field.ts";
import { type Key, keyName } from "../../key.ts";
import { lineOf, widthOf } from "../../layout/span.ts";
import type { Measure } from "../../layout/width.ts";
import type { Line, Span } from "../../line.ts";
import { restyled, textOf } from "../transcript/cells.ts";
import type { Scroller, Shown } from "./scroller.ts";

export interface Searched {
  count(): number;
  /** What is searched of the row: as it is shown, wrapped or not. */
  text(row: number): string;
  lines(row: number): readonly Line[];
}

export interface Search {
  /** True: used. Everything is, while something is typed. */
  key(key: Key): boolean;
  paste(text: string): void;
  /** The line that is typed into, and where its cursor stands; undefined while nothing is typed. */
  field(width: number, measure: Measure): { readonly line: Line; readonly cursor: number } | undefined;
  words(): string | undefined;
  marked(shown: Shown, measure: Measure): Line;
}

export function createSearch(searched: Searched, scroller: Scroller): Search {
  const field = createTextField();
  let isTyping = false;
  let wanted = "";
  let found: number | undefined;
  let isMissing = false;

  /** All round, from the row beside the one that was found. */
  function go(by: 1 | -1, from: number): void {
    const count = searched.count();
    for (let step = 0; step < count; step++) {
      const row = (((from + by * step) % count) + count) % count;
      if (placeOf(searched.text(row), wanted) < 0) continue;
      [found, isMissing] = [row, false];
      const index = searched.lines(row).findIndex((line) => placeOf(textOf(line), wanted) >= 0);
      scroller.reveal(row, Math.max(0, index));
      return;
    }
    [found, isMissing] = [undefined, true];
  }

  function typed(key: Key): boolean {
    const name = keyName(key);
    if (name === "escape") isTyping = false;
    else if (name === "enter") {
      isTyping = false;
      wanted = field.text();
      found = undefined;
      if (wanted !== "") go(1, scroller.top());
    } else field.key(key);
    return true;
  }

  return {
    key(key) {
      if (isTyping) return typed(key);
      const name = keyName(key);
      if (name === "/") {
        field.set("");
        isTyping = true;
        return true;
      }
      if (wanted !== "" && name === "escape") {
        wanted = "";
        return true;
      }
      if (wanted === "" || (name !== "n" && name !== "N")) return false;
      const by = name === "n" ? 1 : -1;
      go(by, found === undefined ? scroller.top() : found + by);
      return true;
    },
    paste(text) {
      if (isTyping) field.paste(text);
    },
    field: (width, measure) => (isTyping ? fieldLine(field, width, measure) : undefined),
    words() {
      if (wanted === "") return undefined;
      return isMissing ? `“${wanted}” is not in it` : `“${wanted}”`;
    },
    marked: ({ row, line }, measure) =>
      wanted === "" ? line : withMarks(line, { wanted, isCurrent: row === found }, measure),
  };
}

const SIGN: Span = { text: " /", width: 2, tone: "accent" };
const MIN_CELLS_WITH_SIGN = 6;

function fieldLine(field: TextField, width: number, measure: Measure) {
  const sign = width < MIN_CELLS_WITH_SIGN ? [] : [SIGN];
  const taken = widthOf(sign);
  const { line, cursor } = field.line(Math.max(1, width - taken - 1), measure);
  return { line: lineOf([...sign, ...line.spans]), cursor: Math.min(width - 1, taken + cursor) };
}

/** Letters count alike in both cases, where changing the case keeps the text's length. */
function placeOf(text: string, wanted: string, from = 0): number {
  const [small, sought] = [text.toLowerCase(), wanted.toLowerCase()];
  return small.length === text.length ? small.indexOf(sought, from) : text.indexOf(wanted, from);
}

const MAX_MARKS = 50;

function withMarks(line: Line, { wanted, isCurrent }: { wanted: string; isCurrent: boolean }, measure: Measure): Line {
  const text = textOf(line);
  let marked = line;
  let at = placeOf(text, wanted);
  for (let count = 0; at >= 0 && count < MAX_MARKS; count++) {
    const range = { from: at, to: at + wanted.length };
    marked = restyled(marked, range, { tint: isCurrent ? "current" : "found" }, measure);
    at = placeOf(text, wanted, range.to);
  }
  return marked;
}
