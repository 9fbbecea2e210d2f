/** What a simple command prints, where that follows from its words: `echo rm`, `base64 -d`, the paths that `find` names. */
import { readFind } from "./find.ts";
import type { Flow, ShellSurroundings, SimpleCommand, Word } from "./types.ts";
import { MAX_VALUE, wordOf } from "./word.ts";

const FETCHERS =
  /^(?:curl|wget|aria2c|https?|xh|nc|ncat|netcat|ftp|sftp|scp|lynx|w3m|socat|telnet|ssh|openssl|dig|host|nslookup)$/;

export const isFetcher = (name: string): boolean => FETCHERS.test(name);

/** Filters that pass lines on as they are. */
const FILTERS = /^(?:cat|grep|egrep|fgrep|head|tail|sort|uniq|tac|shuf|tee)$/;
export const NOTHING: Flow = { kind: "text", text: "" };
const UNKNOWN: Flow = { kind: "unknown", remote: false };

export function outputOf(name: string, command: SimpleCommand, surroundings: ShellSurroundings): Flow {
  const { words, input } = command;
  const rest = words.slice(1);
  if (isFetcher(name)) return { kind: "unknown", remote: true };
  const text = textOf(name, command, surroundings);
  if (text !== undefined) return text.length > MAX_VALUE ? UNKNOWN : { kind: "text", text };
  const known = listedPaths(name, words) ?? (printsPlain(name, rest) ? { kind: "plain" } : undefined);
  if (known !== undefined) return known;
  const operands = rest.filter((word) => !word.text.startsWith("-"));
  if (FILTERS.test(name) && readsInput(name, operands)) return input.kind === "text" ? UNKNOWN : input;
  return { kind: "unknown", remote: input.kind === "unknown" && input.remote };
}

const readsInput = (name: string, operands: readonly Word[]): boolean =>
  operands.length === (/grep$/.test(name) ? 1 : 0) || /^(?:head|tail|tee)$/.test(name);

/** A number, a hash or a plain name: nothing that could be an option, a path or a command. */
function printsPlain(name: string, rest: readonly Word[]): boolean {
  const texts = rest.map((word) => word.text);
  const isAll = (pattern: RegExp): boolean => texts.every((text) => pattern.test(text));
  switch (name) {
    case "nproc":
    case "whoami":
    case "arch":
    case "uuidgen":
      return texts.length === 0;
    case "uname":
      return isAll(/^-[smrnp]$/);
    case "id":
      return isAll(/^-[ugGn]+$/) && texts.length > 0;
    case "wc":
      return isAll(/^-[lwcm]+$/);
    case "seq":
      return isAll(/^\d+$/);
    case "date":
      return isAll(/^(?:-u|[+](?:%[A-Za-z]|[\w:-])+)$/) && texts.length > 0;
    case "git":
      return printsPlainGit(texts);
    default:
      return false;
  }
}

function printsPlainGit([subcommand = "", ...rest]: readonly string[]): boolean {
  switch (subcommand) {
    case "rev-parse":
      return !rest.some((text) => /^--(?:show|git|absolute|sq|resolve|local|shared|path|glob|parseopt)/.test(text));
    case "rev-list":
      return rest.includes("--count");
    case "branch":
      return rest.length === 1 && rest[0] === "--show-current";
    case "describe":
    case "merge-base":
    case "write-tree":
      return true;
    default:
      return false;
  }
}

/** The names that a listing program prints; undefined when it prints other things as well. */
function listedPaths(name: string, words: readonly Word[]): Flow | undefined {
  const rest = words.slice(1);
  const has = (pattern: RegExp): boolean => rest.some((word) => pattern.test(word.text));
  const operands = rest.filter((word) => !word.text.startsWith("-"));
  const behindPattern = has(/^(?:-[ef]|--files|--regexp|--file)/) ? operands : operands.slice(1);
  switch (name) {
    case "find":
      return pathsBelow(readFind(words).roots);
    case "mktemp":
      return { kind: "paths", roots: ["/tmp"] };
    case "ls":
      return has(/^-[a-zA-Z]*[lgno]/) ? undefined : pathsBelow([wordOf("."), ...operands.map(folderOf)]);
    case "fd":
    case "fdfind":
      return pathsBelow(operands.slice(1));
    case "rg":
      return has(/^(?:-[a-zA-Z]*l|--files.*)$/) ? pathsBelow(behindPattern) : undefined;
    case "grep":
      return has(/^(?:-[a-zA-Z]*[lL]|--files-with.*)$/) ? pathsBelow(behindPattern) : undefined;
    case "git":
      return /^ls-files$/.test(rest[0]?.text ?? "") || has(/^--name-only$/) ? pathsBelow([]) : undefined;
    default:
      return undefined;
  }
}

/** `ls` prints a file's name as it was given: it lies in that folder. */
function folderOf(word: Word): Word {
  const cut = word.shape.lastIndexOf("/");
  if (cut < 0) return wordOf(".");
  const folder = word.shape.slice(0, cut) || "/";
  return { ...word, text: folder, shape: folder };
}

function pathsBelow(roots: readonly Word[]): Flow {
  if (!roots.every((root) => root.known)) return UNKNOWN;
  return { kind: "paths", roots: roots.length === 0 ? ["."] : [...new Set(roots.map((root) => root.shape))] };
}

/** The exact text printed; undefined where it is not followed. */
function textOf(name: string, command: SimpleCommand, surroundings: ShellSurroundings): string | undefined {
  const { words, input, cwds } = command;
  const rest = words.slice(1);
  const [cwd] = cwds;
  switch (name) {
    case "pwd":
      return cwds.length === 1 ? `${cwd}\n` : undefined;
    case "true":
    case "false":
    case ":":
    case "cd":
      return "";
    case "git": {
      const isInside = cwd === surroundings.projectRoot || cwd?.startsWith(`${surroundings.projectRoot}/`) === true;
      const asksRoot = rest.length === 2 && rest[0]?.text === "rev-parse" && rest[1]?.text === "--show-toplevel";
      return asksRoot && isInside && cwds.length === 1 ? `${surroundings.projectRoot}\n` : undefined;
    }
    case "basename":
    case "dirname":
      return rest.length === 1 ? partOfPath(name, rest[0]) : undefined;
    case "echo":
      return echoed(rest);
    case "printf":
      return formatted(rest);
    default:
      return input.kind === "text" ? filtered(name, rest, input.text) : undefined;
  }
}

function partOfPath(name: string, word: Word | undefined): string | undefined {
  if (word === undefined || !isExactText(word)) return undefined;
  const path = word.text.replace(/(.)\/+$/, "$1");
  const cut = path.lastIndexOf("/");
  if (name === "basename") return `${path.slice(cut + 1)}\n`;
  return cut < 0 ? ".\n" : `${path.slice(0, Math.max(1, cut))}\n`;
}

const isExactText = (word: Word): boolean => word.known && !word.pattern && word.text === word.shape;

function echoed(rest: readonly Word[]): string | undefined {
  if (!rest.every(isExactText)) return undefined;
  let at = 0;
  let escapes = false;
  let newline = "\n";
  for (; /^-[neE]+$/.test(rest[at]?.text ?? ""); at++) {
    if (rest[at]?.text.includes("e") === true) escapes = true;
    if (rest[at]?.text.includes("n") === true) newline = "";
  }
  const text = rest
    .slice(at)
    .map((word) => word.text)
    .join(" ");
  return (escapes ? unescapeText(text) : text) + newline;
}

/** `printf` with `%s`, `%b` and `%%`; anything else is not followed. */
function formatted(rest: readonly Word[]): string | undefined {
  if (!rest.every(isExactText)) return undefined;
  const words = rest[0]?.text === "--" ? rest.slice(1) : rest;
  const [format, ...values] = words.map((word) => word.text);
  if (format === undefined || format.startsWith("-") || /%(?![sb%])/.test(format)) return undefined;
  const slots = format.match(/%[sb]/g)?.length ?? 0;
  const rounds = slots === 0 ? 1 : Math.max(1, Math.ceil(values.length / slots));
  if (rounds > 256) return undefined;
  let at = 0;
  let text = "";
  for (let round = 0; round < rounds; round++) {
    text += unescapeText(format).replace(/%([sb%])/g, (_match, kind: string) => {
      if (kind === "%") return "%";
      const value = values[at++] ?? "";
      return kind === "b" ? unescapeText(value) : value;
    });
  }
  return text;
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
  e: "\x1b",
  "\\": "\\",
};

function unescapeText(text: string): string {
  return text.replace(/\\(?:x[0-9a-fA-F]{1,2}|0?[0-7]{1,3}|u[0-9a-fA-F]{1,4}|[ntrabfve\\])/g, (escaped) => {
    const letter = escaped[1] ?? "";
    if (letter === "x" || letter === "u") return String.fromCharCode(Number.parseInt(escaped.slice(2), 16));
    if (/[0-7]/.test(letter)) return String.fromCharCode(Number.parseInt(escaped.slice(1), 8) & 0xff);
    return ESCAPES[letter] ?? "";
  });
}

/** Programs that change known input in a known way. */
function filtered(name: string, rest: readonly Word[], text: string): string | undefined {
  const flags = rest.map((word) => word.text).join(" ");
  if (name === "cat" && /^-?$/.test(flags)) return text;
  if (name === "tee" && !/^-/.test(flags)) return text;
  if (/^(?:g?base64)$/.test(name) && /^(?:-d|-D|--decode|-di|-id|-d -i)$/.test(flags)) {
    return Buffer.from(text, "base64").toString("utf8");
  }
  if (name === "xxd" && /^(?:-r -p|-p -r|-rp|-pr)$/.test(flags))
    return Buffer.from(text.replace(/\s+/g, ""), "hex").toString("utf8");
  if (name === "rev" && flags === "")
    return text
      .split("\n")
      .map((line) => [...line].reverse().join(""))
      .join("\n");
  return undefined;
}
