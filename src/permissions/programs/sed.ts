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
export function sedEffects(script: string): SedEffects | undefined {
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

function addressLength(script: string, start: number): number | undefined {
  let at = start;
  for (let part = 0; part < 2; part++) {
    const rest = script.slice(at);
    const simple = /^(?:\d+(?:~\d+)?|\$|[+~]\d+)/.exec(rest)?.[0];
    if (simple !== undefined) at += simple.length;
    else if (rest.startsWith("/") || rest.startsWith("\\")) {
      const delimiter = rest.startsWith("/") ? "/" : (rest[1] ?? "");
      const end = sectionEnd(script, at + (delimiter === "/" && rest.startsWith("/") ? 1 : 2), delimiter);
      if (end === undefined) return undefined;
      at = end + 1;
      at += /^[IM]*/.exec(script.slice(at))?.[0].length ?? 0;
    } else break;
    const comma = /^\s*,\s*/.exec(script.slice(at))?.[0].length ?? 0;
    if (part === 0 && comma > 0) at += comma;
    else break;
  }
  at += /^\s*!*\s*/.exec(script.slice(at))?.[0].length ?? 0;
  return at - start;
}

/** Where the section that the delimiter closes ends; brackets hide a delimiter. */
function sectionEnd(script: string, from: number, delimiter: string, isPattern = true): number | undefined {
  let inBracket = false;
  for (let at = from; at < script.length; at++) {
    const char = script[at];
    if (char === "\\") at++;
    else if (isPattern && inBracket) inBracket = char !== "]" || /\[\^?$/.test(script.slice(from, at));
    else if (char === delimiter) return at;
    else if (isPattern && char === "[" && script.indexOf("]", at) > 0) inBracket = true;
  }
  return undefined;
}

/** The index behind the command. */
function readCommand(script: string, at: number, effects: SedEffects): number | undefined {
  const command = script[at];
  if (command === undefined) return at;
  const line = (/^[^\n]*/.exec(script.slice(at + 1))?.[0] ?? "").trim();
  const lineEnd = at + 1 + (/^[^\n]*/.exec(script.slice(at + 1))?.[0].length ?? 0);
  if ("{}".includes(command) || "=dDgGhHnNpPxzF".includes(command)) return at + 1;
  if ("lLqQ".includes(command)) return at + 1 + (/^\s*\d*/.exec(script.slice(at + 1))?.[0].length ?? 0);
  if (command === "s") return readSubstitution(script, at, effects);
  if (command === "y") return transliterationEnd(script, at);
  if ("aic".includes(command)) return textEnd(script, at + 1);
  if ("btT:".includes(command)) return at + 1 + (/^[^\n;}]*/.exec(script.slice(at + 1))?.[0].length ?? 0);
  if (command === "#") return lineEnd;
  if ("rR".includes(command)) effects.reads.push(line);
  else if ("wW".includes(command)) effects.writes.push(line);
  else if (command === "e") effects.runs = true;
  else return undefined;
  return lineEnd;
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
