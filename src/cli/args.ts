/**
 * What was typed, as data. Pure, and without dependencies, for it runs before anything else. The tables of flags and
 * subcommands give the parser; whatever is not in them is refused with the nearest name.
 */
import { nearest } from "../shared/index.ts";
import { absentFlag, absentSubcommand } from "./absent.ts";
import type { Flag } from "./flags/define.ts";
import { FLAGS, type ParsedFlags } from "./flags/table.ts";
import { SUBCOMMANDS, type Subcommand, unknownSubcommand } from "./subcommands.ts";

export interface Arguments extends ParsedFlags {
  readonly subcommand?: Subcommand;
  /** What is not a flag: a prompt, or a subcommand's operands. */
  readonly operands: readonly string[];
}

export type Parsed = { readonly ok: true; readonly value: Arguments } | { readonly ok: false; readonly error: string };

/** A ULID or the beginning of one: what `--resume` takes as its value without `=`. Its first digit keeps words apart. */
const SESSION_ID = /^[0-7][0-9A-HJKMNP-TV-Z]{3,25}$/i;

type Value = string | boolean | string[] | undefined;
type Draft = Record<string, Value>;

const EMPTY: Readonly<Record<Flag["takes"], () => Value>> = {
  switch: () => false,
  list: () => [],
  value: () => undefined,
  optional: () => undefined,
  id: () => undefined,
};

export function parseArguments(argv: readonly string[]): Parsed {
  const draft: Draft = Object.fromEntries(FLAGS.map(({ key, takes }) => [key, EMPTY[takes]()]));
  const operands: string[] = [];
  const rest = [...argv];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--") {
      operands.push(...rest.splice(0));
    } else if (word.startsWith("-") && word !== "-") {
      const problem = takeFlag(word, { rest, argv }, draft);
      if (problem) return { ok: false, error: problem };
    } else {
      operands.push(word);
    }
  }
  return finish(draft, operands);
}

interface Words {
  /** What is still to be read. */
  readonly rest: string[];
  readonly argv: readonly string[];
}

function takeFlag(word: string, { rest, argv }: Words, draft: Draft): string | undefined {
  const [name = word, inline] = splitInline(word);
  const flag = FLAGS.find(({ names }) => names.includes(name));
  if (!flag) return unknownFlag(name, argv);
  if (flag.takes === "switch") {
    if (inline !== undefined) return `${name} takes no value`;
    draft[flag.key] = true;
    return undefined;
  }
  if (flag.takes === "id") {
    const next = rest[0];
    draft[flag.key] = inline ?? (next !== undefined && SESSION_ID.test(next) ? rest.shift() : "");
    return undefined;
  }
  if (flag.takes === "optional") {
    draft[flag.key] = inline ?? "";
    return undefined;
  }
  return takeValue(flag, name, inline ?? rest.shift(), draft);
}

function takeValue(flag: Flag, name: string, value: string | undefined, draft: Draft): string | undefined {
  if (value === undefined || value === "") return `${name} needs a value: ${name} ${flag.value ?? "VALUE"}`;
  if (flag.oneOf && !flag.oneOf.includes(value)) {
    return `${name} must be one of ${flag.oneOf.join(", ")}, not "${value}"`;
  }
  const list = draft[flag.key];
  if (Array.isArray(list)) list.push(value);
  else draft[flag.key] = value;
  return undefined;
}

function splitInline(word: string): readonly [string, string?] {
  const at = word.indexOf("=");
  return word.startsWith("--") && at !== -1 ? [word.slice(0, at), word.slice(at + 1)] : [word];
}

/** Of the flags that go with what is typed, else of all: `--mode` is no help to a run that wants `--model`. */
function unknownFlag(name: string, argv: readonly string[]): string {
  const isPrint = argv.includes("-p") || argv.includes("--print");
  const absent = absentFlag(name) ?? (isPrint ? undefined : absentSubcommand(argv.find(isWord) ?? ""));
  if (absent !== undefined) return absent;
  const subcommand = isPrint ? undefined : argv.find(isSubcommand);
  const fitting = FLAGS.filter(({ of }) => !of || of.some((command) => command === subcommand));
  const guess = nearestFlag(name, namesOf(fitting)) ?? nearestFlag(name, namesOf(FLAGS));
  return `unknown flag ${name}${guess ? `; did you mean ${guess}?` : ""}`;
}

/** By their letters alone, for the dashes are alike in all. Of one letter only the case can be a slip. */
function nearestFlag(typed: string, names: readonly string[]): string | undefined {
  const letters = (name: string) => name.replace(/^-+/, "");
  if (letters(typed).length < 2) return names.find((name) => name.toLowerCase() === typed.toLowerCase());
  const near = nearest(letters(typed), names.map(letters));
  return names.find((name) => letters(name) === near);
}

const namesOf = (flags: readonly Flag[]): readonly string[] => flags.flatMap(({ names }) => names);
const isWord = (word: string): boolean => !word.startsWith("-");
const isSubcommand = (word: string): boolean => SUBCOMMANDS.some(({ name }) => name === word);

function finish(draft: Draft, operands: string[]): Parsed {
  const [first = ""] = operands;
  const subcommand = draft.print === true ? undefined : SUBCOMMANDS.find(({ name }) => name === first)?.name;
  if (subcommand) operands.shift();
  const absent = subcommand || draft.print === true ? undefined : absentSubcommand(first);
  if (absent !== undefined) return { ok: false, error: absent };
  const stray = FLAGS.find(({ of, key }) => of && wasTyped(draft[key]) && !of.some((name) => name === subcommand));
  if (stray) return { ok: false, error: draft.print || subcommand ? misplaced(stray) : misplacedOrMeant(stray, first) };
  // Every key of the table is filled with the kind of value that the table names for it.
  const value = { ...draft, operands, ...(subcommand && { subcommand }) } as unknown as Arguments;
  return { ok: true, value };
}

const wasTyped = (value: Value): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;

const misplaced = ({ names, of = [] }: Flag): string => `${names[0]} goes only with: ${of.join(", ")}`;

/** A flag of a subcommand whose name is mistyped stands where it belongs. */
function misplacedOrMeant(flag: Flag, first: string): string {
  const meant = nearest(first, flag.of ?? []);
  return meant === undefined ? misplaced(flag) : unknownSubcommand(first);
}
