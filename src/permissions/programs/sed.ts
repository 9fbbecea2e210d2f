/** `sed`: reads its script, because `e`, `w` and `s///e` run programs and write files. */
import type { Word } from "../shell/types.ts";
import type { Describe, Facts } from "./facts.ts";
import { hasOption, optionValues, readArguments } from "./options.ts";

const MAX_SCRIPT = 8192;

export const describeSed: Describe = ({ words }, facts) => {
  const args = readArguments(splitInPlace(words), "e f l expression file line-length");
  const scripts = [...optionValues(args, "-e --expression")];
  const files = optionValues(args, "-f --file");
  const operands = [...args.operands];
  if (scripts.length === 0 && files.length === 0) {
    const script = operands.shift();
    if (script !== undefined) scripts.push(script);
  }
  const inPlace = hasOption(args, "-i -I --in-place");
  facts.readOnly = !inPlace && files.length === 0;
  facts.editsOnly = inPlace && files.length === 0;
  facts.reads.push(...files, ...operands);
  if (inPlace) facts.writes.push(...operands);
  if (files.length > 0) facts.problems.push("what a sed script in a file does cannot be seen");
  if (args.doubtful) facts.problems.push("a word that cannot be resolved may be an option of sed");
  for (const script of scripts) readScript(script, facts);
  facts.kind = facts.readOnly && facts.writes.length === 0 ? "read" : "run";
  facts.readOnly = facts.kind === "read";
};

/** `-i.bak` carries its suffix with it; without this its letters would be read as options. */
const splitInPlace = (words: readonly Word[]): readonly Word[] =>
  words.map((word) => {
    const match = /^-([nErsuz]*)([iI])/.exec(word.text);
    return match === null ? word : { ...word, text: match[0], shape: match[0] };
  });

function readScript(script: Word, facts: Facts): void {
  const effects = script.known ? sedEffects(script.text) : undefined;
  if (effects === undefined) {
    facts.problems.push("its sed script is not understood");
    return;
  }
  if (effects.runs) facts.problems.push("its sed script runs a program");
  const asWord = (text: string): Word => ({ text, shape: text, known: true, pattern: false, split: false });
  facts.reads.push(...effects.reads.map(asWord));
  facts.writes.push(...effects.writes.map(asWord));
}

export interface SedEffects {
  runs: boolean;
  readonly reads: string[];
  readonly writes: string[];
}

/** Undefined: the script is not understood. */
function sedEffects(script: string): SedEffects | undefined {
  const effects: SedEffects = { runs: false, reads: [], writes: [] };
  if (script.length > MAX_SCRIPT) return undefined;
  let at = 0;
  while (at < script.length) {
    at += /^[\s;{}]+/.exec(script.slice(at))?.[0].length ?? 0;
    if (at >= script.length) break;
    const address = addressLength(script, at);
    if (address === undefined) return undefined;
    at += address;
    const next = readCommand(script, at, effects);
    if (next === undefined) return undefined;
    at = next;
  }
  return effects;
}

/** An address, or two with a comma, and the `!` behind it; undefined when a pattern does not close. */
function addressLength(script: string, start: number): number | undefined {
  let at = start;
  for (const separator of [/^\s*,\s*/, /^/]) {
    const length = oneAddress(script, at);
    if (length === undefined) return undefined;
    if (length === 0) break;
    at += length + lengthOf(separator, script, at + length);
  }
  return at + lengthOf(/^\s*!*\s*/, script, at) - start;
}

const lengthOf = (pattern: RegExp, script: string, at: number): number =>
  pattern.exec(script.slice(at))?.[0].length ?? 0;

function oneAddress(script: string, at: number): number | undefined {
  const simple = lengthOf(/^(?:\d+(?:~\d+)?|\$|[+~]\d+)/, script, at);
  if (simple > 0) return simple;
  const isCustom = script[at] === "\\";
  if (script[at] !== "/" && !isCustom) return 0;
  const from = at + (isCustom ? 2 : 1);
  const end = sectionEnd(script, from, isCustom ? (script[at + 1] ?? "") : "/");
  return end === undefined ? undefined : end + 1 + lengthOf(/^[IM]*/, script, end + 1) - at;
}

/** Where the section that the delimiter closes ends; in a pattern, brackets hide a delimiter. */
function sectionEnd(script: string, from: number, delimiter: string, isPattern = true): number | undefined {
  for (let at = from; at < script.length; at++) {
    const char = script[at];
    if (char === "\\") at++;
    else if (char === delimiter) return at;
    else if (char === "[" && isPattern) at += Math.max(0, lengthOf(/^\[\^?\]?[^\]\n]*\]/, script, at) - 1);
  }
  return undefined;
}

/** The index behind the command; undefined when there is no such command. */
function readCommand(script: string, at: number, effects: SedEffects): number | undefined {
  const command = script[at] ?? "}";
  const behind = at + 1;
  if ("{}=dDgGhHnNpPxzF".includes(command)) return behind;
  if ("lLqQ".includes(command)) return behind + lengthOf(/^\s*\d*/, script, behind);
  if (command === "s") return readSubstitution(script, at, effects);
  if (command === "y") return transliterationEnd(script, at);
  if ("aic".includes(command)) return textEnd(script, behind);
  if ("btT:".includes(command)) return behind + lengthOf(/^[^\n;}]*/, script, behind);
  const lineEnd = behind + lengthOf(/^[^\n]*/, script, behind);
  return addEffect(command, script.slice(behind, lineEnd).trim(), effects) ? lineEnd : undefined;
}

function addEffect(command: string, line: string, effects: SedEffects): boolean {
  if ("rR".includes(command)) effects.reads.push(line);
  else if ("wW".includes(command)) effects.writes.push(line);
  else if (command === "e") effects.runs = true;
  else return command === "#";
  return true;
}

function readSubstitution(script: string, at: number, effects: SedEffects): number | undefined {
  const delimiter = script[at + 1];
  if (delimiter === undefined || delimiter === "\n" || delimiter === "\\") return undefined;
  const middle = sectionEnd(script, at + 2, delimiter);
  const end = middle === undefined ? undefined : sectionEnd(script, middle + 1, delimiter, false);
  if (end === undefined) return undefined;
  const flags = /^[gpiImM0-9ew]*/.exec(script.slice(end + 1))?.[0] ?? "";
  const write = flags.indexOf("w");
  if ((write < 0 ? flags : flags.slice(0, write)).includes("e")) effects.runs = true;
  if (write < 0) return end + 1 + flags.length;
  const from = end + 1 + write + 1;
  const file = /^[^\n]*/.exec(script.slice(from))?.[0] ?? "";
  effects.writes.push(file.trim());
  return from + file.length;
}

function transliterationEnd(script: string, at: number): number | undefined {
  const delimiter = script[at + 1];
  if (delimiter === undefined) return undefined;
  const middle = sectionEnd(script, at + 2, delimiter, false);
  const end = middle === undefined ? undefined : sectionEnd(script, middle + 1, delimiter, false);
  return end === undefined ? undefined : end + 1;
}

/** The text of `a`, `i` and `c` goes to the end of a line that no backslash continues. */
function textEnd(script: string, from: number): number {
  for (let at = from; at < script.length; at++) {
    if (script[at] === "\\") at++;
    else if (script[at] === "\n") return at;
  }
  return script.length;
}
