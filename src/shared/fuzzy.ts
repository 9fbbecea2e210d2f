/**
 * Fuzzy matching: the letters of a query in their order, with others between them. What is typed as a capital matches that
 * capital only; a small letter matches both. Best are runs, and letters at the beginning of words, of path segments and of
 * camel humps. One implementation for file names, commands and titles. Offsets are UTF-16 units.
 */

/** Reads no further into a text than this. */
const MAX_TEXT = 512;
const MAX_TERM = 256;
const MAX_TERMS = 8;

const HIT = 16;
const RUN = 12;
const GAP = 1;
/** For each letter in the last segment of a path, and more for the first of it. */
const IN_NAME = 4;
const NAME_START = 20;
const WORD_START = 10;
const HUMP = 10;
const WORD_END = 6;
const NONE = -(2 ** 30);

export interface Matcher {
  /** How well it matches; undefined: not at all. Costs some microseconds. */
  score(text: string): number | undefined;
  /** The offsets that matched, ascending. Empty without a match. */
  matched(text: string): readonly number[];
}

export interface Ranked<T> {
  readonly item: T;
  readonly matched: readonly number[];
}

/** Words that blanks part are looked for each on its own. Nothing but blanks matches everything. */
export function fuzzyMatcher(query: string): Matcher {
  const terms = query.split(/\s+/).filter((term) => term !== "");
  const matchers = terms.slice(0, MAX_TERMS).map((term) => termMatcher(term.slice(0, MAX_TERM)));
  return {
    score(text) {
      let sum = 0;
      for (const { score } of matchers) {
        const points = score(text);
        if (points === NONE) return undefined;
        sum += points;
      }
      return sum;
    },
    matched(text) {
      const found = new Set<number>();
      for (const { score, way } of matchers) {
        if (score(text) === NONE) return [];
        for (const at of way(text)) found.add(at);
      }
      return [...found].sort((a, b) => a - b);
    },
  };
}

/** Those that match, best first; equals keep their order. */
export function fuzzyRank<T>(items: readonly T[], query: string, textOf: (item: T) => string): readonly Ranked<T>[] {
  const matcher = fuzzyMatcher(query);
  return items
    .flatMap((item) => {
      const text = textOf(item);
      const score = matcher.score(text);
      return score === undefined ? [] : [{ item, text, score }];
    })
    .sort((a, b) => b.score - a.score)
    .map(({ item, text }) => ({ item, matched: matcher.matched(text) }));
}

interface TermMatcher {
  score(text: string): number;
  /** Of the text that was scored last. */
  way(text: string): readonly number[];
}

/**
 * The best of all ways to lay the term into the text. `hits` holds, per letter of the term, the best score that ends with
 * this letter at this offset; `bests` the best that ends at or before it.
 */
function termMatcher(term: string): TermMatcher {
  const size = term.length;
  const letters = [...Array(size).keys()].map((at) => bothCases(term.charCodeAt(at)));
  const hits = new Int32Array(size * MAX_TEXT);
  const bests = new Int32Array(size * MAX_TEXT);
  const first = new Int32Array(size);
  const last = new Int32Array(size);
  const fits = (letter: number, code: number): boolean =>
    code === letters[letter]?.[0] || code === letters[letter]?.[1];

  /** Between which offsets each letter can lie. False: the term is not in the text. */
  function bounds(text: string, length: number): boolean {
    let letter = 0;
    for (let at = 0; at < length && letter < size; at++) {
      if (fits(letter, text.charCodeAt(at))) first[letter++] = at;
    }
    if (letter < size) return false;
    for (let at = length - 1; letter > 0; at--) {
      if (fits(letter - 1, text.charCodeAt(at))) last[--letter] = at;
    }
    return true;
  }

  function fillRow(letter: number, text: string, nameAt: number): void {
    const row = letter * MAX_TEXT;
    const above = row - MAX_TEXT;
    const end = letter + 1 < size ? (last[letter + 1] ?? 0) - 1 : (last[letter] ?? 0);
    let best = NONE;
    for (let at = first[letter] ?? 0; at <= end; at++) {
      let hit = NONE;
      if (fits(letter, text.charCodeAt(at))) {
        hit = worthOf(text, at, nameAt);
        if (letter > 0) hit += Math.max(bests[above + at - 1] ?? NONE, runFrom(above + at - 1));
      }
      hits[row + at] = hit;
      best = Math.max(hit, best - GAP);
      bests[row + at] = best;
    }
  }
  const runFrom = (cell: number): number => (hits[cell] ?? NONE) + RUN;

  return {
    score(text) {
      const length = Math.min(text.length, MAX_TEXT);
      if (size > length || !bounds(text, length)) return NONE;
      const nameAt = text.lastIndexOf("/", length - 2) + 1;
      for (let letter = 0; letter < size; letter++) fillRow(letter, text, nameAt);
      return ending(text).score;
    },
    way(text) {
      const found: number[] = [];
      let { at } = ending(text);
      for (let letter = size - 1; letter >= 0; letter--) {
        found.unshift(at);
        if (letter === 0) break;
        const above = (letter - 1) * MAX_TEXT;
        at--;
        if (runFrom(above + at) >= (bests[above + at] ?? NONE)) continue;
        while (bests[above + at] !== hits[above + at]) at--;
      }
      return found;
    },
  };

  function ending(text: string): { readonly score: number; readonly at: number } {
    const row = (size - 1) * MAX_TEXT;
    let [score, found] = [NONE, 0];
    for (let at = first[size - 1] ?? 0; at <= (last[size - 1] ?? 0); at++) {
      const points = (hits[row + at] ?? NONE) + (isWordEnd(text, at) ? WORD_END : 0);
      if (points > score) [score, found] = [points, at];
    }
    return { score, at: found };
  }
}

/** The codes that a typed letter matches. */
function bothCases(code: number): readonly [number, number] {
  const upper = String.fromCharCode(code).toUpperCase();
  return [code, upper.length === 1 ? upper.charCodeAt(0) : code];
}

const worthOf = (text: string, at: number, nameAt: number): number =>
  HIT + (at >= nameAt ? IN_NAME : 0) + startBonus(text, at, nameAt);

function startBonus(text: string, at: number, nameAt: number): number {
  if (at === nameAt) return NAME_START;
  if (at === 0) return WORD_START;
  const before = text.charCodeAt(at - 1);
  if (!isWordCode(before)) return WORD_START;
  const code = text.charCodeAt(at);
  if (isCapital(code)) return isCapital(before) ? 0 : HUMP;
  return isDigit(code) && !isDigit(before) ? HUMP : 0;
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const isCapital = (code: number): boolean => code >= 0x41 && code <= 0x5a;
const isWordCode = (code: number): boolean =>
  isDigit(code) || isCapital(code) || (code >= 0x61 && code <= 0x7a) || code > 0x7f;
const isWordEnd = (text: string, at: number): boolean => at + 1 >= text.length || !isWordCode(text.charCodeAt(at + 1));
