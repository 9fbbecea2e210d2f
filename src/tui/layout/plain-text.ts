/**
 * Foreign text on its way into spans: nothing of it can command a terminal, and a tab is as wide everywhere. Text that must
 * show what is hidden in it is spelled out instead.
 */
import { collapseCarriageReturns, sanitize, wellFormed } from "../../shared/index.ts";
import { spellOut } from "../spelling.ts";
import { graphemesOf, type Measure } from "./width.ts";

export const TAB_CELLS = 4;

/** Characters that terminals count differently, or take for a line break. */
const UNSURE = /[\u00ad\u2028\u2029]/g;

/** Of a text that was sanitised already, such as by a sanitiser that follows a stream. */
export function settled(text: string): string {
  const clean = collapseCarriageReturns(text);
  return UNSURE.test(clean) ? clean.replace(UNSURE, (char) => (char === "\u00ad" ? "" : " ")) : clean;
}

/** Several lines may be in it, and tabs. */
export const safeText = (text: string): string => settled(sanitize(text));

/** For one row: line breaks and tabs are blanks. */
export const safeRow = (text: string): string => safeText(text).replace(/[\n\t]+/g, " ");

const SELECTORS = "\\ufe00-\\ufe0f";
const JOINERS = `\\u200c\\u200d${SELECTORS}`;
/** Joiners and selectors shape the sign before them: behind ASCII (but for keycaps) they shape nothing, nor does one behind another. */
const SHAPES_NOTHING = [
  `(?<=^|[\\t -~])[${JOINERS}](?!\\u20e3)`,
  `(?<=[\\u200c\\u200d])[${JOINERS}]`,
  `(?<=[${SELECTORS}])[\\u200c${SELECTORS}]`,
].join("|");
/** What cannot be seen and is no part of a picture or a word. */
const HIDDEN = new RegExp(
  `${SHAPES_NOTHING}|(?![\\t${JOINERS}])[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\p{Bidi_Control}\\ufff9-\\ufffb]`,
  "gu",
);

/** A line of code that somebody judges: nothing in it is hidden, or hides what stands beside it. Tabs stay. */
export const spelledCode = (line: string): string =>
  PLAIN.test(line) ? line : wellFormed(line).replace(HIDDEN, spellOut);

const PLAIN = /^[\t\x20-\x7e]*$/;

/** Each tab fills up to the next stop, counted from where the text begins. */
export function withoutTabs(line: string, measure: Measure): string {
  if (!line.includes("\t")) return line;
  let [out, column] = ["", 0];
  for (const part of line.split(/(\t)/)) {
    const isTab = part === "\t";
    const cells = isTab ? TAB_CELLS - (column % TAB_CELLS) : measure(part);
    out += isTab ? " ".repeat(cells) : part;
    column += cells;
  }
  return out;
}

/** More of one line is no use to anybody's eyes, and would be wrapped into a hundred rows. */
export const MAX_LINE_CHARS = 8 * 1024;

/** What is shown of a line, never half a character, and how much is not. */
export function boundedLine(line: string): { readonly text: string; readonly left: number } {
  if (line.length <= MAX_LINE_CHARS) return { text: line, left: 0 };
  const around = line.slice(0, MAX_LINE_CHARS + 64);
  const whole = graphemesOf(around);
  let length = 0;
  let count = 0;
  while (length + (whole[count]?.length ?? MAX_LINE_CHARS) <= MAX_LINE_CHARS) length += whole[count++]?.length ?? 0;
  return { text: line.slice(0, length), left: line.length - length };
}

export const leftOut = (left: number): string => ` … ${left.toLocaleString("en")} more characters`;
