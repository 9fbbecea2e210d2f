/**
 * Walks a shell text as bash would run it, without running it, and lists every simple command with what is known at that point.
 * Branches are all taken and merged; loops over known words are unrolled; what changes in a loop is forgotten.
 */
import type {
  AndOr,
  Case,
  CommandNode,
  Function as FunctionNode,
  If,
  ParsedScript,
  Pipeline,
  Statement,
  SyntaxNode,
} from "unbash";
import { mayRun, WOULD_RUN } from "./arithmetic.ts";
import { bare, expanderFor, runCommand } from "./command.ts";
import { calculate, expandUnsplit, runWithin } from "./expand.ts";
import { runArithmeticFor, runFor, runWhile } from "./loops.ts";
import { NOTHING } from "./output.ts";
import { nodesOfType, parseShell } from "./parse.ts";
import { readRedirections } from "./redirections.ts";
import { copyScope, mergeScopes, openScope, type Scope } from "./scope.ts";
import type { Flow, ShellReading, ShellSurroundings } from "./types.ts";
import { type Frame, mayGoOn, type Walk } from "./walk-types.ts";

let last:
  | { readonly text: string; readonly surroundings: ShellSurroundings; readonly reading: ShellReading }
  | undefined;

/** Never throws for any text. The newest reading is kept: consent and the look at changes ask about the same call. */
export function readShell(text: string, surroundings: ShellSurroundings): ShellReading {
  if (last?.text !== text || !isSamePlace(last.surroundings, surroundings)) {
    last = { text, surroundings, reading: walkThrough(text, surroundings) };
  }
  return last.reading;
}

const isSamePlace = (a: ShellSurroundings, b: ShellSurroundings): boolean =>
  a.cwd === b.cwd && a.home === b.home && a.projectRoot === b.projectRoot;

function walkThrough(text: string, surroundings: ShellSurroundings): ShellReading {
  const walk: Walk = {
    surroundings,
    commands: [],
    errors: [],
    catastrophes: [],
    visited: new Set(),
    called: new Set(),
    steps: 0,
    runScript: (script, frame) => runStatements(script.commands, frame, walk),
    runText: (inner, frame) => runText(inner, frame, walk),
    runFunction: (body, frame) => runNode(body, frame, walk),
  };
  const frame: Frame = {
    scope: openScope(surroundings),
    input: { kind: "file" },
    depth: 0,
    calls: [],
    byOption: false,
    guess: false,
  };
  runText(text, frame, walk);
  return { commands: walk.commands, errors: walk.errors, catastrophes: walk.catastrophes };
}

function runText(text: string, frame: Frame, walk: Walk): Flow {
  const { script, errors } = parseShell(text);
  // A guess is only looked at for what is never allowed: the text is not what will run, so it need not parse.
  if (!frame.guess) walk.errors.push(...errors);
  if (script === undefined) return { kind: "unknown", remote: false };
  const flow = runStatements(script.commands, frame, walk);
  runTheRest(script, frame, walk);
  return flow;
}

/** Functions that are never called, and whatever the walk did not reach: nothing that is written goes unjudged. */
function runTheRest(script: ParsedScript, frame: Frame, walk: Walk): void {
  const aside = (): Frame => ({ ...frame, scope: { ...copyScope(frame.scope), positional: undefined } });
  for (const node of nodesOfType(script, "Function")) {
    if (!walk.called.has(node)) runNode(node.body, aside(), walk);
  }
  for (const node of nodesOfType(script, "Command")) {
    if (!walk.visited.has(node)) runCommand(node, aside(), walk);
  }
}

function runStatements(statements: readonly Statement[], frame: Frame, walk: Walk): Flow {
  let flow: Flow = NOTHING;
  for (const statement of statements) {
    flow = joinFlows(flow, runNode(statement.command, statement.background === true ? forked(frame) : frame, walk));
    const { scope } = frame;
    if (scope.stopsAtFailure && scope.arrived !== undefined) scope.cwds = scope.arrived;
  }
  return flow;
}

function joinFlows(first: Flow, second: Flow): Flow {
  if (first.kind === "text" && first.text === "") return second;
  if (second.kind === "text" && second.text === "") return first;
  if (first.kind === "text" && second.kind === "text") return { kind: "text", text: first.text + second.text };
  if (first.kind === "paths" && second.kind === "paths")
    return { kind: "paths", roots: [...first.roots, ...second.roots] };
  const isRemote = (flow: Flow): boolean => flow.kind === "unknown" && flow.remote;
  return { kind: "unknown", remote: isRemote(first) || isRemote(second) };
}

const forked = (frame: Frame): Frame => ({
  ...frame,
  scope: copyScope(frame.scope),
  calls: frame.calls.map((call) => ({ ...call, forked: true })),
});

type Runnable = CommandNode | Pipeline | AndOr | FunctionNode["body"];

function runNode(node: Runnable, frame: Frame, walk: Walk): Flow {
  if (!mayGoOn(walk)) return { kind: "unknown", remote: false };
  const body = (inner: Runnable, inside: Frame): Flow => runNode(inner, inside, walk);
  switch (node.type) {
    case "Command":
      return runCommand(node, frame, walk);
    case "AndOr":
      return runAndOr(node, frame, walk);
    case "Pipeline":
      return runPipeline(node, frame, walk);
    case "Redirected":
      return runRedirected(node, frame, walk);
    case "CompoundList":
      return runStatements(node.commands, frame, walk);
    case "BraceGroup":
      return runStatements(node.body.commands, frame, walk);
    case "Subshell":
      return runStatements(node.body.commands, { ...frame, scope: copyScope(frame.scope) }, walk);
    case "Coproc":
      return runNode(node.body, forked(frame), walk);
    case "If":
      return runIf(node, frame, walk);
    case "Case":
      return runCase(node, frame, walk);
    case "For":
    case "Select":
      return runFor(node, { frame, walk, run: body });
    case "While":
      return runWhile(node, { frame, walk, run: body });
    case "ArithmeticFor":
      return runArithmeticFor(node, { frame, walk, run: body });
    case "Function":
      frame.scope.functions.set(node.name.value, { node, certain: true });
      return NOTHING;
    case "TestCommand":
    case "ArithmeticCommand":
      return runExpression(node, frame, walk);
    default:
      walk.errors.push("it has a part that is not understood");
      return NOTHING;
  }
}

/** What does not run leaves the scope as it was: the skipped and the run case are merged at the end. */
function runAndOr(node: AndOr, frame: Frame, walk: Walk): Flow {
  const { scope } = frame;
  const skipped: Scope[] = [];
  let flow: Flow = NOTHING;
  for (const [index, command] of node.commands.entries()) {
    const operator = node.operators[index - 1];
    const inside = operator === undefined ? frame : enter(command, operator, { frame, skipped });
    flow = joinFlows(flow, runNode(command, inside, walk));
  }
  if (skipped.length === 0) return flow;
  const { arrived } = scope;
  mergeScopes(scope, skipped);
  if (node.operators.every((operator) => operator === "&&")) scope.arrived = arrived;
  return flow;
}

interface Branching {
  readonly frame: Frame;
  readonly skipped: Scope[];
}

/** Behind `cd x &&` the move succeeded; behind `cd x || exit` it did as well, or nothing more runs. */
function enter(command: Runnable, operator: string, { frame, skipped }: Branching): Frame {
  const { scope } = frame;
  const ends = operator === "||" && endsTheText(command);
  if (!ends) skipped.push(copyScope(scope));
  if (scope.arrived !== undefined && (operator === "&&" || ends)) scope.cwds = scope.arrived;
  return ends ? { ...frame, scope: copyScope(scope) } : frame;
}

const endsTheText = (node: Runnable): boolean => {
  if (node.type === "BraceGroup") {
    const last = node.body.commands.at(-1)?.command;
    return last !== undefined && endsTheText(last);
  }
  return node.type === "Command" && /^(?:exit|return|break|continue)$/.test(node.name?.value ?? "");
};

function runPipeline(node: Pipeline, frame: Frame, walk: Walk): Flow {
  const [only] = node.commands;
  if (node.commands.length === 1 && only !== undefined) return runNode(only, frame, walk);
  let flow: Flow = frame.input;
  for (const command of node.commands) flow = runNode(command, { ...forked(frame), input: flow }, walk);
  return flow;
}

function runRedirected(node: Extract<Runnable, { type: "Redirected" }>, frame: Frame, walk: Walk): Flow {
  const problems: string[] = [];
  const { redirections, input } = readRedirections(node.redirects, expanderFor(frame, walk, problems), frame.input);
  walk.commands.push({ ...bare(frame, problems), redirections });
  return runNode(node.command, { ...frame, input }, walk);
}

function runIf(node: If, frame: Frame, walk: Walk): Flow {
  const { scope } = frame;
  const taken: Scope[] = [];
  let flow: Flow = NOTHING;
  for (const branch of [node, ...node.elif]) {
    flow = joinFlows(flow, runStatements(branch.clause.commands, frame, walk));
    const inside = copyScope(scope);
    if (inside.arrived !== undefined) inside.cwds = inside.arrived;
    flow = joinFlows(flow, runStatements(branch.then.commands, { ...frame, scope: inside }, walk));
    taken.push(inside);
  }
  if (node.else !== undefined) flow = joinFlows(flow, runStatements(node.else.commands, frame, walk));
  mergeScopes(scope, taken);
  return flow;
}

function runCase(node: Case, frame: Frame, walk: Walk): Flow {
  const problems: string[] = [];
  const expander = expanderFor(frame, walk, problems);
  expandUnsplit(node.word, expander);
  let flow: Flow = NOTHING;
  let through: Scope | undefined;
  const taken: Scope[] = [];
  for (const item of node.items) {
    for (const pattern of item.pattern) expandUnsplit(pattern, expander);
    const inside = copyScope(frame.scope);
    if (through !== undefined) mergeScopes(inside, [through]);
    flow = joinFlows(flow, runStatements(item.body.commands, { ...frame, scope: inside }, walk));
    through = item.terminator === ";&" || item.terminator === ";;&" ? inside : undefined;
    taken.push(inside);
  }
  mergeScopes(frame.scope, taken);
  complainAlone(problems, frame, walk);
  return flow;
}

function runExpression(node: SyntaxNode, frame: Frame, walk: Walk): Flow {
  const problems: string[] = [];
  const made = expanderFor(frame, walk, problems);
  const printed = new Map<ParsedScript, Flow>();
  const substitute = (script: ParsedScript): Flow => {
    const flow = printed.get(script) ?? made.substitute(script);
    printed.set(script, flow);
    return flow;
  };
  const expander = { ...made, substitute };
  if (node.type === "ArithmeticCommand") calculate(node, expander);
  else runWithin(node, expander);
  const numbers = nodesOfType(node, "TestBinary").filter(({ operator }) => /^-(?:eq|ne|lt|le|gt|ge)$/.test(operator));
  const names = nodesOfType(node, "TestUnary").filter(({ operator }) => /^-[vR]$/.test(operator));
  const words = [...numbers.flatMap(({ left, right }) => [left, right]), ...names.map(({ operand }) => operand)];
  if (words.some((word) => mayRun(expandUnsplit(word, expander), frame.scope))) problems.push(WOULD_RUN);
  complainAlone(problems, frame, walk);
  return NOTHING;
}

/** A problem in a part that is no simple command stands as one of its own. */
function complainAlone(problems: readonly string[], frame: Frame, walk: Walk): void {
  if (problems.length > 0) walk.commands.push(bare(frame, problems));
}
