/**
 * What was typed, as data. Pure, and without dependencies, for it runs before anything else. One table gives the parser and
 * `--help`; whatever is not in it is refused with the nearest name.
 */
import { nearest } from "./nearest.ts";

export type Subcommand = "demo" | "sessions" | "fsck" | "help";
export type OutputFormat = "text" | "json" | "stream-json";

export interface Arguments {
  readonly subcommand?: Subcommand;
  /** What is not a flag: a prompt, or a subcommand's operands. */
  readonly operands: readonly string[];
  readonly print: boolean;
  readonly help: boolean;
  readonly version: boolean;
  readonly debug: boolean;
  readonly json: boolean;
  readonly all: boolean;
  readonly continueLast: boolean;
  /** Present for `--resume`; empty when no id was given. */
  readonly resume?: string;
  readonly yolo: boolean;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly outputFormat: OutputFormat;
  readonly model?: string;
  readonly auxModel?: string;
  readonly effort?: string;
  readonly permissionMode?: string;
  readonly cwd?: string;
}

interface Flag {
  readonly names: readonly string[];
  readonly key: keyof Arguments;
  /** `switch` takes nothing; `id` takes a session id when one follows; `list` may be repeated. */
  readonly takes: "switch" | "value" | "id" | "list";
  readonly value?: string;
  readonly oneOf?: readonly string[];
  readonly about: string;
}

export const SUBCOMMANDS: readonly { readonly name: Subcommand; readonly usage: string; readonly about: string }[] = [
  {
    name: "demo",
    usage: "demo [--resume [ID]]",
    about: "fix a failing test with the embedded, scripted model; needs no key",
  },
  {
    name: "sessions",
    usage: "sessions [list|show [ID]]",
    about: "list the sessions of this project (--all: of all), or show one; with --json for programs",
  },
  {
    name: "fsck",
    usage: "fsck ID|FILE.jsonl|--all",
    about: "check logs and rebuild every request; with --json for programs",
  },
  { name: "help", usage: "help", about: "this text" },
];

export const FLAGS: readonly Flag[] = [
  { names: ["-p", "--print"], key: "print", takes: "switch", about: "work without a screen and print the answer" },
  {
    names: ["--output-format"],
    key: "outputFormat",
    takes: "value",
    value: "FORMAT",
    oneOf: ["text", "json", "stream-json"],
    about: "text (default), json (one result), stream-json (every event, then the result)",
  },
  {
    names: ["-c", "--continue"],
    key: "continueLast",
    takes: "switch",
    about: "go on with this project's newest session",
  },
  {
    names: ["-r", "--resume"],
    key: "resume",
    takes: "id",
    value: "[ID]",
    about: "go on with a session; without an id the newest",
  },
  { names: ["-m", "--model"], key: "model", takes: "value", value: "ID", about: "the model to use" },
  { names: ["--aux-model"], key: "auxModel", takes: "value", value: "ID", about: "the model for auxiliary work" },
  { names: ["--effort"], key: "effort", takes: "value", value: "LEVEL", about: "how hard the model thinks" },
  {
    names: ["--permission-mode"],
    key: "permissionMode",
    takes: "value",
    value: "MODE",
    oneOf: ["ask", "accept-edits", "plan", "bypass"],
    about: "ask (default), accept-edits, plan (read only), bypass",
  },
  {
    names: ["--yolo", "--dangerously-skip-permissions"],
    key: "yolo",
    takes: "switch",
    about: "ask for nothing; the hard floor and deny rules stay",
  },
  {
    names: ["--allow", "--allowedTools"],
    key: "allow",
    takes: "list",
    value: "RULE",
    about: "allow commands as in 'npm test *', or more as in 'file.write.project:src/*'; repeatable",
  },
  {
    names: ["--deny", "--disallowedTools"],
    key: "deny",
    takes: "list",
    value: "RULE",
    about: "deny likewise; a deny always wins",
  },
  { names: ["-C", "--cwd"], key: "cwd", takes: "value", value: "FOLDER", about: "work in this folder" },
  { names: ["--json"], key: "json", takes: "switch", about: "machine-readable output of a subcommand" },
  { names: ["--all"], key: "all", takes: "switch", about: "of all projects" },
  { names: ["--debug"], key: "debug", takes: "switch", about: "write more to the developer log" },
  { names: ["-h", "--help"], key: "help", takes: "switch", about: "this text" },
  { names: ["-v", "--version"], key: "version", takes: "switch", about: "the version" },
];

export type Parsed = { readonly ok: true; readonly value: Arguments } | { readonly ok: false; readonly error: string };

/** A ULID or the beginning of one: what `--resume` takes as its value without `=`. Its first digit keeps words apart. */
const SESSION_ID = /^[0-7][0-9A-HJKMNP-TV-Z]{3,25}$/i;

type Draft = Record<string, string | boolean | string[] | undefined>;

export function parseArguments(argv: readonly string[]): Parsed {
  const draft: Draft = { allow: [], deny: [], outputFormat: "text" };
  const operands: string[] = [];
  const rest = [...argv];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--") {
      operands.push(...rest.splice(0));
    } else if (word.startsWith("-") && word !== "-") {
      const problem = takeFlag(word, rest, draft);
      if (problem) return { ok: false, error: problem };
    } else {
      operands.push(word);
    }
  }
  return finish(draft, operands);
}

function takeFlag(word: string, rest: string[], draft: Draft): string | undefined {
  const [name = word, inline] = splitInline(word);
  const flag = FLAGS.find(({ names }) => names.includes(name));
  if (!flag) return unknownFlag(name);
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

function unknownFlag(name: string): string {
  const guess = nearest(
    name,
    FLAGS.flatMap(({ names }) => names),
  );
  return `unknown flag ${name}${guess ? `; did you mean ${guess}?` : ""}`;
}

function finish(draft: Draft, operands: string[]): Parsed {
  const [first] = operands;
  const subcommand = draft.print === true ? undefined : SUBCOMMANDS.find(({ name }) => name === first)?.name;
  if (subcommand) operands.shift();
  const switches = Object.fromEntries(
    FLAGS.filter((f) => f.takes === "switch").map((f) => [f.key, draft[f.key] === true]),
  );
  // Every key of the table is filled with the kind of value that the table names for it.
  const value = { ...draft, ...switches, operands, ...(subcommand && { subcommand }) } as unknown as Arguments;
  return { ok: true, value };
}
