/** Reading a command for other rooms: its simple commands, and whether its exit code is that of one of them. */
import type { Command, PipelineNode } from "unbash";
import { err, ok, type Result } from "../shared/index.ts";
import { isDangerousVariable } from "./assignments.ts";
import { parseShell } from "./shell/parse.ts";
import { runsOf } from "./shell/runs.ts";
import type { SimpleCommand, Word } from "./shell/types.ts";
import { readShell } from "./shell/walk.ts";

export interface SimpleCommandView {
  /** Canonical: quotes removed, known values put in. A word that cannot be resolved stands as its source text. */
  readonly words: readonly string[];
  /** False: at least one word can be anything. */
  readonly resolved: boolean;
  /** True: it only runs others, which are in the list as well (`timeout 60`, `sh -c`). */
  readonly wrapper: boolean;
}

const NOWHERE = { cwd: "/", home: "~", projectRoot: "/" };

/** Every simple command of the text in order; the error says why the text cannot be parsed. */
export function simpleCommands(text: string): Result<readonly SimpleCommandView[], string> {
  const reading = readShell(text, NOWHERE);
  const [error] = reading.errors;
  if (error !== undefined) return err(error);
  const real = reading.commands.filter((command) => command.role !== "guess" && command.words.length > 0);
  return ok(real.map(viewOf));
}

const viewOf = (command: SimpleCommand): SimpleCommandView => ({
  words: command.words.map((word) => word.text),
  resolved: command.words.every((word) => word.known) && command.problems.length === 0,
  wrapper: command.role === "wrapper",
});

/** Commands in front of the last that could change what it means or what its exit code says. */
const MEDDLES =
  /^(?:trap|eval|source|\.|alias|exec|exit|return|enable|hash|set|shopt|export|declare|typeset|readonly|local|unset|function|builtin|command|if|coproc|kill|env)$/;
/** Not setsid, which may not wait for what it starts. */
const STRIPPED = /^(?:env|time|timeout|gtimeout|nice|ionice|nohup|stdbuf|unbuffer|caffeinate|command)$/;

/**
 * The words of the last simple command when the text is one simple command, or a chain joined only by `&&`, so that the text
 * succeeds exactly when that command does. Assignments in front and transparent wrappers are taken off. Undefined when the exit
 * code may be masked (pipes, `||`, `;`, `&`, `!`, groups), a word cannot be resolved, or the text does not parse. Never throws.
 */
export function lastOfAndChain(command: string): readonly string[] | undefined {
  const { script, errors } = parseShell(command);
  const [statement] = script?.commands ?? [];
  if (errors.length > 0 || script?.commands.length !== 1 || statement === undefined || statement.background === true)
    return undefined;
  const node = statement.command;
  const chain = node.type === "AndOr" ? node.commands : [node];
  if (node.type === "AndOr" && node.operators.some((operator) => operator !== "&&")) return undefined;
  const commands = chain.map(plainCommand);
  if (commands.some((entry) => entry === undefined)) return undefined;
  if (commands.slice(0, -1).some(mayMeddle)) return undefined;
  const read = readShell(command, NOWHERE).commands.findLast((entry) => isPlainEntry(entry));
  return read === undefined ? undefined : stripped(read);
}

/** Where that last command runs when the text starts in `cwd`; undefined when it cannot be told. Asked after `lastOfAndChain`. */
export function folderOfLast(command: string, cwd: string): string | undefined {
  const { commands } = readShell(command, { ...NOWHERE, cwd });
  const folders = commands.findLast((entry) => isPlainEntry(entry))?.cwds ?? [];
  return folders.length === 1 ? folders[0] : undefined;
}

/** It stands in the text itself; what it runs in turn, and what is only guessed, does not count. */
const isPlainEntry = (entry: SimpleCommand): boolean =>
  entry.depth === 0 && entry.role !== "guess" && entry.words.length > 0;

/** A simple command, bare or behind `time`. */
function plainCommand(node: PipelineNode): Command | undefined {
  if (node.type === "Command") return node;
  if (node.type !== "Pipeline" || node.commands.length !== 1) return undefined;
  const [only] = node.commands;
  const isTimed = node.prefixes.every((prefix) => prefix.type === "Time");
  return isTimed && only?.type === "Command" ? only : undefined;
}

const mayMeddle = (command: Command | undefined): boolean =>
  command === undefined ||
  command.name?.parts !== undefined ||
  MEDDLES.test(command.name?.value.replaceAll("\\", "") ?? "") ||
  command.prefix.some((part) => part.type === "Assignment" && isDangerousVariable(part.name));

/** `timeout --preserve-status`: what was stopped may call itself well. */
const masksItsEnd = (name: string, options: readonly Word[]): boolean =>
  name.endsWith("timeout") && options.some(({ text }) => /^-(?:-p|[a-z]*p)/.test(text));

function stripped(command: SimpleCommand): readonly string[] | undefined {
  let words: readonly Word[] = command.words;
  let assignments = command.assignments;
  for (let depth = 0; depth < 8; depth++) {
    if (assignments.some(({ name }) => isDangerousVariable(name))) return undefined;
    const name = words[0]?.text ?? "";
    const runs = STRIPPED.test(name) ? runsOf(name, words, { kind: "file" }) : undefined;
    const inner = runs?.inners[0];
    if (inner?.kind !== "words") break;
    if (inner.cwd !== undefined || masksItsEnd(name, words.slice(1, -inner.words.length))) return undefined;
    words = inner.words;
    assignments = inner.assignments ?? [];
  }
  const isResolved = words.length > 0 && words.every((word) => word.known && word.flow === undefined);
  return isResolved && command.problems.length === 0 ? words.map((word) => word.text) : undefined;
}
