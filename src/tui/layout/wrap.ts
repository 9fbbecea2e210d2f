/**
 * Breaks styled text into lines that fit: between words and around characters that are words, else between graphemes, never
 * inside one. Joining the lines with their gaps gives back the text.
 */
import type { Line, Span, Style, Tint } from "../line.ts";
import { joined, lineOf, type Piece, spanOf, widthOf } from "./span.ts";
import type { LayoutContext } from "./types.ts";
import { graphemesOf, type Measure } from "./width.ts";

export interface Wrapping {
  /** Of the whole line, in cells. */
  readonly width: number;
  readonly measure: Measure;
  /** Before the first line and before the others: decoration, left out where it would take all the room. */
  readonly first?: readonly Span[];
  readonly rest?: readonly Span[];
  readonly tint?: Tint;
}

/** Every line of the text in one style. */
export function wrapText(text: string, style: Style, wrapping: Wrapping | LayoutContext): readonly Line[] {
  return text.split("\n").flatMap((line) => wrapPieces([{ ...style, text: line }], wrapping));
}

/** Pieces of one line, without line breaks and tabs; at least one line. */
export function wrapPieces(pieces: readonly Piece[], wrapping: Wrapping): readonly Line[] {
  const spans = pieces.map((piece) => spanOf(piece, wrapping.measure));
  const first = fitting(wrapping.first, wrapping.width);
  if (widthOf(first) + widthOf(spans) <= wrapping.width) return [built(first, spans, wrapping.tint)];
  const rest = fitting(wrapping.rest ?? wrapping.first, wrapping.width);
  return new Breaker(wrapping, first, rest).lines(spans);
}

/** Decoration must leave room for text: half of the line, or four cells. */
function fitting(spans: readonly Span[] = [], width: number): readonly Span[] {
  const taken = widthOf(spans);
  return taken * 2 <= width || width - taken >= 4 ? spans : [];
}

function built(prefix: readonly Span[], spans: readonly Span[], tint: Tint | undefined, gap?: string): Line {
  return lineOf([...prefix, ...joined(spans)], {
    ...(prefix.length > 0 && { indent: widthOf(prefix) }),
    ...(tint && { tint }),
    ...(gap !== undefined && { wraps: true }),
    ...(gap && { gap }),
  });
}

const CJK = "\\u2e80-\\u303f\\u3041-\\u9fff\\uf900-\\ufaff\\uff01-\\uff60\\u{20000}-\\u{3ffff}";
const CLOSING = "、。，．！？：；）」』】〉》〕…ー";
/** What belongs to the character before it. */
const MARKS = "\\p{M}\\u200c\\u200d\\uff9e\\uff9f\\u0e33\\u0eb3";
/** Blanks; a character that is a word, with its marks and the signs that must not begin a line; a word. */
const WORDS = new RegExp(` +|[${CJK}][${MARKS}${CLOSING}]*|[^ ${CJK}]+`, "gu");

/** Goes through the words once; a class for what it holds between them. */
class Breaker {
  readonly #out: Line[] = [];
  readonly #wrapping: Wrapping;
  readonly #prefixes: readonly [first: readonly Span[], rest: readonly Span[]];
  #line: Span[] = [];
  #used = 0;
  /** Blanks that are shown only when a word follows them on the same line. */
  #blanks: Span[] = [];
  /** Of the break before the line; undefined on the first. */
  #gap: string | undefined;

  constructor(wrapping: Wrapping, first: readonly Span[], rest: readonly Span[]) {
    this.#wrapping = wrapping;
    this.#prefixes = [first, rest];
  }

  lines(spans: readonly Span[]): readonly Line[] {
    for (const word of wordsOf(spans, this.#wrapping.measure)) this.#take(word);
    if (this.#line.length > 0 || this.#out.length === 0 || this.#blanks.length > 0) {
      this.#endBlanks();
      this.#flush();
    }
    return this.#out;
  }

  get #room(): number {
    const prefix = this.#prefixes[this.#gap === undefined ? 0 : 1];
    return this.#wrapping.width - widthOf(prefix) - this.#used;
  }

  #take(word: readonly Span[]): void {
    if (word[0]?.text.startsWith(" ")) {
      this.#blanks.push(...word);
      return;
    }
    const width = widthOf(word);
    const blanks = widthOf(this.#blanks);
    if (blanks + width <= this.#room) {
      this.#put([...this.#blanks, ...word]);
      this.#blanks = [];
      return;
    }
    const full = this.#wrapping.width - widthOf(this.#prefixes[1]);
    // A word is torn where it fits no line, and where a line would hold nothing but its indent.
    const isBroken = (width > full || this.#used === 0) && blanks + 2 < this.#room;
    if (isBroken) this.#put(this.#blanks.splice(0));
    else if (this.#used > 0 || blanks > 0) this.#breakHere();
    if (width <= this.#room) this.#put(word);
    else for (const span of word) this.#putByGraphemes(span);
  }

  #put(spans: readonly Span[]): void {
    this.#line.push(...spans);
    this.#used += widthOf(spans);
  }

  /** Blanks at the end of a text are part of it, as far as they fit. */
  #endBlanks(): void {
    const blanks = this.#blanks.splice(0);
    for (const span of blanks) {
      const cells = Math.min(span.width, this.#room);
      if (cells > 0) this.#put([{ ...span, text: " ".repeat(cells), width: cells }]);
    }
  }

  #breakHere(): void {
    const gap = this.#blanks.splice(0).map(({ text }) => text);
    this.#flush();
    this.#gap = gap.join("");
  }

  #flush(): void {
    const prefix = this.#prefixes[this.#gap === undefined ? 0 : 1];
    this.#out.push(built(prefix, this.#line, this.#wrapping.tint, this.#gap));
    this.#line = [];
    this.#used = 0;
    this.#gap = "";
  }

  #putByGraphemes(span: Span): void {
    const { measure } = this.#wrapping;
    let [text, width] = ["", 0];
    const put = () => {
      if (text !== "") this.#put([{ ...span, text, width }]);
      [text, width] = ["", 0];
    };
    for (const grapheme of graphemesOf(span.text)) {
      const cells = measure(grapheme);
      if (width + cells > this.#room && (width > 0 || this.#used > 0)) {
        put();
        this.#flush();
      }
      const fits = width + cells <= this.#room;
      text += fits ? grapheme : TOO_WIDE;
      width += fits ? cells : 1;
    }
    put();
  }
}

/** Stands for a character of two cells where there is one. */
const TOO_WIDE = "…";

/** Words may be of several styles, blanks too. */
function* wordsOf(spans: readonly Span[], measure: Measure): Generator<readonly Span[]> {
  let word: Span[] = [];
  let kind = "";
  for (const span of spans) {
    for (const [text] of span.text.matchAll(WORDS)) {
      const next = kindOf(text);
      if (word.length > 0 && (next !== kind || next === "alone")) {
        yield word;
        word = [];
      }
      kind = next;
      word.push({ ...span, text, width: measure(text) });
    }
  }
  if (word.length > 0) yield word;
}

const ALONE = new RegExp(`^[${CJK}]`, "u");

function kindOf(text: string): "blank" | "alone" | "word" {
  if (text.startsWith(" ")) return "blank";
  return ALONE.test(text) ? "alone" : "word";
}
