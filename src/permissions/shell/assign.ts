/** Assignments: in front of a command, on their own, and among the operands of `export` and its like. */
import type { Assignment, Word as WordNode } from "unbash";
import { holdsIndexedCode, mayRun, namesForeign, WOULD_RUN } from "./arithmetic.ts";
import { type Expander, expandUnsplit, expandWord } from "./expand.ts";
import { assign, forgetAll } from "./scope.ts";
import type { AssignedWord, Word } from "./types.ts";
import { joinWords, unknown, type Value } from "./word.ts";

/** Makes the assignment in the scope. */
export function assignFrom(node: Assignment, expander: Expander): AssignedWord {
  const indices = [
    ...(node.index === undefined ? [] : [expandUnsplit(node.index, expander)]),
    ...subscripts(node, expander),
  ];
  if (indices.some((index) => mayRun(index, expander.scope))) expander.complain(WOULD_RUN);
  const isArray = node.value.type === "ArrayValue";
  const elements = elementsOf(node, expander);
  const value = joinWords(elements);
  const known = node.index === undefined && elements.every((element) => element.known && !element.split);
  if (known && holdsIndexedCode(value)) expander.complain(`${node.name} holds text that arithmetic would run`);
  assign(expander.scope, node.name, known ? newValue(node, { elements, isArray, value }, expander) : undefined);
  return { name: node.name, value };
}

/** Of the elements in `x=([n]=1)`. */
function subscripts({ value }: Assignment, { scope }: Expander): readonly Word[] {
  if (value.type !== "ArrayValue") return [];
  const texts = value.elements.flatMap(({ text }) => /^\[([^\]]*)\]\+?=/.exec(text)?.[1] ?? []);
  return texts.filter((text) => namesForeign(text, scope)).map((text) => ({ ...unknown(text), split: false }));
}

function elementsOf(node: Assignment, expander: Expander): readonly Word[] {
  if (node.value.type !== "ArrayValue") return [expandUnsplit(node.value, expander)];
  return node.value.elements.flatMap((element) => expandWord(element, expander));
}

interface Assigned {
  readonly elements: readonly Word[];
  readonly isArray: boolean;
  readonly value: Word;
}

function newValue(node: Assignment, { elements, isArray, value }: Assigned, expander: Expander): Value | undefined {
  if (node.append !== true) return elements;
  const before = expander.scope.variables.get(node.name);
  if (before === undefined) return undefined;
  return isArray ? [...before, ...elements] : [appended(before, value)];
}

function appended(before: Value, value: Word): Word {
  const text = before.map((piece) => piece.text).join(" ") + value.text;
  return { ...value, text, shape: text, pattern: value.pattern || before.some((piece) => piece.pattern) };
}

/** One operand of a command; an assignment among them is made. */
export function argumentWords(part: Assignment | WordNode, expander: Expander): readonly Word[] {
  if (part.type === "Word") return expandWord(part, expander);
  const { name, value } = assignFrom(part, expander);
  // Among operands braces do expand: `export X={a,b}` sets X twice.
  const hasBraces =
    part.value.type === "Word" && part.value.parts?.some((inner) => inner.type === "BraceExpansion") === true;
  if (hasBraces) assign(expander.scope, name, undefined);
  return [{ ...value, text: `${name}=${value.text}`, shape: `${name}=${value.shape}`, split: false }];
}

const NAMES_VARIABLES =
  /^(?:declare|typeset|local|readonly|export|unset|read|printf|mapfile|readarray|getopts|let|wait|test|\[)$/;
const SETS_BY_WORD = /^(?:declare|typeset|local|readonly|export)$/;

/**
 * A builtin may set a variable that its words name only when they are expanded: `declare "X=/"`, `read "$name"`. Such a variable
 * is forgotten, and all of them when the name itself is unknown.
 */
export function forgetNamed(name: string, parts: readonly (Assignment | WordNode)[], expander: Expander): void {
  if (!NAMES_VARIABLES.test(name)) return;
  // The words were expanded before, with their substitutions; here only their text matters.
  const quiet: Expander = { ...expander, substitute: () => ({ kind: "unknown", remote: false }) };
  const words = parts.flatMap((part) => (part.type === "Word" ? expandWord(part, quiet) : []));
  const setsByWord = SETS_BY_WORD.test(name);
  if (setsByWord && words.some((word) => /^[-+][a-zA-Z]*n/.test(word.text))) {
    expander.complain("a name reference hides which variable it changes");
  }
  for (const why of runsByName(name, words, expander)) expander.complain(why);
  for (const word of words) {
    const set = /^(\w+)(?:\[[^\]]*\])?\+?=/.exec(word.text)?.[1];
    if (set !== undefined && setsByWord) assign(expander.scope, set, undefined);
    if (set === undefined && !word.known && !/^(?:printf|test|\[)$/.test(name)) forgetAll(expander.scope);
  }
}

/** A builtin that takes a word for a number, a subscript or a name runs what may stand in it. */
function runsByName(name: string, words: readonly Word[], { scope }: Expander): readonly string[] {
  const calculates = SETS_BY_WORD.test(name) && words.some((word) => /^[-+][a-zA-Z]*i/.test(word.text));
  const isTaken = (at: number): boolean =>
    name === "let" || (/^(?:printf|test|\[)$/.test(name) && words[at - 1]?.text === "-v");
  const doubtful = calculates || words.some((word, at) => isTaken(at) && mayRun(word, scope));
  const told = words.filter((word) => name !== "printf" && holdsIndexedCode(word));
  return [...(doubtful ? [WOULD_RUN] : []), ...told.map((word) => `${name} would run what stands in ${word.text}`)];
}
