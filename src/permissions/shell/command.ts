/** One simple command of the tree: its assignments, words and redirections, in the order in which bash expands them. */
import type { Command } from "unbash";
import { argumentWords, assignFrom, forgetNamed } from "./assign.ts";
import { dispatch } from "./dispatch.ts";
import { type Expander, expandWord } from "./expand.ts";
import { NOTHING } from "./output.ts";
import { readRedirections } from "./redirections.ts";
import { copyScope, type Scope } from "./scope.ts";
import type { Flow, SimpleCommand } from "./types.ts";
import { type Frame, MAX_WORDS, mayGoOn, type Walk } from "./walk-types.ts";
import type { Value } from "./word.ts";

export function runCommand(node: Command, frame: Frame, walk: Walk): Flow {
  walk.visited.add(node);
  frame.scope.arrived = undefined;
  if (!mayGoOn(walk) || hasTooManyWords(node, walk)) return { kind: "unknown", remote: false };
  const problems: string[] = [];
  const expander = expanderFor(frame, walk, problems);
  const words = node.name === undefined ? [] : [...expandWord(node.name, expander)];
  const program = words[0]?.text ?? "";
  for (const part of node.args) words.push(...argumentWords(part, expander));
  forgetNamed(program, node.args, expander);
  const { redirections, input } = readRedirections(node.redirects, expander, frame.input);
  // The words do not see the assignments in front of them: those come last.
  const before = remembered(node, frame.scope);
  const assignments = node.prefix.flatMap((part) => (part.type === "Assignment" ? [assignFrom(part, expander)] : []));
  const command: SimpleCommand = { ...bare(frame, problems), words, assignments, redirections, input };
  if (words.length === 0) {
    if (assignments.length + redirections.length + problems.length > 0) walk.commands.push(command);
    return NOTHING;
  }
  const flow = dispatch(command, { frame: { ...frame, input }, walk, from: "shell" });
  restore(before, frame.scope);
  return flow;
}

function hasTooManyWords(node: Command, walk: Walk): boolean {
  if (node.args.length <= MAX_WORDS) return false;
  walk.errors.push("a command has too many words to judge");
  return true;
}

/** A command without words: what stands alone as redirections or as a problem. */
export const bare = (frame: Frame, problems: readonly string[]): SimpleCommand => ({
  words: [],
  assignments: [],
  redirections: [],
  cwds: frame.scope.cwds,
  input: NOTHING,
  role: frame.guess ? "guess" : "run",
  depth: frame.depth,
  byOption: frame.byOption,
  problems,
});

/** Assignments in front of a command hold for it alone. */
function remembered(node: Command, scope: Scope): ReadonlyMap<string, Value | undefined | "unset"> {
  const values = new Map<string, Value | undefined | "unset">();
  for (const part of node.prefix) {
    if (part.type !== "Assignment") continue;
    values.set(part.name, scope.variables.has(part.name) ? scope.variables.get(part.name) : "unset");
  }
  return values;
}

function restore(values: ReadonlyMap<string, Value | undefined | "unset">, scope: Scope): void {
  for (const [name, value] of values) {
    if (value === "unset") scope.variables.delete(name);
    else scope.variables.set(name, value);
  }
}

export const expanderFor = (frame: Frame, walk: Walk, problems: string[]): Expander => ({
  scope: frame.scope,
  surroundings: walk.surroundings,
  complain: (why) => void problems.push(why),
  substitute: (script) => walk.runScript(script, { ...frame, scope: copyScope(frame.scope), depth: frame.depth + 1 }),
});
