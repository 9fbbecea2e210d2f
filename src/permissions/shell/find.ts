/** `find`: where it starts, which commands it runs, what it writes. */
import type { Inner, Runs } from "./run-types.ts";
import type { Word } from "./types.ts";
import { patternWord, wordOf } from "./word.ts";

export interface FindCall {
  readonly roots: readonly Word[];
  readonly commands: readonly (readonly Word[])[];
  readonly deletes: boolean;
  /** No test limits what it finds. */
  readonly everything: boolean;
  readonly writes: readonly Word[];
  readonly reads: readonly Word[];
}

const RUNS = /^-(?:exec|execdir|ok|okdir)$/;

const LIMITS_NOTHING = /^(?:-(?:delete|depth|d|mindepth|type|print0?|xdev|mount|true)|\d+|[fdl](?:,[fdl])*)$/;

export function readFind(words: readonly Word[]): FindCall {
  let at = 1;
  while (/^-(?:[HLP]|O\d?|D)$/.test(words[at]?.text ?? "")) at += words[at]?.text === "-D" ? 2 : 1;
  const start = words.findIndex((word, index) => index >= at && /^(?:-.|[(!)]$)/.test(word.text));
  const expression = start < 0 ? [] : words.slice(start);
  const given = words.slice(at, start < 0 ? words.length : start);
  return {
    roots: given.length > 0 ? given : [wordOf(".")],
    commands: commandsIn(expression),
    deletes: expression.some((word) => word.text === "-delete"),
    everything: expression.every((word) => LIMITS_NOTHING.test(word.text)),
    writes: valuesBehind(expression, /^-(?:fprintf?0?|fls)$/),
    reads: valuesBehind(expression, /^-files0-from$/),
  };
}

function commandsIn(expression: readonly Word[]): readonly (readonly Word[])[] {
  const commands: (readonly Word[])[] = [];
  for (let at = 0; at < expression.length; at++) {
    if (!RUNS.test(expression[at]?.text ?? "")) continue;
    const end = commandEnd(expression, at + 1);
    commands.push(expression.slice(at + 1, end));
    at = end;
  }
  return commands;
}

const valuesBehind = (expression: readonly Word[], test: RegExp): readonly Word[] =>
  expression.flatMap((word, index) => (test.test(word.text) ? expression.slice(index + 1, index + 2) : []));

function commandEnd(words: readonly Word[], from: number): number {
  for (let at = from; at < words.length; at++) {
    const text = words[at]?.text;
    if (text === ";" || (text === "+" && words[at - 1]?.text === "{}")) return at;
  }
  return words.length;
}

export function findRuns(words: readonly Word[]): Runs | undefined {
  const call = readFind(words);
  if (call.commands.length === 0) return undefined;
  const inners = call.commands.flatMap((command): Inner[] =>
    command.length === 0 ? [] : [{ kind: "words", words: command.flatMap((word) => placed(word, call.roots)) }],
  );
  return { inners, transparent: false };
}

/** The paths below the roots in the place of `{}`. */
function placed(word: Word, roots: readonly Word[]): readonly Word[] {
  if (!word.text.includes("{}")) return [word];
  return roots.map((root) => {
    if (!root.known) return { ...word, known: false };
    const below = root.shape.endsWith("/") ? `${root.shape}*` : `${root.shape}/*`;
    return word.text === "{}" ? patternWord(below) : { ...word, text: word.text.replaceAll("{}", below), known: false };
  });
}
