/** Brace expansion over a word's items: `a{b,c}d` and `{1..3}`, before anything else is expanded, as in bash. Bounded. */
import type { WordPart } from "unbash";

/** Literal text, or an expansion that is left whole. */
export type Item =
  | { readonly kind: "text"; readonly text: string; readonly quoted: boolean }
  | { readonly kind: "part"; readonly part: WordPart; readonly quoted: boolean };

const MAX_WORDS = 256;
const MAX_BRACES = 64;
const MAX_DEPTH = 12;

/** The words that the braces make; undefined when they are too many to list. */
export function expandBraces(items: readonly Item[]): readonly (readonly Item[])[] | undefined {
  let braces = 0;
  for (const item of items) if (isBare(item)) braces += item.text.split("{").length - 1;
  if (braces === 0) return [items];
  return braces > MAX_BRACES ? undefined : expand(characters(items), 0);
}

const isBare = (item: Item | undefined): item is Item & { kind: "text" } => item?.kind === "text" && !item.quoted;
const isChar = (item: Item | undefined, char: string): boolean => isBare(item) && item.text === char;

/** Bare text as one item for each character, so that braces and commas can be found. */
const characters = (items: readonly Item[]): readonly Item[] =>
  items.flatMap((item) => (isBare(item) ? [...item.text].map((text): Item => ({ ...item, text })) : [item]));

function expand(items: readonly Item[], depth: number): readonly (readonly Item[])[] | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const group = firstGroup(items);
  if (group === undefined) return [items];
  const rest = expand(items.slice(group.end + 1), depth);
  if (rest === undefined) return undefined;
  const before = items.slice(0, group.start);
  const words: (readonly Item[])[] = [];
  for (const alternative of group.alternatives) {
    const middles = expand(alternative, depth + 1);
    if (middles === undefined) return undefined;
    for (const middle of middles) for (const after of rest) words.push([...before, ...middle, ...after]);
    if (words.length > MAX_WORDS) return undefined;
  }
  return words;
}

interface Group {
  readonly start: number;
  readonly end: number;
  readonly alternatives: readonly (readonly Item[])[];
}

/** The first `{…}` that expands: it closes, and holds a comma or is a range. */
function firstGroup(items: readonly Item[]): Group | undefined {
  for (let start = 0; start < items.length; start++) {
    if (!isChar(items[start], "{")) continue;
    const group = groupAt(items, start);
    if (group !== undefined) return group;
  }
  return undefined;
}

function groupAt(items: readonly Item[], start: number): Group | undefined {
  let depth = 0;
  let from = start + 1;
  const alternatives: (readonly Item[])[] = [];
  for (let index = start; index < items.length; index++) {
    const item = items[index];
    if (isChar(item, "{")) depth++;
    else if (isChar(item, ",") && depth === 1) {
      alternatives.push(items.slice(from, index));
      from = index + 1;
    } else if (isChar(item, "}") && --depth === 0) {
      const last = items.slice(from, index);
      if (alternatives.length > 0) return { start, end: index, alternatives: [...alternatives, last] };
      const range = rangeOf(last);
      return range === undefined ? undefined : { start, end: index, alternatives: range };
    }
  }
  return undefined;
}

function rangeOf(items: readonly Item[]): readonly (readonly Item[])[] | undefined {
  if (!items.every(isBare)) return undefined;
  const match = /^(-?\d{1,6}|[A-Za-z])\.\.(-?\d{1,6}|[A-Za-z])(?:\.\.-?(\d{1,6}))?$/.exec(
    items.map((item) => item.text).join(""),
  );
  if (match === null) return undefined;
  const [, first = "", last = "", stepText = "1"] = match;
  const letters = /[A-Za-z]/.test(first);
  if (letters !== /[A-Za-z]/.test(last)) return undefined;
  const from = letters ? first.charCodeAt(0) : Number(first);
  const to = letters ? last.charCodeAt(0) : Number(last);
  const step = Math.max(1, Number(stepText)) * (from <= to ? 1 : -1);
  const texts: string[] = [];
  for (let at = from; step > 0 ? at <= to : at >= to; at += step) {
    if (texts.length > MAX_WORDS) break; // the caller counts too and gives up
    texts.push(letters ? String.fromCharCode(at) : String(at));
  }
  return texts.map((text) => [{ kind: "text", text, quoted: false }]);
}
