/** Search in a document of rows: a line to type into, the next and the previous place, and marks on what is visible. */
import { createTextField, type TextField } from "../../input/text-field.ts";
import { type Key, keyName } from "../../key.ts";
import { lineOf, widthOf } from "../../layout/span.ts";
import type { Measure } from "../../layout/width.ts";
import { type Line, type Span, textOf } from "../../line.ts";
import { restyled } from "../transcript/cells.ts";
import { type Pattern, patternOf } from "../transcript/search-pattern.ts";
import type { Renumbering, Scroller, Shown } from "./scroller.ts";

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
  /** The rows have other numbers now. */
  renumber(placeOf: Renumbering): void;
}

/** `onFound` is told of each row that was gone to. */
export function createSearch(searched: Searched, scroller: Scroller, onFound?: (row: number) => void): Search {
  const field = createTextField();
  let isTyping = false;
  let wanted: Pattern | undefined;
  let found: number | undefined;
  let isMissing = false;

  /** All round, from the row beside the one that was found. */
  function go(pattern: Pattern, by: 1 | -1, from: number): void {
    const count = searched.count();
    for (let step = 0; step < count; step++) {
      const row = (((from + by * step) % count) + count) % count;
      if (pattern.count(searched.text(row)) === 0) continue;
      [found, isMissing] = [row, false];
      const index = searched.lines(row).findIndex((line) => pattern.count(textOf(line)) > 0);
      scroller.reveal(row, Math.max(0, index));
      onFound?.(row);
      return;
    }
    [found, isMissing] = [undefined, true];
  }

  function typed(key: Key): boolean {
    const name = keyName(key);
    if (name === "escape") isTyping = false;
    else if (name === "enter") {
      isTyping = false;
      wanted = patternOf(field.text());
      found = undefined;
      if (wanted) go(wanted, 1, scroller.top());
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
      if (wanted && name === "escape") {
        wanted = undefined;
        return true;
      }
      if (!wanted || (name !== "n" && name !== "N")) return false;
      const by = name === "n" ? 1 : -1;
      go(wanted, by, found === undefined ? scroller.top() : found + by);
      return true;
    },
    paste(text) {
      if (isTyping) field.paste(text);
    },
    field: (width, measure) => (isTyping ? fieldLine(field, width, measure) : undefined),
    words() {
      if (!wanted) return undefined;
      return isMissing ? `“${wanted.query}” is not in it` : `“${wanted.query}”`;
    },
    marked: ({ row, line }, measure) =>
      wanted ? withMarks(line, { wanted, isCurrent: row === found }, measure) : line,
    renumber(placeOf) {
      if (wanted && found !== undefined) found = nearest(searched, wanted, placeOf(found));
    },
  };
}

/** Of the rows that have the words, the one that is nearest to a place. */
function nearest(searched: Searched, pattern: Pattern, place: number): number | undefined {
  const hasWords = (row: number) => row >= 0 && row < searched.count() && pattern.count(searched.text(row)) > 0;
  for (let away = 0; away < searched.count(); away++) {
    const row = [place + away, place - away].find(hasWords);
    if (row !== undefined) return row;
  }
  return undefined;
}

const SIGN: Span = { text: " /", width: 2, tone: "accent" };
const MIN_CELLS_WITH_SIGN = 6;

function fieldLine(field: TextField, width: number, measure: Measure) {
  const sign = width < MIN_CELLS_WITH_SIGN ? [] : [SIGN];
  const taken = widthOf(sign);
  const { line, cursor } = field.line(Math.max(1, width - taken - 1), measure);
  return { line: lineOf([...sign, ...line.spans]), cursor: Math.min(width - 1, taken + cursor) };
}

const MAX_MARKS = 50;

function withMarks(line: Line, { wanted, isCurrent }: { wanted: Pattern; isCurrent: boolean }, measure: Measure): Line {
  const tint = isCurrent ? "current" : "found";
  return wanted
    .ranges(textOf(line))
    .slice(0, MAX_MARKS)
    .reduce((marked, range) => restyled(marked, range, { tint }, measure), line);
}
