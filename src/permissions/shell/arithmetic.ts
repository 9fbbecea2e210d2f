/**
 * Where bash calculates it also runs: a value such as `x[$(command)]` is code as soon as it is taken for a number, a subscript or
 * a variable's name. Known values are read; what comes from a file, a program or a file's name cannot be, and is complained of.
 */
import { forEachChild, type SyntaxNode } from "unbash";
import { isDangerousVariable } from "../assignments.ts";
import { assign, type Scope } from "./scope.ts";
import type { Word } from "./types.ts";
import { isNumber, type Piece, plain, type Value } from "./word.ts";

/** Text that arithmetic, or a builtin that takes a variable's name, would run when it looks up the index. */
export const holdsIndexedCode = (word: Pick<Word, "text" | "known">): boolean =>
  /\[[^\]]*(?:\$\(|`|\$\{)/.test(word.text) && word.known;

/** It may be any text, and not by the user's own doing: a variable that this text never sets is the user's. */
const isForeignPiece = ({ known, pattern, text, shape }: Piece): boolean => !known || (pattern && text === shape);

const isForeignValue = (value: Value | undefined): boolean => value?.some(isForeignPiece) ?? true;

function isForeignName(name: string, { variables, positional }: Scope): boolean {
  if (/^[1-9]\d*$/.test(name)) return isForeignValue(positional?.slice(Number(name) - 1, Number(name)));
  return variables.has(name) && isForeignValue(variables.get(name));
}

/** Names stand with and without a dollar sign; a number behind one is a positional parameter. */
const NAMES = /[A-Za-z_]\w*|(?<=\$\{?!?)[1-9]\d*/g;

export const namesForeign = (text: string, scope: Scope): boolean =>
  [...text.matchAll(NAMES)].some(([name]) => isForeignName(name, scope));

/** Whether a word may run something when it is taken for a number, a subscript or a name. */
export const mayRun = (word: Piece, scope: Scope): boolean =>
  holdsIndexedCode(word) ||
  (word.known ? word.pattern && word.text === word.shape : word.flow !== undefined) ||
  namesForeign(word.text, scope);

export const WOULD_RUN = "a text that is not known is calculated with, and would be run if it holds a command";

/** Arithmetic can set variables, also one that decides which programs run. They are numbers then. */
export function forgetAssigned(node: SyntaxNode, scope: Scope, complain?: (why: string) => void): void {
  const target = arithmeticTarget(node);
  const name = target?.type === "ArithmeticWord" ? /^\w+/.exec(target.value)?.[0] : undefined;
  if (name !== undefined) {
    mayBecomeNumber(scope, name);
    if (isDangerousVariable(name)) complain?.(`it sets ${name}`);
  }
  forEachChild(node, (child) => forgetAssigned(child, scope, complain));
}

function arithmeticTarget(node: SyntaxNode): SyntaxNode | undefined {
  if (node.type === "ArithmeticBinary" && /^(?:[-+*/%&|^]|<<|>>)?=$/.test(node.operator)) return node.left;
  return node.type === "ArithmeticUnary" && /^(?:\+\+|--)$/.test(node.operator) ? node.operand : undefined;
}

/** A name that was never set stays so: whatever it is, it is the user's or a number. */
export function mayBecomeNumber(scope: Scope, name: string): void {
  if (!scope.variables.has(name) && !/^(?:HOME|PWD|OLDPWD|IFS)$/.test(name)) return;
  assign(scope, name, isNumber(scope.variables.get(name)) ? [plain(`$${name}`)] : undefined);
}
