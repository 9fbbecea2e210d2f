/** `find`: where it starts, which commands it runs, what it writes. */
import type { Inner, Runs } from "./runs.ts";
import type { Word } from "./types.ts";
import { patternWord, wordOf } from "./word.ts";

export interface FindCall {
  readonly roots: readonly Word[];
  readonly commands: readonly (readonly Word[])[];
  readonly deletes: boolean;
  readonly writes: readonly Word[];
  readonly reads: readonly Word[];
}

const RUNS = /^-(?:exec|execdir|ok|okdir)$/;

export function readFind(words: readonly Word[]): FindCall {
  let at = 1;
  while (/^-(?:[HLP]|O\d?|D)$/.test(words[at]?.text ?? "")) at += words[at]?.text === "-D" ? 2 : 1;
  const roots: Word[] = [];
  for (; at < words.length; at++) {
    const word = words[at];
    if (word === undefined || /^(?:-.|[(!)]$)/.test(word.text)) break;
    roots.push(word);
  }
  if (roots.length === 0) roots.push(wordOf("."));
  const call = {
    roots,
    commands: [] as (readonly Word[])[],
    deletes: false,
    writes: [] as Word[],
    reads: [] as Word[],
  };
  for (; at < words.length; at++) {
    const text = words[at]?.text ?? "";
    const next = words[at + 1];
    if (RUNS.test(text)) {
      const end = commandEnd(words, at + 1);
      call.commands.push(words.slice(at + 1, end));
      at = end;
    } else if (text === "-delete") call.deletes = true;
    else if (/^-(?:fprintf?0?|fls)$/.test(text) && next !== undefined) call.writes.push(next);
    else if (text === "-files0-from" && next !== undefined) call.reads.push(next);
  }
  return call;
}

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
