/**
 * The row in which the transcript is searched, above the composer. What is typed is found at once. Enter ends the typing: then
 * `n` and `N` go from match to match, `/` types on, Escape ends the search, and what is typed otherwise is for the draft again.
 */
import { createTextField, type TextField } from "../input/text-field.ts";
import { type Key, keyName } from "../key.ts";
import { blanks } from "../layout/span.ts";
import type { Measure } from "../layout/width.ts";
import type { Line, Span } from "../line.ts";
import type { Layer } from "./layer.ts";
import { fittedLine } from "./row.ts";
import type { Search, SearchStatus } from "./transcript/search.ts";

export interface SearchBarParts {
  readonly search: Search;
  /** What is searched for already. */
  readonly text?: string;
  readonly measure: () => Measure;
  /** The layer is the caller's to remove. What was found stays marked until the search is cleared. */
  readonly onClose: () => void;
  readonly onChange: () => void;
}

export function createSearchBar({ search, text = "", measure, onClose, onChange }: SearchBarParts): Layer {
  const field = createTextField({ initial: text, placeholder: "Find in the session" });
  let isTyping = true;

  const find = () => {
    search.find(field.text());
    onChange();
  };
  const close = () => {
    search.clear();
    onClose();
  };
  const actions: Readonly<Record<string, () => void>> = {
    escape: close,
    "ctrl+c": close,
    up: () => search.move(-1),
    down: () => search.move(1),
    "shift+enter": () => search.move(-1),
    enter() {
      if (isTyping && field.text() === "") close();
      else if (isTyping) isTyping = false;
      else search.move(1);
    },
  };
  function afterTyping(key: Key, name: string): boolean {
    if (name === "n" || name === "N") search.move(name === "n" ? 1 : -1);
    else if (name === "/" || name === "backspace") isTyping = true;
    else {
      // The draft gets it, and the keyboard with it.
      if (key.text !== undefined && !key.ctrl && !key.alt) onClose();
      return false;
    }
    onChange();
    return true;
  }

  return {
    name: "search-bar",
    place: "above",
    rows: ({ width, height }) =>
      height < 1 ? [] : [barLine({ field, status: search.status(), isTyping, width }, measure())],
    cursor: ({ width }) =>
      isTyping
        ? { x: SIGN.width + field.line(fieldWidth(width, search.status(), measure()), measure()).cursor, y: 0 }
        : undefined,
    key(key) {
      const name = keyName(key);
      const act = actions[name];
      if (act) {
        act();
        onChange();
        return true;
      }
      if (!isTyping) return afterTyping(key, name);
      const before = field.text();
      if (!field.key(key)) return false;
      if (field.text() === before) onChange();
      else find();
      return true;
    },
    paste(pasted) {
      if (!isTyping) return false;
      field.paste(pasted);
      find();
      return true;
    },
  };
}

const SIGN: Span = { text: " / ", width: 3, tone: "accent" };

interface Bar {
  readonly field: TextField;
  readonly status: SearchStatus | undefined;
  readonly isTyping: boolean;
  readonly width: number;
}

function barLine({ field, status, isTyping, width }: Bar, measure: Measure): Line {
  const room = fieldWidth(width, status, measure);
  const { line } = field.line(room, measure);
  const aside = isTyping ? counter(status) : `${counter(status)}${KEYS}`;
  const shown = [aside, counter(status)].find((words) => fits(words, width, measure)) ?? "";
  const gap = Math.max(0, width - SIGN.width - line.width - measure(shown) - 1);
  const spans: Span[] = [SIGN, ...line.spans];
  if (shown !== "") {
    spans.push(...blanks(gap), { text: shown, width: measure(shown), tone: "muted" });
  }
  return fittedLine(spans, width, measure);
}

const KEYS = " · n N on and back · Esc";
/** The text that is typed is worth more than the count. */
const LEAST_FIELD = 12;

const fits = (words: string, width: number, measure: Measure): boolean =>
  width - SIGN.width - measure(words) - 2 >= LEAST_FIELD;

function fieldWidth(width: number, status: SearchStatus | undefined, measure: Measure): number {
  const words = counter(status);
  const taken = words !== "" && fits(words, width, measure) ? measure(words) + 2 : 0;
  return Math.max(1, width - SIGN.width - taken - 1);
}

/** Says no more than is known: while it is still counted, how many there are at least. */
export function counter(status: SearchStatus | undefined): string {
  if (!status) return "";
  const { at, total, isComplete, isPart } = status;
  const where = isPart ? " in this part" : "";
  if (total === 0) return isComplete ? `nothing found${where}` : "searching";
  const all = isComplete ? `${total}` : `${total}+`;
  return at === undefined ? `${all} found${where}` : `${at} of ${all}${where}`;
}
