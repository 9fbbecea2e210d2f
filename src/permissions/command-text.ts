/** A simple command as the text that rules are matched against: strictly for allowing, widely for denying. */
import { matchesCommand, matchesWildcard } from "./pattern.ts";
import { readGit } from "./shell/git-runs.ts";
import type { Word } from "./shell/types.ts";
import { baseName } from "./shell/word.ts";

const SAFE = /^[\w@%+=:,./^~-]+$/;

/** The word as one would type it, so that no two different commands have the same text. */
function typed(word: Word): string {
  if (!word.known || word.text !== word.shape || word.pattern) return word.text;
  return SAFE.test(word.text) ? word.text : `'${word.text.replaceAll("'", "'\\''")}'`;
}

const SYSTEM_PROGRAM = /^(?:\/usr)?\/s?bin\/([^/]+)$/;

/** For allow rules. A program in the system's own folders goes by its name; any other keeps its path. */
export function strictText(words: readonly Word[], prefix = ""): string {
  const [program, ...rest] = words;
  if (program === undefined) return prefix.trim();
  const name = SYSTEM_PROGRAM.exec(program.text)?.[1];
  return prefix + [name ?? typed(program), ...rest.map(typed)].join(" ");
}

/** How a deny or ask rule sees a command: with and without quotes, by its program's name, git without its global options. */
export interface WideText {
  readonly texts: readonly string[];
  readonly program: string;
  readonly flags: readonly string[];
  readonly plain: readonly string[];
}

export function wideText(words: readonly Word[], strict: string): WideText {
  const [program, ...rest] = words;
  if (program === undefined) return { texts: [strict], program: "", flags: [], plain: [] };
  const name = baseName(program.text);
  const bare = [name, ...rest.map((word) => word.text)].join(" ");
  const texts = [strict, bare, [name, ...rest.map(typed)].join(" ")];
  let behind = rest;
  if (name === "git") {
    const line = readGit(words);
    behind = line.subcommand === undefined ? [] : [line.subcommand, ...line.rest];
    texts.push([name, ...behind.map((word) => word.text)].join(" "));
  }
  const { flags, plain } = sorted([name, ...behind.map((word) => word.text)]);
  return { texts: [...new Set(texts)], program: name, flags, plain };
}

/** Long names and other letters for the same flag, where a rule must catch every spelling. */
const SAME_FLAG: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  rm: { "--recursive": "-r", "-R": "-r", "--force": "-f", "--dir": "-d", "--verbose": "-v" },
  cp: { "--recursive": "-r", "-R": "-r", "--archive": "-a", "--force": "-f" },
  mv: { "--force": "-f" },
  ln: { "--symbolic": "-s", "--force": "-f" },
  chmod: { "--recursive": "-R" },
  chown: { "--recursive": "-R" },
  git: { "--force": "-f", "--delete": "-d" },
  sed: { "--in-place": "-i" },
  sort: { "--output": "-o" },
  curl: { "--output": "-o", "--upload-file": "-T" },
};

function sorted(words: readonly string[]): { readonly flags: readonly string[]; readonly plain: readonly string[] } {
  const [program = ""] = words;
  const same = Object.hasOwn(SAME_FLAG, program) ? SAME_FLAG[program] : undefined;
  const flags: string[] = [];
  const plain: string[] = [];
  for (const word of words) {
    const parts = /^-[A-Za-z]{2,}$/.test(word) ? [...word.slice(1)].map((letter) => `-${letter}`) : [word];
    if (/^-./.test(word)) flags.push(...parts.map((part) => same?.[part] ?? part));
    else plain.push(word);
  }
  return { flags, plain };
}

export function matchesWide(pattern: string, wide: WideText): boolean {
  return wide.texts.some((text) => matchesCommand(pattern, text)) || matchesSorted(pattern, wide);
}

/** The pattern's flags in any order and grouping, its other words in their order. */
function matchesSorted(pattern: string, wide: WideText): boolean {
  const words = pattern.split(" ").filter((word) => word !== "");
  const isOpen = words.length > 1 && words.at(-1) === "*";
  const wanted = sorted(isOpen ? words.slice(0, -1) : words);
  if (wanted.plain.length === 0 || wanted.plain[0]?.includes("*") === true) return false;
  const hasFlags = wanted.flags.every((flag) => wide.flags.some((given) => matchesWildcard(flag, given)));
  const hasWords = wanted.plain.every((word, index) => matchesWildcard(word, wide.plain[index] ?? "\0"));
  const hasMore = wide.plain.length > wanted.plain.length || wide.flags.length > wanted.flags.length;
  return hasFlags && hasWords && (isOpen || !hasMore);
}
