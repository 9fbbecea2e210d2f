/** Building words out of pieces: quoting, field splitting and live wildcards as bash does them. */
import type { Flow, Word } from "./types.ts";

export interface Piece {
  readonly text: string;
  readonly shape: string;
  readonly known: boolean;
  readonly pattern: boolean;
  readonly maybe?: string;
  readonly flow?: Flow;
}

/** A variable's value: one piece, or the elements of an array. */
export type Value = readonly Piece[];

export const MAX_VALUE = 64 * 1024;

export const literal = (text: string): Piece => ({ text, shape: text, known: true, pattern: false });
/** Something that can be anything. */
export const unknown = (source: string, flow?: Flow): Piece => ({
  text: source,
  shape: source,
  known: false,
  pattern: false,
  ...(flow === undefined ? {} : { flow }),
});
/** Unknown, but a plain name or number. */
export const plain = (source: string): Piece => ({ text: source, shape: "*", known: true, pattern: true });
/** Some path that matches. */
export const matching = (shape: string): Piece => ({ text: shape, shape, known: true, pattern: true });

/** A number, or a plain name. */
export const isNumber = (value: Value | undefined): boolean =>
  value?.length === 1 &&
  value.every(({ known, text, shape }) => known && (text === shape ? /^-?\d*$/.test(text) : shape === "*"));

/** The program's name without its folders. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

export const wordOf = (text: string): Word => ({ ...literal(text), split: false });
export const patternWord = (shape: string): Word => ({ ...matching(shape), split: false });

const LIVE = /[*?[]/;

/** Collects pieces into fields. */
export interface FieldBuilder {
  /** Text that was quoted, or that no splitting applies to. An empty one still makes a field. */
  quoted(piece: Piece): void;
  /** Literal text outside quotes. */
  bare(text: string): void;
  /** The result of an unquoted expansion: split at blanks, wildcards live. */
  expanded(piece: Piece): void;
  /** Ends the field, if there is one. */
  cut(): void;
  finish(): readonly Word[];
}

export function fieldBuilder(separators: string): FieldBuilder {
  const fields: Word[] = [];
  let pieces: Piece[] = [];
  let split = false;
  const isSeparator = (char: string): boolean => separators.includes(char);
  const builder: FieldBuilder = {
    quoted: (piece) => void pieces.push(piece),
    bare: (text) => void pieces.push({ ...literal(text), pattern: LIVE.test(text) }),
    expanded(piece) {
      if (!piece.known) split = true;
      if (!piece.known || piece.text !== piece.shape) {
        pieces.push(piece);
        return;
      }
      for (const [index, token] of splitFields(piece.text, isSeparator).entries()) {
        if (index > 0) builder.cut();
        if (token !== "") pieces.push({ ...piece, text: token, shape: token, pattern: LIVE.test(token) });
      }
    },
    cut() {
      if (pieces.length > 0) fields.push(join(pieces, split));
      pieces = [];
      split = false;
    },
    finish() {
      builder.cut();
      return fields;
    },
  };
  return builder;
}

/** Tokens with an empty one at either end when the text begins or ends with a separator. */
function splitFields(text: string, isSeparator: (char: string) => boolean): readonly string[] {
  const tokens: string[] = [];
  let token = "";
  let inGap = false;
  for (const char of text) {
    if (isSeparator(char)) {
      if (!inGap) tokens.push(token);
      token = "";
      inGap = true;
    } else {
      token += char;
      inGap = false;
    }
  }
  tokens.push(token);
  return tokens;
}

function join(pieces: readonly Piece[], split: boolean): Word {
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined) return { ...only, split };
  const flow = pieces.find((piece) => piece.flow !== undefined)?.flow;
  const hasMaybe = pieces.some((piece) => piece.maybe !== undefined);
  return {
    text: pieces.map((piece) => piece.text).join(""),
    shape: pieces.map((piece) => piece.shape).join(""),
    known: pieces.every((piece) => piece.known),
    pattern: pieces.some((piece) => piece.pattern),
    split,
    ...(hasMaybe && { maybe: pieces.map((piece) => piece.maybe ?? piece.text).join("") }),
    ...(flow === undefined ? {} : { flow }),
  };
}

/** A value that is this in one branch and something else in another. */
export const undecided = (name: string, value: Value | undefined): Value | undefined =>
  value === undefined
    ? undefined
    : [{ ...unknown(`$${name}`), maybe: value.map((piece) => piece.maybe ?? piece.text).join(" ") }];

/** The words as they are if that branch was taken; undefined when none depends on a branch. */
export function maybeWords(words: readonly Word[]): readonly Word[] | undefined {
  if (!words.some((word) => word.maybe !== undefined)) return undefined;
  return words.flatMap((word) => {
    if (word.maybe === undefined) return [word];
    return word.split ? word.maybe.split(/\s+/).filter(Boolean).map(wordOf) : [wordOf(word.maybe)];
  });
}

/** Words as the one string that `eval` or `sh -c` would see. */
export function joinWords(words: readonly Word[]): Word {
  const [first] = words;
  if (words.length === 1 && first !== undefined) return first;
  const pieces: Piece[] = [];
  for (const [index, word] of words.entries()) {
    if (index > 0) pieces.push(literal(" "));
    pieces.push(word);
  }
  return pieces.length === 0
    ? wordOf("")
    : join(
        pieces,
        words.some((word) => word.split),
      );
}
