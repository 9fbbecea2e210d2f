/**
 * Code in few tones, a line at a time: what a line leaves open (a comment, a long string) is carried to the next. A guess by
 * patterns, not a parser; where it is wrong a word has another tone, and nothing else.
 */
import type { Style, Tone } from "../line.ts";
import { type Language, languageOf } from "./languages.ts";
import type { Piece } from "./span.ts";

/** What a line leaves open for the next. */
export type OpenBlock = Language["blocks"][number];

export interface LexedLine {
  /** Together the text of the line, none lost. */
  readonly pieces: readonly Piece[];
  readonly open: OpenBlock | undefined;
}

/** Give it the lines in their order, each with what the line before left open. */
export type Lexer = (line: string, open: OpenBlock | undefined) => LexedLine;

/** Beyond, a line is data, and is shown in one tone. */
const MAX_STYLED_CHARS = 2000;

const TONES = { keyword: "code", string: "ok", comment: "muted", number: "accent" } as const satisfies Record<
  string,
  Tone
>;

/** By the name of the language or the ending of the file; an unknown one has one tone. */
export function createLexer(name: string): Lexer {
  if (/^(diff|patch)$/i.test(name)) return (line) => ({ pieces: diffLine(line), open: undefined });
  const language = languageOf(name);
  return language ? lexerOf(language) : plain;
}

const whole = (text: string): readonly Piece[] => (text === "" ? [] : [{ tone: "fg", text }]);

const plain: Lexer = (text) => ({ pieces: whole(text), open: undefined });

function diffLine(text: string): readonly Piece[] {
  if (text === "") return [];
  if (/^(\+\+\+|---|diff |index )/.test(text)) return [{ tone: "muted", text }];
  if (text.startsWith("@@")) return [{ tone: "accent", text }];
  if (text.startsWith("+")) return [{ tone: "ok", text }];
  return [{ tone: text.startsWith("-") ? "error" : "fg", text }];
}

function lexerOf(language: Language): Lexer {
  const pattern = patternOf(language);
  return (line, before) => {
    if (line.length > MAX_STYLED_CHARS) return { pieces: whole(line), open: before };
    const pieces: Piece[] = [];
    const end = before ? endOf(line, before, 0) : 0;
    if (before) put(pieces, line.slice(0, end ?? line.length), { tone: TONES[before.is] });
    if (end === undefined) return { pieces, open: before };
    return { pieces, open: lexed(line, end, { pieces, language, pattern }) };
  };
}

interface Lexing {
  readonly pieces: Piece[];
  readonly language: Language;
  readonly pattern: RegExp;
}

/** Puts the pieces from there on, and gives what the line leaves open. */
function lexed(line: string, from: number, { pieces, language, pattern }: Lexing): OpenBlock | undefined {
  let at = from;
  pattern.lastIndex = at;
  for (let match = pattern.exec(line); match; match = pattern.exec(line)) {
    put(pieces, line.slice(at, match.index), { tone: "fg" });
    const { groups = {}, index } = match;
    const block = groups.block === undefined ? undefined : language.blocks.find((one) => one.open === groups.block);
    const end = block ? endOf(line, block, index + block.open.length) : index + match[0].length;
    at = end ?? line.length;
    put(pieces, line.slice(index, at), { tone: toneOf(groups, language, block) });
    if (end === undefined) return block;
    pattern.lastIndex = at;
  }
  put(pieces, line.slice(at), { tone: "fg" });
  return undefined;
}

function put(pieces: Piece[], text: string, style: Style): void {
  if (text === "") return;
  const last = pieces.at(-1);
  if (last?.tone === style.tone) pieces[pieces.length - 1] = { ...last, text: last.text + text };
  else pieces.push({ ...style, text });
}

/** The index behind what closes the block; a sign behind a backslash closes no string. */
function endOf(line: string, { close, is }: OpenBlock, from: number): number | undefined {
  for (let at = line.indexOf(close, from); at >= 0; at = line.indexOf(close, at + 1)) {
    let backslashes = 0;
    while (line[at - 1 - backslashes] === "\\") backslashes++;
    if (is === "comment" || backslashes % 2 === 0) return at + close.length;
  }
  return undefined;
}

function toneOf(groups: Record<string, string | undefined>, language: Language, block: OpenBlock | undefined): Tone {
  if (block) return TONES[block.is];
  if (groups.comment !== undefined) return TONES.comment;
  if (groups.name !== undefined) return TONES.keyword;
  if (groups.string !== undefined) return TONES.string;
  if (groups.number !== undefined) return TONES.number;
  const word = groups.word ?? "";
  return language.keywords.has(language.ignoresCase ? word.toLowerCase() : word) ? TONES.keyword : "fg";
}

const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

const NEVER = "(?!)";

function patternOf({ lineComments, blocks, quotes, names = NEVER }: Language): RegExp {
  const comment = lineComments.length === 0 ? NEVER : `(?:${lineComments.join("|")}).*`;
  const block = blocks.map(({ open }) => quoted(open)).join("|") || NEVER;
  const string = quotes
    .split("")
    .map((sign) => `${sign}(?:[^${sign}\\\\]|\\\\.)*(?:${sign}|$)`)
    .join("|");
  const number = "\\b(?:0[xXbBoO][\\da-fA-F_]+|\\d[\\d_]*(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)\\w{0,4}";
  return new RegExp(
    `(?<comment>${comment})|(?<name>${names})|(?<block>${block})|(?<string>${string})|(?<number>${number})|(?<word>[\\p{L}_$][\\p{L}\\p{N}_$]*)`,
    "gu",
  );
}
