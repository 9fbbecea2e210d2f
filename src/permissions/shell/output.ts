/** What a simple command prints, where that follows from its words: `echo rm`, `base64 -d`, the paths that `find` names. */
import { readFind } from "./find.ts";
import type { Flow, ShellSurroundings, SimpleCommand, Word } from "./types.ts";
import { MAX_VALUE } from "./word.ts";

const FETCHERS =
  /^(?:curl|wget|aria2c|https?|xh|nc|ncat|netcat|ftp|sftp|scp|lynx|w3m|socat|telnet|ssh|openssl|dig|host|nslookup)$/;

export const isFetcher = (name: string): boolean => FETCHERS.test(name);

/** Filters that pass lines on as they are. */
const FILTERS = /^(?:cat|grep|egrep|fgrep|head|tail|sort|uniq|tac|shuf|tee)$/;
const PLAIN =
  /^(?:date|nproc|wc|id|whoami|uname|arch|hostname|tty|expr|seq|sha\d*sum|md5sum|cksum|stat|getconf|uuidgen)$/;
const PLAIN_GIT = /^(?:rev-parse|rev-list|describe|branch|merge-base|symbolic-ref|log|hash-object|write-tree)$/;

export const NOTHING: Flow = { kind: "text", text: "" };
const UNKNOWN: Flow = { kind: "unknown", remote: false };

export function outputOf(name: string, command: SimpleCommand, surroundings: ShellSurroundings): Flow {
  const { words, input } = command;
  const rest = words.slice(1);
  const operands = rest.filter((word) => !word.text.startsWith("-"));
  if (isFetcher(name)) return { kind: "unknown", remote: true };
  const text = textOf(name, command, surroundings);
  if (text !== undefined) return text.length > MAX_VALUE ? UNKNOWN : { kind: "text", text };
  if (name === "find") return pathsBelow(readFind(words).roots);
  if (listsPaths(name, rest)) return pathsBelow(name === "ls" || name === "git" ? [] : operands.slice(1));
  if (name === "mktemp") return { kind: "paths", roots: ["/tmp"] };
  if (PLAIN.test(name) || (name === "git" && PLAIN_GIT.test(operands[0]?.text ?? ""))) return { kind: "plain" };
  if (FILTERS.test(name) && readsInput(name, operands)) {
    if (input.kind === "text") return UNKNOWN;
    return input;
  }
  return { kind: "unknown", remote: input.kind === "unknown" && input.remote };
}

const readsInput = (name: string, operands: readonly Word[]): boolean =>
  operands.length === (/grep$/.test(name) ? 1 : 0) || /^(?:head|tail|tee)$/.test(name);

function listsPaths(name: string, rest: readonly Word[]): boolean {
  const has = (pattern: RegExp): boolean => rest.some((word) => pattern.test(word.text));
  switch (name) {
    case "ls":
      return !has(/^-[a-zA-Z]*l/);
    case "fd":
    case "fdfind":
      return true;
    case "rg":
      return has(/^(?:-[a-zA-Z]*l|--files(?:-with(?:out)?-match(?:es)?)?)$/);
    case "grep":
      return has(/^(?:-[a-zA-Z]*[lL]|--files-with(?:out)?-match(?:es)?)$/);
    case "git":
      return /^(?:ls-files|grep)$/.test(rest[0]?.text ?? "") || has(/^--name-only$/);
    default:
      return false;
  }
}

function pathsBelow(roots: readonly Word[]): Flow {
  if (!roots.every((root) => root.known)) return UNKNOWN;
  return { kind: "paths", roots: roots.length === 0 ? ["."] : roots.map((root) => root.shape) };
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
  const text = rest.slice(at).map((word) => word.text).join(" "); // biome-ignore format: one line
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

const unescapeText = (text: string): string =>
  text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|(0?[0-7]{1,3})|u([0-9a-fA-F]{1,4})|([ntrabfve\\]))/g,
    (_all, hex, octal, unit, letter) => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
      if (unit !== undefined) return String.fromCharCode(Number.parseInt(unit, 16));
      return ESCAPES[letter] ?? "";
    },
  );

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
  if (name === "rev" && flags === "") return text.split("\n").map((line) => [...line].reverse().join("")).join("\n"); // biome-ignore format: one line
  return undefined;
}
