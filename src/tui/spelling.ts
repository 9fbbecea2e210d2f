/**
 * Foreign text where it must not deceive: names, commands, what is asked about. What a reader cannot see, or what moves what
 * he sees, is spelled out instead of obeyed.
 */
import { wellFormed } from "../shared/index.ts";

/** A run of text; `isSpelled` where signs stand for characters that could not be seen. */
export interface Spelled {
  readonly text: string;
  readonly isSpelled: boolean;
}

/** Controls, separators of lines, every blank but the usual one, and whatever has no picture of its own, or an empty one. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u;
const UNSEEN_RUNS = new RegExp(`(?:${UNSEEN.source})+`, "gu");

const NAMED: Readonly<Record<string, string>> = { "\n": "\\n", "\t": "\\t", "\r": "\\r", "\u001b": "\\e", "\0": "\\0" };

const signOf = (char: string): string => {
  const named = NAMED[char];
  if (named !== undefined) return named;
  const hex = (char.codePointAt(0) ?? 0).toString(16);
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, "0")}`;
};

/** In order; together they are the text, with signs in place of what cannot be seen. */
export function spelled(text: string): readonly Spelled[] {
  const whole = wellFormed(text);
  if (!UNSEEN.test(whole)) return whole === "" ? [] : [{ text: whole, isSpelled: false }];
  const runs: Spelled[] = [];
  let from = 0;
  for (const { 0: found, index } of whole.matchAll(UNSEEN_RUNS)) {
    if (index > from) runs.push({ text: whole.slice(from, index), isSpelled: false });
    runs.push({ text: Array.from(found, signOf).join(""), isSpelled: true });
    from = index + found.length;
  }
  if (from < whole.length) runs.push({ text: whole.slice(from), isSpelled: false });
  return runs;
}

export const spellOut = (text: string): string =>
  spelled(text)
    .map((run) => run.text)
    .join("");

const MAX_SHOWN = 160;

/** The first line that says something, spelled out and bounded; that there is more is said. */
export function oneLine(text: string, most = MAX_SHOWN): string {
  const trimmed = text.trim();
  const end = trimmed.indexOf("\n");
  const first = end < 0 ? trimmed : trimmed.slice(0, end).trimEnd();
  const shown = spellOut(beginning(first, most));
  return first.length > most || end >= 0 ? `${beginning(shown, most)} …` : shown;
}

/** A name, such as of a file: whole as far as there is room, on one line whatever it holds. */
export function oneName(text: string, most = MAX_SHOWN): string {
  const shown = spellOut(beginning(text, most));
  return text.length > most || shown.length > most ? `${beginning(shown, most)}…` : shown;
}

/** Never with half a character at its end. */
const beginning = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
