/** One simple command of the tree: its words, assignments and redirections, and what it runs in turn. */
import type { Assignment, Command, Redirection } from "unbash";
import { applyBuiltin, normalPath } from "./builtins.ts";
import { type Expander, expandParts, expandUnsplit, expandWord, runWithin } from "./expand.ts";
import { NOTHING, outputOf } from "./output.ts";
import { type Inner, runsOf } from "./runs.ts";
import { assign, copyScope, forgetAll, type Scope } from "./scope.ts";
import type { AssignedWord, FileUse, Flow, SimpleCommand, Word } from "./types.ts";
import { type Frame, mayGoOn, type Walk } from "./walk-types.ts";
import { joinWords, type Value } from "./word.ts";

const UNKNOWN: Flow = { kind: "unknown", remote: false };
const MAX_DEPTH = 12;

export function runCommand(node: Command, frame: Frame, walk: Walk): Flow {
  walk.visited.add(node);
  frame.scope.arrived = undefined;
  if (!mayGoOn(walk)) return UNKNOWN;
  const problems: string[] = [];
  const expander = expanderFor(frame, walk, problems);
  const assignments: AssignedWord[] = [];
  const undo = new Map<string, Value | undefined>();
  for (const part of node.prefix) {
    if (part.type !== "Assignment") continue;
    if (frame.scope.variables.has(part.name)) undo.set(part.name, frame.scope.variables.get(part.name));
    assignments.push(assignFrom(part, expander));
  }
  const words = node.name === undefined ? [] : [...expandWord(node.name, expander)];
  for (const part of node.args) words.push(...argumentWords(part, expander));
  const { redirections, input } = readRedirections(node.redirects, expander, frame.input);
  const command: SimpleCommand = {
    words,
    assignments,
    redirections,
    cwds: frame.scope.cwds,
    input,
    role: frame.guess ? "guess" : "run",
    depth: frame.depth,
    byOption: frame.byOption,
    problems,
  };
  if (words.length === 0) {
    if (assignments.length + redirections.length + problems.length > 0) walk.commands.push(command);
    return NOTHING;
  }
  const flow = dispatch(command, { ...frame, input }, walk, "shell");
  for (const { name } of assignments) {
    if (undo.has(name)) frame.scope.variables.set(name, undo.get(name));
    else frame.scope.variables.delete(name);
  }
  return flow;
}

const argumentWords = (part: Assignment | Parameters<typeof expandWord>[0], expander: Expander): readonly Word[] => {
  if (part.type === "Word") return expandWord(part, expander);
  const { name, value } = assignFrom(part, expander);
  return [{ ...value, text: `${name}=${value.text}`, shape: `${name}=${value.shape}`, split: false }];
};

export function expanderFor(frame: Frame, walk: Walk, problems: string[]): Expander {
  return {
    scope: frame.scope,
    surroundings: walk.surroundings,
    complain: (why) => void problems.push(why),
    substitute: (script) => walk.runScript(script, { ...frame, scope: copyScope(frame.scope), depth: frame.depth + 1 }),
  };
}

/** Makes the assignment in the scope. */
function assignFrom(node: Assignment, expander: Expander): AssignedWord {
  const { scope } = expander;
  if (node.index !== undefined) runWithin(node.index, expander);
  const elements =
    node.value.type === "ArrayValue"
      ? node.value.elements.flatMap((element) => expandWord(element, expander))
      : [expandUnsplit(node.value, expander)];
  const value = joinWords(elements);
  const known = elements.every((element) => element.known && !element.split);
  if (known && /\[(?:\$\(|`)/.test(value.text)) expander.complain(`${node.name} holds text that arithmetic would run`);
  const before = node.append === true ? scope.variables.get(node.name) : [];
  if (!known || node.index !== undefined || before === undefined) assign(scope, node.name, undefined);
  else if (node.append !== true) assign(scope, node.name, elements);
  else assign(scope, node.name, node.value.type === "ArrayValue" ? [...before, ...elements] : [joined(before, value)]);
  return { name: node.name, value };
}

function joined(before: Value, value: Word): Word {
  const text = before.map((piece) => piece.text).join(" ") + value.text;
  return { ...value, text, shape: text, pattern: value.pattern || before.some((piece) => piece.pattern) };
}

export function readRedirections(
  nodes: readonly Redirection[],
  expander: Expander,
  inherited: Flow,
): { readonly redirections: readonly FileUse[]; readonly input: Flow } {
  const redirections: FileUse[] = [];
  let input = inherited;
  for (const node of nodes) {
    if (node.type === "HereDoc") {
      const body = node.body.parts === undefined ? undefined : expandParts(node.body.parts, expander);
      input = textFlow(body ?? { text: node.body.text, known: true });
    } else if (node.type === "HereString") {
      const word = node.target === undefined ? undefined : expandUnsplit(node.target, expander);
      input = word === undefined ? UNKNOWN : textFlow({ ...word, text: `${word.text}\n` });
    } else if (node.target !== undefined) {
      const target = expandUnsplit(node.target, expander);
      if (/^[<>]&$/.test(node.operator) && /^(?:\d*-?)$/.test(target.text)) continue;
      const op = node.operator === "<" || node.operator === "<&" ? "read" : "write";
      redirections.push({ op, target });
      if (node.operator === "<>") redirections.push({ op: "read", target });
      if (node.operator.startsWith("<")) input = target.flow ?? { kind: "file" };
    }
    if (node.descriptor?.type === "FileDescriptorVariable") assign(expander.scope, node.descriptor.name, undefined);
  }
  return { redirections, input };
}

const textFlow = (word: Pick<Word, "text" | "known" | "flow">): Flow =>
  word.known ? { kind: "text", text: word.text } : (word.flow ?? UNKNOWN);

/** Who starts the command: a shell knows functions and builtins, `command` only builtins, another program neither. */
type Starter = "shell" | "builtin" | "program";

function dispatch(command: SimpleCommand, frame: Frame, walk: Walk, from: Starter): Flow {
  const { words, input } = command;
  const [program] = words;
  if (program === undefined || !mayGoOn(walk)) return UNKNOWN;
  if (!program.known || (program.pattern && program.text !== "[")) {
    walk.commands.push({ ...command, problems: [...command.problems, "which program it runs cannot be resolved"] });
    if (program.split && words.length > 1) {
      dispatch({ ...command, words: words.slice(1), role: "guess" }, { ...frame, guess: true }, walk, from);
    }
    return UNKNOWN;
  }
  const definition = from === "shell" ? frame.scope.functions.get(program.text) : undefined;
  if (definition !== undefined) {
    walk.commands.push({ ...command, role: definition.certain && command.role === "run" ? "wrapper" : command.role });
    walk.called.add(definition.node);
    return callFunction(program.text, command, frame, walk);
  }
  const name = baseName(program.text);
  const runs = runsOf(name, words, input);
  const plans = (runs?.inners ?? []).map((inner) => planOf(inner, input));
  const problems = [...command.problems, ...plans.flatMap((plan) => plan.problem ?? [])];
  if (runs?.problem !== undefined) problems.push(runs.problem);
  const isWrapper =
    runs?.transparent === true && plans.every((plan) => plan.run !== undefined && plan.problem === undefined);
  walk.commands.push({ ...command, problems, role: isWrapper && command.role === "run" ? "wrapper" : command.role });
  if (from !== "program") applyBuiltin(name, command, { scope: frame.scope, surroundings: walk.surroundings });
  let flow = NOTHING;
  for (const plan of plans) flow = runInner(plan, { command, frame, walk, name });
  if (runs?.transparent === true && plans.length > 0) return flow;
  return outputOf(name, command, walk.surroundings);
}

export const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

function callFunction(name: string, command: SimpleCommand, frame: Frame, walk: Walk): Flow {
  const definition = frame.scope.functions.get(name);
  const earlier = frame.calls.findIndex((call) => call.name === name);
  if (definition === undefined) return UNKNOWN;
  if (earlier >= 0) {
    const forks = frame.calls.slice(earlier).some((call) => call.forked);
    if (forks) walk.catastrophes.push(`${name} calls itself in the background or in a pipe: a fork bomb`);
    return UNKNOWN;
  }
  if (frame.depth >= MAX_DEPTH) return tooDeep(walk);
  const rest = command.words.slice(1);
  const { scope } = frame;
  const positional = scope.positional;
  scope.positional = rest.some((word) => word.split) ? undefined : rest;
  const calls = [...frame.calls, { name, forked: false }];
  const flow = walk.runFunction(definition.node.body, { ...frame, calls, depth: frame.depth + 1 });
  scope.positional = positional;
  return flow;
}

function tooDeep(walk: Walk): Flow {
  const why = "its commands are nested too deeply to judge";
  if (!walk.errors.includes(why)) walk.errors.push(why);
  return UNKNOWN;
}

/** What an inner run comes to, once it is seen whether its text is known. */
interface Plan {
  readonly inner: Inner;
  /** Undefined: nothing of it can be looked at. */
  readonly run: { readonly words: readonly Word[] } | { readonly text: string; readonly guess: boolean } | undefined;
  readonly problem?: string;
}

function planOf(inner: Inner, input: Flow): Plan {
  if (inner.kind === "words") return { inner, run: { words: inner.words } };
  if (inner.kind === "script") {
    const run = { text: inner.text.text, guess: !inner.text.known };
    return inner.text.known ? { inner, run } : { inner, run, problem: "the text it runs cannot be resolved" };
  }
  if (input.kind === "text") return { inner, run: { text: input.text, guess: false } };
  if (input.kind === "file") return { inner, run: undefined };
  return { inner, run: undefined, problem: "it runs commands that cannot be seen" };
}

interface InnerContext {
  readonly command: SimpleCommand;
  readonly frame: Frame;
  readonly walk: Walk;
  readonly name: string;
}

function runInner(plan: Plan, { command, frame, walk, name }: InnerContext): Flow {
  const { inner, run } = plan;
  if (run === undefined) return UNKNOWN;
  if (frame.depth >= MAX_DEPTH) return tooDeep(walk);
  const byOption = frame.byOption || inner.byOption === true;
  const next: Frame = { ...frame, depth: frame.depth + 1, byOption, input: command.input };
  if ("words" in run) {
    const assignments = inner.kind === "words" ? (inner.assignments ?? []) : [];
    const cwds = inner.kind === "words" && inner.cwd !== undefined ? movedTo(inner.cwd, command.cwds) : command.cwds;
    const moved: SimpleCommand = {
      ...command,
      words: run.words,
      assignments,
      cwds,
      depth: next.depth,
      byOption,
      problems: [],
      redirections: [],
    };
    return dispatch(moved, next, walk, /^(?:command|builtin)$/.test(name) ? "builtin" : "program");
  }
  const guess = frame.guess || run.guess;
  const scope = inner.kind !== "words" && inner.scope === "same" ? frame.scope : childScope(frame.scope, inner);
  const flow = walk.runText(run.text, { ...next, scope, guess });
  if (run.guess && scope === frame.scope) {
    forgetAll(scope);
    scope.cwds = [];
  }
  return flow;
}

function movedTo(target: Word, cwds: readonly string[]): readonly string[] {
  if (!target.known) return [];
  return target.shape.startsWith("/")
    ? [normalPath(target.shape)]
    : cwds.map((cwd) => normalPath(`${cwd}/${target.shape}`));
}

/** A child shell sees the variables but none of the functions. */
const childScope = (scope: Scope, inner: Inner): Scope => ({
  ...copyScope(scope),
  functions: new Map(),
  positional: inner.kind === "script" && !inner.positional.some((word) => word.split) ? inner.positional : undefined,
});
