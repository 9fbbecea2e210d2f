/** Running a command whose words are known: a function, a wrapper that runs others, or a program. */
import { applyBuiltin } from "./builtins.ts";
import { NOTHING, outputOf } from "./output.ts";
import { childScope, movedTo, type Plan, planOf } from "./plan.ts";
import { runsOf } from "./runs.ts";
import { copyScope, type Definition, forgetAll } from "./scope.ts";
import type { Flow, SimpleCommand } from "./types.ts";
import { type Frame, mayGoOn, type Walk } from "./walk-types.ts";
import { baseName, maybeWords } from "./word.ts";

const UNKNOWN: Flow = { kind: "unknown", remote: false };
const MAX_DEPTH = 12;

/** Who starts the command: a shell knows functions and builtins, `command` only builtins, another program neither. */
type Starter = "shell" | "builtin" | "program";

interface Start {
  readonly frame: Frame;
  readonly walk: Walk;
  readonly from: Starter;
}

export function dispatch(command: SimpleCommand, start: Start): Flow {
  const flow = dispatchOnce(command, start);
  const words = maybeWords(command.words);
  if (words !== undefined) {
    dispatchOnce({ ...command, words, role: "guess" }, { ...start, frame: aside(start.frame) });
  }
  return flow;
}

/** A guess leaves no traces in the scope. */
const aside = (frame: Frame): Frame => ({ ...frame, guess: true, scope: copyScope(frame.scope) });

function dispatchOnce(command: SimpleCommand, start: Start): Flow {
  const { frame, walk, from } = start;
  const [program] = command.words;
  if (program === undefined || !mayGoOn(walk)) return UNKNOWN;
  // `[` is the one program whose name looks like a wildcard.
  if (!program.known || (program.pattern && program.text !== "[")) return runUnresolved(command, start);
  const definition = from === "shell" ? frame.scope.functions.get(program.text) : undefined;
  return definition === undefined ? runProgram(command, start) : callFunction(definition, command, start);
}

/** The program is unknown; if it may turn out to be no word at all, the next word is the program. */
function runUnresolved(command: SimpleCommand, start: Start): Flow {
  const { frame, walk } = start;
  const problems = [...command.problems, "which program it runs cannot be resolved"];
  walk.commands.push({ ...command, problems });
  if (command.words[0]?.split === true && command.words.length > 1) {
    const rest: SimpleCommand = { ...command, words: command.words.slice(1), role: "guess" };
    dispatch(rest, { ...start, frame: aside(frame) });
  }
  return UNKNOWN;
}

function runProgram(command: SimpleCommand, start: Start): Flow {
  const { frame, walk, from } = start;
  const { words, input } = command;
  const name = baseName(words[0]?.text ?? "");
  const runs = runsOf(name, words, input);
  const plans = (runs?.inners ?? []).map((inner) => planOf(inner, input));
  const problems = [...command.problems, ...plans.flatMap((plan) => plan.problem ?? [])];
  if (runs?.problem !== undefined) problems.push(runs.problem);
  const isTransparent = runs?.transparent === true;
  const isWrapper = isTransparent && plans.every((plan) => plan.run !== undefined && plan.problem === undefined);
  walk.commands.push({ ...command, problems, role: isWrapper && command.role === "run" ? "wrapper" : command.role });
  if (from !== "program") applyBuiltin(name, command, { scope: frame.scope, surroundings: walk.surroundings });
  let flow = NOTHING;
  for (const plan of plans) flow = runInner(plan, command, start);
  return isTransparent && plans.length > 0 ? flow : outputOf(name, command, walk.surroundings);
}

function callFunction(definition: Definition, command: SimpleCommand, { frame, walk }: Start): Flow {
  const name = command.words[0]?.text ?? "";
  const { scope } = frame;
  walk.commands.push({ ...command, role: definition.certain && command.role === "run" ? "wrapper" : command.role });
  walk.called.add(definition.node);
  const earlier = frame.calls.findIndex((call) => call.name === name);
  if (earlier >= 0) {
    const forks = frame.calls.slice(earlier).some((call) => call.forked);
    if (forks) walk.catastrophes.push(`${name} calls itself in the background or in a pipe: a fork bomb`);
    return UNKNOWN;
  }
  if (frame.depth >= MAX_DEPTH) return tooDeep(walk);
  const rest = command.words.slice(1);
  const positional = scope.positional;
  scope.positional = rest.some((word) => word.split) ? undefined : rest;
  const calls = [...frame.calls, { name, forked: false }];
  const flow = walk.runFunction(definition.node.body, {
    ...frame,
    calls,
    input: command.input,
    depth: frame.depth + 1,
  });
  scope.positional = positional;
  return flow;
}

function tooDeep(walk: Walk): Flow {
  const why = "its commands are nested too deeply to judge";
  if (!walk.errors.includes(why)) walk.errors.push(why);
  return UNKNOWN;
}

function runInner(plan: Plan, command: SimpleCommand, { frame, walk }: Start): Flow {
  const { inner, run } = plan;
  if (run === undefined) return UNKNOWN;
  if (frame.depth >= MAX_DEPTH) return tooDeep(walk);
  const next: Frame = {
    ...frame,
    depth: frame.depth + 1,
    byOption: frame.byOption || inner.byOption === true,
    guess: frame.guess || inner.guess === true || ("guess" in run && run.guess),
    input: command.input,
  };
  if ("words" in run) return runWords(plan, command, { frame: next, walk });
  const isSame = inner.kind !== "words" && inner.scope === "same";
  const scope = isSame ? frame.scope : childScope(frame.scope, inner, command.assignments);
  const flow = walk.runText(run.text, { ...next, scope });
  if (run.guess && isSame) {
    forgetAll(scope);
    scope.cwds = [];
  }
  return flow;
}

function runWords({ inner }: Plan, command: SimpleCommand, { frame, walk }: Pick<Start, "frame" | "walk">): Flow {
  if (inner.kind !== "words") return UNKNOWN;
  const started: SimpleCommand = {
    ...command,
    words: inner.words,
    assignments: [...command.assignments, ...(inner.assignments ?? [])],
    cwds: inner.cwd === undefined ? command.cwds : movedTo(inner.cwd, command.cwds),
    role: frame.guess ? "guess" : command.role,
    depth: frame.depth,
    byOption: frame.byOption,
    problems: [],
    redirections: [],
  };
  const isBuiltin = /^(?:command|builtin)$/.test(command.words[0]?.text ?? "");
  return dispatch(started, { frame, walk, from: isBuiltin ? "builtin" : "program" });
}
