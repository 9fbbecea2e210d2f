/** `khaelor permissions test|list|suggest|trust`: what would be allowed and why, which rules are in force, which would help. */

import { resolve } from "node:path";
import { trustProject } from "../../config/index.ts";
import { projectHash } from "../../session/index.ts";
import {
  EXIT,
  type ExitCode,
  errorMessage,
  nearest,
  type PermissionRule,
  UserError,
  type Verdict,
  withCause,
} from "../../shared/index.ts";
import type { Arguments } from "../args.ts";
import { configurationFor } from "../configuration.ts";
import { logChoice } from "../log-choice.ts";
import type { Output } from "../output.ts";
import { type Asker, asQuestion, asRules, createAsker, type Question } from "../permission-question.ts";
import { suggestedRules } from "../permission-suggestions.ts";
import { projectRootOf } from "../project-root.ts";
import { flagLayer, type Places, placesOf, ruleText } from "../settings.ts";
import { openStore } from "../state.ts";
import { inputLines } from "../stream/input-lines.ts";
import { PERMISSION_VERBS } from "../subcommands.ts";
import { textFile } from "../text-file.ts";
import { plainWord, shellWord } from "../words.ts";

export async function permissions(typed: Arguments, output: Output): Promise<ExitCode> {
  const [verb = "list", ...words] = typed.operands;
  switch (PERMISSION_VERBS.find((known) => known === verb)) {
    case "test":
      return typed.batch ? batch(typed, output) : test(typed, words, output);
    case "list":
      return list(typed, output);
    case "suggest":
      return suggest(typed, output);
    case "trust":
      return trust(typed, output);
    default: {
      const guess = nearest(verb, PERMISSION_VERBS);
      throw new UserError(`unknown: permissions ${verb}${guess ? `; did you mean ${guess}?` : ""}`, EXIT.usage);
    }
  }
}

/** A folder that is judged need not exist. */
const surroundings = (typed: Arguments) => ({
  places: placesOf({ ...typed, cwd: undefined }, process.env),
  env: process.env,
  flags: flagLayer(typed),
});

async function test(typed: Arguments, words: readonly string[], output: Output): Promise<ExitCode> {
  const question = questionOf(typed, words.join(" "));
  const verdict = await createAsker(surroundings(typed)).answer(question);
  if (typed.json) output.out(`${JSON.stringify(reply(verdict))}\n`);
  else output.show(explained(verdict));
  return EXIT.done;
}

function questionOf({ path, op, cwd, home, mode, rules }: Arguments, command: string): Question {
  if (path === undefined && command === "") {
    throw new UserError("What is to be judged? khaelor permissions test 'COMMAND', or --path PATH.", EXIT.usage);
  }
  if (path !== undefined && command !== "") throw new UserError("Give a command or --path, not both.", EXIT.usage);
  return {
    ...(path === undefined ? { command } : { path }),
    ...(op !== undefined && { op }),
    ...(cwd !== undefined && { cwd }),
    ...(home !== undefined && { home }),
    ...(mode !== undefined && { mode }),
    ...(rules !== undefined && { rules: rulesIn(rules) }),
  };
}

function rulesIn(file: string): readonly PermissionRule[] {
  const shown = `--rules ${file}`;
  const text = textFile(resolve(file), shown);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw withCause(new UserError(`${shown}: this is not JSON: ${errorMessage(cause)}`, EXIT.usage), cause);
  }
  return asRules(value, shown);
}

/** One JSON line of the contract. */
const reply = ({ action, tier, capability, because, descriptor, suggestion, parts }: Verdict) => ({
  verdict: action,
  tier,
  capability,
  because,
  descriptor,
  ...(suggestion && { suggestion }),
  parts: parts.map(({ action: verdict, ...part }) => ({ verdict, ...part })),
});

function explained(verdict: Verdict): string {
  const { action, descriptor, because, tier, parts, suggestion } = verdict;
  const rows = parts.map(
    (part) => `  ${part.action.padEnd(5)}  ${part.text}  (${part.capability}, ${part.tier}: ${part.because})\n`,
  );
  const help = suggestion ? [`To allow it: --allow ${shellWord(ruleText(suggestion))}\n`] : [];
  return [
    `${action}: ${descriptor}\n`,
    `  because ${because} (${tier})\n`,
    ...(parts.length > 1 ? rows : []),
    ...help,
  ].join("");
}

const MAX_LINE_BYTES = 1024 * 1024;

/** A line that is no question is answered too, and the end is 2: no answer is lost, and no mistake passes for one. */
async function batch(typed: Arguments, output: Output): Promise<ExitCode> {
  const asker = createAsker(surroundings(typed));
  let exitCode: ExitCode = EXIT.done;
  for await (const { number: line, ...read } of inputLines(ended(Bun.stdin.stream()), MAX_LINE_BYTES)) {
    if (output.closed()) break;
    if ("text" in read && read.text.trim() === "") continue;
    const answer = "text" in read ? await answerTo(asker, read.text) : { error: read.problem };
    if ("error" in answer) {
      exitCode = EXIT.usage;
      output.err(`khaelor: line ${line}: ${answer.error}\n`);
    }
    output.out(`${onOneLine(JSON.stringify("error" in answer ? { line, ...answer } : answer))}\n`);
  }
  return exitCode;
}

/** For readers that end a line at any of Unicode's line ends, which JSON lets stand as they are. */
const onOneLine = (json: string): string =>
  json.replace(/[\u0085\u2028\u2029]/g, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** A last line without its newline is a question too: nothing else could have been meant. */
async function* ended(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* input;
  yield Uint8Array.of(0x0a);
}

async function answerTo(asker: Asker, text: string) {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { error: `not JSON: ${errorMessage(error)}` };
  }
  const question = asQuestion(value);
  if (typeof question === "string") return { ...idOf(value), error: question };
  return { ...idOf(value), ...reply(await asker.answer(question)) };
}

const idOf = (value: unknown): { readonly id?: unknown } =>
  typeof value === "object" && value !== null && "id" in value ? { id: value.id } : {};

const rootOf = ({ cwd }: Places): Promise<string> => projectRootOf(cwd, process.env);

async function list(typed: Arguments, output: Output): Promise<ExitCode> {
  const places = placesOf(typed, process.env);
  const root = await rootOf(places);
  const { config, notices } = await configurationFor({ places, env: process.env, flags: flagLayer(typed) }, root);
  const { permissionMode: mode, permissions: rules } = config;
  for (const notice of notices) output.err(`khaelor: ${notice}\n`);
  if (typed.json) {
    output.out(`${JSON.stringify({ project: root, mode, rules })}\n`);
    return EXIT.done;
  }
  const rows = rules.map(
    (rule) => `  ${rule.action.padEnd(5)}  ${rule.capability}  ${plainWord(rule.pattern)}  (${rule.source})\n`,
  );
  const none = "  no rules: reading in the project and known read-only commands run, everything else asks\n";
  output.show(
    [
      `project: ${root}\n`,
      `mode: ${mode}\n`,
      "rules, the last that matches wins:\n",
      ...(rows.length > 0 ? rows : [none]),
    ].join(""),
  );
  return EXIT.done;
}

async function suggest(typed: Arguments, output: Output): Promise<ExitCode> {
  const places = placesOf(typed, process.env);
  const { store } = openStore(places, logChoice(typed));
  const suggestions = await suggestedRules(store, projectHash(await rootOf(places)));
  if (typed.json) {
    for (const suggestion of suggestions) output.out(`${JSON.stringify(suggestion)}\n`);
  } else if (suggestions.length === 0) {
    output.err("Nothing was asked in this project's sessions that a rule could answer.\n");
  } else {
    const rows = suggestions.map(
      ({ asked, allowed, refused, ...rule }) =>
        `  --allow ${shellWord(ruleText(rule))}  asked ${asked}, allowed ${allowed}, refused ${refused}\n`,
    );
    output.show(["What was asked most, as rules:\n", ...rows].join(""));
  }
  return EXIT.done;
}

async function trust(typed: Arguments, output: Output): Promise<ExitCode> {
  const places = placesOf(typed, process.env);
  const projectRoot = await rootOf(places);
  const done = await trustProject({ home: places.home, projectRoot });
  if (!done.ok) throw new UserError(done.error, EXIT.usage);
  output.show(`The allow rules of ${projectRoot}/.khaelor/config.json count from now on.\n`);
  return EXIT.done;
}
