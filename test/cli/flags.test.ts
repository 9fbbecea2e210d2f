/** The tables of flags and subcommands: nothing in them is only there to be read in the help. */
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArguments } from "../../src/cli/args.ts";
import { wrongCombination } from "../../src/cli/combinations.ts";
import { FLAGS } from "../../src/cli/flags/table.ts";
import { placesOf } from "../../src/cli/settings.ts";
import { SUBCOMMANDS } from "../../src/cli/subcommands.ts";
import { KNOWN_KEYS } from "../../src/config/index.ts";
import { EXIT, UserError } from "../../src/shared/index.ts";

const CLI = join(import.meta.dir, "../../src/cli");

/** All of cli but the tables themselves, without comments: what is said there is not done there. */
const code = readdirSync(CLI, { recursive: true, encoding: "utf8" })
  .filter(
    (name) => name.endsWith(".ts") && !name.startsWith("flags/") && name !== "subcommands.ts" && name !== "args.ts",
  )
  .map((name) => readFileSync(join(CLI, name), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, ""))
  .join("\n");

describe("every flag", () => {
  test("is heeded by some command", () => {
    const unheeded = FLAGS.filter(({ key }) => !new RegExp(`\\b${key}\\b`).test(code)).map(({ names }) => names[0]);
    expect(unheeded).toEqual([]);
  });

  test("has names and a place of its own", () => {
    const names = FLAGS.flatMap((flag) => flag.names);
    const keys = FLAGS.map(({ key }) => key);
    expect([names.length, keys.length]).toEqual([new Set(names).size, new Set(keys).size]);
  });

  test("of a subcommand is refused elsewhere, with the name of the subcommand", () => {
    const known = new Set<string>(SUBCOMMANDS.map(({ name }) => name));
    for (const { names, of, takes, oneOf } of FLAGS) {
      if (!of) continue;
      expect(of.filter((name) => !known.has(name))).toEqual([]);
      const [name] = names;
      const words = takes === "value" || takes === "list" ? [name, oneOf?.[0] ?? "x"] : [name];
      const elsewhere = parseArguments(["-p", "hello", ...words]);
      expect(elsewhere.ok ? "taken" : elsewhere.error).toContain(of[0] ?? "");
      const [home = ""] = of;
      expect(parseArguments([home, ...words]).ok).toBe(true);
    }
  });
});

test("every subcommand is run by main", () => {
  const main = readFileSync(join(CLI, "main.ts"), "utf8");
  const missing = SUBCOMMANDS.filter(({ name }) => name !== "help" && !main.includes(`case "${name}":`));
  expect(missing.map(({ name }) => name)).toEqual([]);
});

const ROOT = join(import.meta.dir, "../..");
const PAGES = ["README.md", "docs/GUIDE.md", "docs/HEADLESS.md", "docs/PERMISSIONS.md", "docs/TOOL_PROTOCOL.md"];

/** The words after `khaelor` in a page: in lines of code, and between backticks. Of what is quoted the words do not count. */
const typedIn = (page: string): readonly string[] =>
  [...page.matchAll(/^ {4,}(?:.*\| )?khaelor (.*)$|`khaelor ([^`]+)`/gm)].map(([, line, span]) =>
    (line ?? span ?? "").replace(/"[^"]*"|'[^']*'| #.*$/g, ""),
  );

test("the guide's table has every key of a config file", () => {
  const rows = readFileSync(join(ROOT, "docs/GUIDE.md"), "utf8").split("| key | value | a project may |")[1] ?? "";
  const [table = ""] = rows.split("\n\n");
  const told = [...table.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = ""]) => {
    const names = [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
    return names.map((name) => (name.startsWith(".") ? `${names[0]?.split(".")[0]}${name}` : name));
  });
  const keys = KNOWN_KEYS.filter((key) => !KNOWN_KEYS.some((other) => other.startsWith(`${key}.`)));
  expect(told.sort()).toEqual(keys.sort());
});

test("every command line of a page can be typed: its subcommand and its flags exist", () => {
  const names = new Set<string>(SUBCOMMANDS.map(({ name }) => name));
  const flags = new Set(FLAGS.flatMap((flag) => flag.names));
  const typed = PAGES.flatMap((path) => typedIn(readFileSync(join(ROOT, path), "utf8")));
  const strange = typed.flatMap((text) => {
    const [first = "", ...rest] = text.split(/[\s=[\]|,]+/).filter(Boolean);
    const isRun = first.startsWith("-") || first === first.toUpperCase();
    return [...(isRun || names.has(first) ? [] : [first]), ...[first, ...rest].filter((word) => isFlag(word, flags))];
  });
  expect([typed.length > 30, strange]).toEqual([true, []]);
});

const isFlag = (word: string, known: ReadonlySet<string>): boolean => /^--?[a-z]/.test(word) && !known.has(word);

/** What is said of a command line before anything runs; undefined when it can be heeded. */
function complaintOf(words: string): string | undefined {
  const parsed = parseArguments(words.split(" "));
  return parsed.ok ? wrongCombination(parsed.value) : parsed.error;
}

describe("a command line that cannot be heeded as it stands is refused", () => {
  const refused: Readonly<Record<string, string>> = {
    "-p x --worktree": "--worktree: this version",
    "-p x -w": "-w: this version",
    "-p x --mcp-config f": "--mcp-config: this version",
    "-p x --phase=plan": "--phase: this version",
    "-p x --theme dark": "--theme goes only with the terminal",
    "--theme blue": "--theme must be one of auto, light, dark",
    "-p x --no-alt-screen": "--no-alt-screen goes only with the terminal",
    "--no-mouse --output-format json x": "--no-mouse goes only with the terminal",
    "-p x --screen-reader": "--screen-reader goes only with the terminal",
    "doctor --bundle": "doctor: this version",
    "daemon start --json": "daemon: this version",
    "import claude": "import: this version",
    "-p x --yolo --permission-mode plan": "--yolo is --permission-mode bypass",
    "sessions list --dry-run": "--dry-run goes only with: sessions delete, sessions prune",
    "sessions show --yes": "--yes goes only with",
    "sessions --days 3": "--days goes only with: stats, sessions prune",
    "sessions prune --jsonl": "--jsonl goes only with: sessions export",
    "sessions list --output-format json": "--output-format goes only with a run",
    "stats --resume": "--resume goes only with a run",
    "log --no-session": "--no-session goes only with a run",
    "fork 01J8 -m some-model": "--model goes with the run in it",
    "fork 01J8 --permission-mode plan": "--permission-mode goes with the run in it",
    "fork 01J8 --add-dir /tmp": "--add-dir goes with the run in it",
    "permissions list --batch": "--batch goes only with: permissions test",
    "permissions trust --mode plan": "--mode goes only with",
    "permissions test --batch --mode plan": "--batch takes every question from stdin",
    "permissions test --batch ls": "--batch takes every question from stdin",
    "permissions test ls --op write": "--op goes only with --path",
    "permissions trust /some/folder": '"/some/folder" is one word too many',
    "config path x": '"x" is one word too many',
    "stats x": '"x" is one word too many',
    "logout x": '"x" is one word too many',
    "demo x": '"x" is one word too many',
    "fsck --all x": "--all or names",
  };
  for (const [words, complaint] of Object.entries(refused)) {
    test(words, () => expect(complaintOf(words)).toContain(complaint));
  }

  test("with a guess only where there is a near one", () => {
    const guesses: Readonly<Record<string, string | undefined>> = {
      "-p x -x": undefined,
      "-p x -M m": "-m",
      "-p x --bogus": undefined,
      "-p x --check": undefined,
      "-p x --modle m": "--model",
      "-p x -resume": "--resume",
      "log --folow": "--follow",
      "-p x --permission_mode ask": "--permission-mode",
    };
    for (const [words, guess] of Object.entries(guesses)) {
      expect([words, / did you mean (\S+)\?/.exec(complaintOf(words) ?? "")?.[1]]).toEqual([words, guess]);
      expect(complaintOf(words)).toContain("unknown flag");
    }
  });

  test("and what goes together is not", () => {
    const fine = [
      "resume --verbose -o x -f y --output-format json some words",
      "resume --input-format stream-json --output-format stream-json",
      "fork -n title --session-id 01J8ZQ0000SESS0000000000AA",
      "demo --resume",
      "sessions prune --days 3 --all --dry-run --json",
      "sessions delete A --yes",
      "permissions test --path x --op write --mode plan",
      "permissions test --batch",
      "-p doctor",
      "-p x --yolo --permission-mode bypass",
      "config list --model m --yolo",
      "stats --all --days 3 --json",
    ];
    expect(fine.filter((words) => complaintOf(words) !== undefined)).toEqual([]);
  });

  test("the verbs of a flag are verbs of its subcommands", () => {
    const named = FLAGS.flatMap(({ verbs = {}, of = [] }) =>
      Object.entries(verbs).flatMap(([name, some]) => some.map((verb) => ({ name, verb, isOf: of.includes(name) }))),
    );
    const known = ({ name, verb, isOf }: (typeof named)[number]) =>
      isOf && SUBCOMMANDS.find((one) => one.name === name)?.verbs?.includes(verb);
    expect(named.filter((one) => !known(one))).toEqual([]);
    expect(named.length).toBeGreaterThan(10);
  });
});

test("a folder that cannot be worked in is told, whatever is wrong with it", () => {
  const wrong: readonly (readonly [folder: string, complaint: string])[] = [
    ["/nonexistent", "there is no such folder"],
    [import.meta.path, "this is no folder"],
    [`${import.meta.path}/below`, "there is no such folder"],
    ["x".repeat(3000), "it cannot be entered (ENAMETOOLONG)"],
  ];
  for (const [cwd, complaint] of wrong) {
    const env = { HOME: "/nonexistent" };
    expect(() => placesOf({ cwd }, env)).toThrow(new UserError(`-C ${cwd}: ${complaint}.`, EXIT.usage));
  }
});
