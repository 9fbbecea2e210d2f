/** Splitting words into options and operands the way GNU programs do: clusters, attached values, long names cut short. */
import type { Word } from "../shell/types.ts";

export interface Option {
  /** `-o` or `--output`, as written. */
  readonly name: string;
  readonly value: Word | undefined;
}

export interface Arguments {
  readonly options: readonly Option[];
  readonly operands: readonly Word[];
  /** A word that cannot be resolved may be an option. */
  readonly doubtful: boolean;
}

/** `values`: the options that take a value, as in "o T key": letters and long names, separated by blanks. */
export function readArguments(words: readonly Word[], values = ""): Arguments {
  const takers = new Set(values.split(" "));
  const options: Option[] = [];
  const operands: Word[] = [];
  let doubtful = false;
  for (let at = 1; at < words.length; at++) {
    const word = words[at];
    if (word === undefined) continue;
    if (word.text === "--" && word.known) {
      operands.push(...words.slice(at + 1));
      break;
    }
    if (mayBeOption(word)) doubtful = true;
    if (!/^-./.test(word.text)) operands.push(word);
    else if (word.text.startsWith("--")) at += readLong({ word, next: words[at + 1], takers }, options);
    else at += readCluster({ word, next: words[at + 1], takers }, options);
  }
  return { options, operands, doubtful };
}

const mayBeOption = (word: Word): boolean => word.split || (!word.known && /^[$`…]/.test(word.text));

interface Place {
  readonly word: Word;
  readonly next: Word | undefined;
  readonly takers: ReadonlySet<string>;
}

/** Answers how many further words were used. */
function readLong({ word, next, takers }: Place, options: Option[]): number {
  const cut = word.text.indexOf("=");
  if (cut > 0) {
    options.push({ name: word.text.slice(0, cut), value: tail(word, cut + 1) });
    return 0;
  }
  const takes =
    next !== undefined && [...takers].some((name) => name.length > 1 && name.startsWith(word.text.slice(2)));
  options.push({ name: word.text, value: takes ? next : undefined });
  return takes ? 1 : 0;
}

function readCluster({ word, next, takers }: Place, options: Option[]): number {
  for (let index = 1; index < word.text.length; index++) {
    const letter = word.text[index] ?? "";
    if (!takers.has(letter)) {
      options.push({ name: `-${letter}`, value: undefined });
      continue;
    }
    const attached = index + 1 < word.text.length;
    options.push({ name: `-${letter}`, value: attached ? tail(word, index + 1) : next });
    return attached || next === undefined ? 0 : 1;
  }
  return 0;
}

/** The word without its first characters. */
export function tail(word: Word, from: number): Word {
  const text = word.text.slice(from);
  const shape = word.shape === word.text ? text : word.shape.slice(from);
  return { ...word, text, shape, pattern: word.pattern && /[*?[]/.test(shape) };
}

/** Is one of these given? `names` as in "-o --output"; a long name may be cut short. */
export const hasOption = (args: Arguments, names: string): boolean => optionsNamed(args, names).length > 0;

export const optionValues = (args: Arguments, names: string): readonly Word[] =>
  optionsNamed(args, names).flatMap((option) => option.value ?? []);

function optionsNamed(args: Arguments, names: string): readonly Option[] {
  const wanted = names.split(" ");
  return args.options.filter(({ name }) =>
    wanted.some((full) => (full.startsWith("--") ? name.length > 2 && full.startsWith(name) : full === name)),
  );
}
