/** Loops: over a few known words they are unrolled; otherwise what their body may change is forgotten before it is walked once. */
import {
  type ArithmeticFor,
  type Assignment,
  type Command,
  type CompoundList,
  type For,
  forEachChild,
  type Select,
  type SyntaxNode,
  type While,
} from "unbash";
import { isDangerousVariable } from "../assignments.ts";
import { forgetAssigned, mayBecomeNumber } from "./arithmetic.ts";
import { bare, expanderFor } from "./command.ts";
import { calculate, expandWord } from "./expand.ts";
import { assign, copyScope, forgetAll, mergeScopes, type Scope } from "./scope.ts";
import type { Flow, Word } from "./types.ts";
import type { Frame, Walk } from "./walk-types.ts";

const MAX_ROUNDS = 16;

export interface LoopContext {
  readonly frame: Frame;
  readonly walk: Walk;
  readonly run: (body: CompoundList, frame: Frame) => Flow;
}

export function runFor(node: For | Select, context: LoopContext): Flow {
  const { frame, walk, run } = context;
  const { scope } = frame;
  const problems: string[] = [];
  const expander = expanderFor(frame, walk, problems);
  const words = node.wordlist?.flatMap((word) => expandWord(word, expander)) ?? positionalWords(scope);
  const isFixed = words?.every((word) => word.known && !word.pattern && !word.split) === true;
  const name = node.name.value;
  if (isDangerousVariable(name)) problems.push(`it sets ${name}`);
  if (problems.length > 0) walk.commands.push(bare(frame, problems));
  if (words !== undefined && isFixed && words.length <= MAX_ROUNDS && node.type === "For") {
    let flow: Flow = { kind: "text", text: "" };
    for (const word of words) {
      assign(scope, name, [word]);
      flow = run(node.body, frame);
    }
    return words.length === 1 ? flow : unknownLike(flow);
  }
  const before = copyScope(scope);
  forgetChanges(node.body, scope);
  const rounds = words !== undefined && words.length <= MAX_ROUNDS ? words : [undefined];
  let flow: Flow = { kind: "text", text: "" };
  for (const word of rounds) {
    assign(scope, name, word === undefined || word.split ? undefined : [word]);
    flow = run(node.body, frame);
    forgetChanges(node.body, scope);
  }
  mergeScopes(scope, [before]);
  return unknownLike(flow);
}

const positionalWords = (scope: Scope): readonly Word[] | undefined =>
  scope.positional?.map((piece) => ({ ...piece, split: false }));

/** Many rounds print many lines: a single known text is no longer known. */
const unknownLike = (flow: Flow): Flow =>
  flow.kind === "text" && flow.text !== "" ? { kind: "unknown", remote: false } : flow;

export function runWhile(node: While, context: LoopContext): Flow {
  const { frame, run } = context;
  const before = copyScope(frame.scope);
  forgetChanges(node, frame.scope);
  run(node.clause, frame);
  const flow = run(node.body, frame);
  forgetChanges(node, frame.scope);
  mergeScopes(frame.scope, [before]);
  return unknownLike(flow);
}

export function runArithmeticFor(node: ArithmeticFor, context: LoopContext): Flow {
  const { frame, walk, run } = context;
  const problems: string[] = [];
  const expander = expanderFor(frame, walk, problems);
  for (const part of [node.initialize, node.test, node.update]) {
    if (part !== undefined) calculate(part, expander);
  }
  if (problems.length > 0) walk.commands.push(bare(frame, problems));
  const before = copyScope(frame.scope);
  forgetChanges(node.body, frame.scope);
  const flow = run(node.body, frame);
  forgetChanges(node.body, frame.scope);
  mergeScopes(frame.scope, [before]);
  return unknownLike(flow);
}

const CHANGES_NAMED =
  /^(?:read|printf|mapfile|readarray|getopts|let|declare|typeset|local|readonly|export|unset|wait)$/;
const CHANGES_ALL = /^(?:eval|source|\.|set|shift|command|builtin|trap)$/;

/** Forgets every variable and folder that this part of the text may change. */
function forgetChanges(node: SyntaxNode, scope: Scope, seen: Set<SyntaxNode> = new Set()): void {
  if (seen.has(node) || node.type === "Subshell" || node.type === "Script") return;
  seen.add(node);
  switch (node.type) {
    case "Assignment":
      if (isCounting(node)) mayBecomeNumber(scope, node.name);
      else assign(scope, node.name, undefined);
      break;
    case "For":
    case "Select":
      assign(scope, node.name.value, undefined);
      break;
    case "ParameterExpansion":
      if (node.operation?.type === "Default") assign(scope, node.parameter, undefined);
      break;
    case "ArithmeticBinary":
    case "ArithmeticUnary":
      forgetAssigned(node, scope);
      break;
    case "Command":
      forgetByCommand(node, scope, seen);
      break;
    default:
  }
  forEachChild(node, (child) => forgetChanges(child, scope, seen));
}

/** `i=0`, `i=$((i + 1))`. */
const isCounting = ({ value, index }: Assignment): boolean =>
  index === undefined &&
  value.type === "Word" &&
  (value.parts?.every(({ type }) => type === "ArithmeticExpansion") ?? /^\d*$/.test(value.text));

function forgetByCommand(node: Command, scope: Scope, seen: Set<SyntaxNode>): void {
  const name = node.name?.value.replace(/[\\'"]/g, "") ?? "";
  if (CHANGES_ALL.test(name) || node.name?.parts !== undefined) {
    forgetAll(scope);
    scope.cwds = [];
  } else if (/^(?:cd|pushd|popd)$/.test(name)) scope.cwds = [];
  else if (CHANGES_NAMED.test(name)) forgetOperands(node, scope);
  const definition = scope.functions.get(name);
  if (definition !== undefined) forgetChanges(definition.node.body, scope, seen);
}

/** A plain name is forgotten; a name that is only known when it is expanded could be any. */
function forgetOperands(node: Command, scope: Scope): void {
  for (const word of node.args) {
    if (word.type !== "Word" || word.value.startsWith("-")) continue;
    const name = /^\w+/.exec(word.value)?.[0];
    if (word.parts === undefined && name !== undefined) assign(scope, name, undefined);
    else if (node.name?.value !== "printf") forgetAll(scope);
  }
}
