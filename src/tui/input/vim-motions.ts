/** Where vim's motions lead in a draft. Pure: offsets in, offsets out, in the characters that people see. */
import { before, behind, type Draft, lineEnd, lineStart } from "../screen/draft.ts";

export interface Target {
  readonly offset: number;
  /** Whole lines, when an operator goes with it. */
  readonly isLines?: true;
  /** The character at the offset goes with it. */
  readonly isInclusive?: true;
}

export interface Move {
  /** Undefined: none was typed. */
  readonly count: number | undefined;
  /** An operator waits: nothing but the text itself bounds the motion then. */
  readonly isForOperator: boolean;
}

export type Motion = (draft: Draft, move: Move) => Target | undefined;

type Step = (draft: Draft, offset: number) => number;

/** Bounded: no draft has so many words. */
const MAX_COUNT = 10_000;

const repeated =
  (step: Step) =>
  (draft: Draft, { count = 1 }: Move): number => {
    let at = draft.cursor;
    for (let left = Math.min(count, MAX_COUNT); left > 0; left--) {
      const next = step(draft, at);
      if (next === at) break;
      at = next;
    }
    return at;
  };

type Kind = "blank" | "word" | "sign" | "end";

function kindAt({ text, chips }: Draft, offset: number): Kind {
  if (offset >= text.length) return "end";
  if (chips.some(({ start, end }) => start <= offset && offset < end)) return "word";
  const char = String.fromCodePoint(text.codePointAt(offset) ?? 0);
  if (/\s/.test(char)) return "blank";
  return /[\p{L}\p{N}_]/u.test(char) ? "word" : "sign";
}

function nextWord(draft: Draft, from: number): number {
  const kind = kindAt(draft, from);
  let at = from;
  while (at < draft.text.length && kind !== "blank" && kindAt(draft, at) === kind) at = behind(draft, at);
  while (kindAt(draft, at) === "blank") at = behind(draft, at);
  return at;
}

function wordBegin(draft: Draft, from: number): number {
  let at = from;
  while (at > 0 && kindAt(draft, before(draft, at)) === "blank") at = before(draft, at);
  const kind = at > 0 ? kindAt(draft, before(draft, at)) : "end";
  while (at > 0 && kindAt(draft, before(draft, at)) === kind) at = before(draft, at);
  return at;
}

function wordEnd(draft: Draft, from: number): number {
  let at = behind(draft, from);
  while (kindAt(draft, at) === "blank") at = behind(draft, at);
  const kind = kindAt(draft, at);
  if (kind === "end") return from;
  for (let next = behind(draft, at); kindAt(draft, next) === kind; next = behind(draft, at)) at = next;
  return at;
}

/** With an operator the last word does not take the line's end with it. */
const words: Motion = (draft, move) => {
  const offset = repeated(nextWord)(draft, move);
  const end = lineEnd(draft, draft.cursor);
  const isLast = move.isForOperator && offset > end && (move.count ?? 1) === 1;
  return { offset: isLast ? Math.max(end, draft.cursor) : offset };
};

/** `cw` in a word goes to its end and leaves the blanks behind it. */
const changedWords: Motion = (draft, move) => {
  const { count = 1 } = move;
  const kind = kindAt(draft, draft.cursor);
  if (kind === "blank" || kind === "end") return words(draft, move);
  let at = draft.cursor;
  for (let next = behind(draft, at); kindAt(draft, next) === kind; next = behind(draft, at)) at = next;
  if (count > 1) at = repeated(wordEnd)({ ...draft, cursor: at }, { ...move, count: count - 1 });
  return { offset: at, isInclusive: true };
};

const left: Step = (draft, at) => (at > lineStart(draft, at) ? before(draft, at) : at);
const right: Step = (draft, at) => (at < lineEnd(draft, at) ? behind(draft, at) : at);

export function firstLetter(draft: Draft, from: number): number {
  let at = lineStart(draft, from);
  const end = lineEnd(draft, at);
  while (at < end && /\s/.test(draft.text[at] ?? "")) at++;
  return at;
}

/** Of the line with this number, from 1; the last one when there are not so many. */
function lineAt(draft: Draft, number: number): number {
  let at = 0;
  for (let left = Math.min(number, MAX_COUNT) - 1; left > 0; left--) {
    const end = lineEnd(draft, at);
    if (end >= draft.text.length) break;
    at = end + 1;
  }
  return at;
}

const lines =
  (direction: 1 | -1): Motion =>
  (draft, { count = 1 }) => {
    let at = draft.cursor;
    for (let left = Math.min(count, MAX_COUNT); left > 0; left--) {
      const next = direction === 1 ? lineEnd(draft, at) + 1 : lineStart(draft, at) - 1;
      if (next < 0 || next > draft.text.length) return undefined;
      at = direction === 1 ? next : lineStart(draft, next);
    }
    return { offset: at, isLines: true };
  };

/** `j` and `k` alone follow the rows of the screen, so they are the editor's; here is what an operator makes of them. */
export const MOTIONS: Readonly<Record<string, Motion>> = {
  h: (draft, move) => ({ offset: repeated(left)(draft, move) }),
  l: (draft, move) => ({ offset: repeated(right)(draft, move) }),
  j: lines(1),
  k: lines(-1),
  w: words,
  b: (draft, move) => ({ offset: repeated(wordBegin)(draft, move) }),
  cw: changedWords,
  e: (draft, move) => ({ offset: repeated(wordEnd)(draft, move), isInclusive: true }),
  "0": (draft) => ({ offset: lineStart(draft, draft.cursor) }),
  "^": (draft) => ({ offset: firstLetter(draft, draft.cursor) }),
  $: (draft) => ({ offset: lineEnd(draft, draft.cursor) }),
  gg: (draft, { count = 1 }) => ({ offset: firstLetter(draft, lineAt(draft, count)), isLines: true }),
  G: (draft, { count = MAX_COUNT }) => ({ offset: firstLetter(draft, lineAt(draft, count)), isLines: true }),
};

export type Find = "f" | "F" | "t" | "T";

/** To the sign that was typed, within the line. */
export function found(draft: Draft, how: Find, sign: string, { count = 1 }: Move): Target | undefined {
  const isForwards = how === "f" || how === "t";
  const [start, end] = [lineStart(draft, draft.cursor), lineEnd(draft, draft.cursor)];
  let at = draft.cursor;
  for (let left = Math.min(count, MAX_COUNT); left > 0; left--) {
    const next = isForwards ? draft.text.indexOf(sign, at + 1) : at === 0 ? -1 : draft.text.lastIndexOf(sign, at - 1);
    if (next < start || next >= end || next === -1) return undefined;
    at = next;
  }
  if (how === "t") return { offset: before(draft, at), isInclusive: true };
  if (how === "T") return { offset: behind(draft, at) };
  return { offset: at, ...(isForwards && { isInclusive: true as const }) };
}
