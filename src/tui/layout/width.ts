/**
 * How many cells a text takes. Terminals differ on joined emoji: `unicode` counts a grapheme once, `wcwidth` adds up its
 * characters, as tmux and older terminals do. Text is placed by the native library, so its tables are followed.
 */
export type WidthMethod = "unicode" | "wcwidth";

export type Measure = (text: string) => number;

const ASCII = /^[\x20-\x7e]*$/;
/** Only with one of these can a grapheme take other room than its characters together. */
const JOINING =
  /[\u200d\ufe0f\u{1f1e6}-\u{1f1ff}\u{1f3fb}-\u{1f3ff}\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7fb\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d\u1039\u17d2\u1a60\uff9e\uff9f\u0e33\u0eb3\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e\u{110bd}\u{110cd}\u{111c2}\u{111c3}\u{1193f}\u{11941}\u{11a3a}\u{11a84}-\u{11a89}\u{11d46}\u{11f02}\u{113d1}]/u;

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The parts of a text that must not be torn apart. */
export function graphemesOf(text: string): readonly string[] {
  if (ASCII.test(text)) return text.split("");
  return [...graphemes.segment(text)].map(({ segment }) => segment);
}

/** Between two characters below it there is always a border. */
const FIRST_JOINING = 0x300;

/** In UTF-16 units. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Widens ranges of a text, so that they tear no grapheme. */
export function wholeIn(text: string): (range: Range) => Range {
  const segments = graphemes.segment(text);
  const torn = (at: number) => {
    if (text.charCodeAt(at - 1) < FIRST_JOINING && text.charCodeAt(at) < FIRST_JOINING) return undefined;
    const found = segments.containing(at);
    return found && found.index < at ? found : undefined;
  };
  return ({ from, to }) => {
    const last = torn(to);
    return { from: torn(from)?.index ?? from, to: last ? last.index + last.segment.length : to };
  };
}

export function measureBy(method: WidthMethod): Measure {
  const joined = method === "unicode" ? createMemo(joinedCells) : undefined;
  return (text) => {
    if (ASCII.test(text)) return text.length;
    if (!joined || !JOINING.test(text)) return cellsOfAll(text);
    let cells = 0;
    for (const { segment } of graphemes.segment(text)) {
      cells += JOINING.test(segment) ? joined(segment) : cellsOfAll(segment);
    }
    return cells;
  };
}

function cellsOfAll(text: string): number {
  let cells = 0;
  for (const char of text) cells += cellsOf(char);
  return cells;
}

const MAX_REMEMBERED = 2000;
const MAX_REMEMBERED_CHARS = 40;

/** Forgets all when it is full: what a screen shows is soon remembered again. */
function createMemo(measure: Measure): Measure {
  const known = new Map<string, number>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const cells = measure(text);
    if (known.size >= MAX_REMEMBERED) known.clear();
    if (text.length <= MAX_REMEMBERED_CHARS) known.set(text, cells);
    return cells;
  };
}

/** A skin colour joins only what can have one; else it is a picture of its own. */
const STRAY_MODIFIER = /(?<!\p{Emoji_Modifier_Base})(?=[\u{1f3fb}-\u{1f3ff}])/u;
const MODIFIED = /^.[\u{1f3fb}-\u{1f3ff}]/u;
const FLAG_LETTER = /^[\u{1f1e6}-\u{1f1ff}]/u;
const DEVANAGARI = /^[\u0900-\u097f]/;
/** The Thai and Lao vowel that takes a cell behind its consonant, as far as two are enough. */
const SARA_AM = /[\u0e33\u0eb3]/;

const joinedCells = (grapheme: string): number =>
  grapheme.split(STRAY_MODIFIER).reduce((cells, part) => cells + partCells(part), 0);

/** A grapheme of several characters, in a terminal that knows graphemes. */
function partCells(part: string): number {
  if (part.includes("\ufe0f")) return firstCells(part) === 0 ? 0 : 2;
  if (MODIFIED.test(part)) return 2;
  if (FLAG_LETTER.test(part) || SARA_AM.test(part)) return Math.min(2, cellsOfAll(part));
  return DEVANAGARI.test(part) ? cellsOfAll(part) : firstCells(part);
}

function firstCells(grapheme: string): number {
  for (const char of grapheme) {
    const cells = cellsOf(char);
    if (cells > 0) return cells;
  }
  return 0;
}

/** Zero stands for unknown; else the cells and one. Of the planes that are in use. */
const known = new Uint8Array(0x20000);

function cellsOf(char: string): number {
  const code = char.codePointAt(0) ?? 0;
  const remembered = known[code];
  if (remembered) return remembered - 1;
  const cells = characterCells(code, char);
  if (code < known.length) known[code] = cells + 1;
  return cells;
}

const COMBINING = /^\p{M}$/u;
const UNASSIGNED = /^\p{Cn}$/u;

/** Where the native tables differ from those of the runtime. */
const NARROW: readonly (readonly [first: number, last: number])[] = [
  [0xad, 0xad],
  [0x600, 0x605],
  [0x6dd, 0x6dd],
  [0x70f, 0x70f],
  [0x8e2, 0x8e2],
  [0x980, 0x980],
  [0xc80, 0xc80],
  [0xd3a, 0xd3a],
  [0x1160, 0x11ff],
  [0xd7b0, 0xd7fb],
  [0xd800, 0xdfff],
];
const NOTHING: readonly (readonly [first: number, last: number])[] = [
  [0x2065, 0x2065],
  [0x3164, 0x3164],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfff8],
  [0xe0000, 0xe0fff],
];

function characterCells(code: number, char: string): number {
  const isWithin = ([first, last]: readonly [number, number]) => code >= first && code <= last;
  if (NARROW.some(isWithin)) return 1;
  if (COMBINING.test(char) || NOTHING.some(isWithin)) return 0;
  const cells = cellsInTheRuntime(char);
  return UNASSIGNED.test(char) ? Math.max(1, cells) : cells;
}

const cellsInTheRuntime = (char: string): number => Bun.stringWidth(char);
