/** What is known at one point of a shell text: variables, folders, functions. Copied for subshells, merged after branches. */
import type { Function as FunctionNode } from "unbash";
import type { ShellSurroundings } from "./types.ts";
import { isNumber, literal, MAX_VALUE, type Piece, plain, undecided, type Value } from "./word.ts";

export interface Scope {
  /** A name with `undefined` has an unknown value; a name that is missing was never set by the text. */
  readonly variables: Map<string, Value | undefined>;
  readonly functions: Map<string, Definition>;
  /** Variables that child shells see for certain. */
  readonly exported: Set<string>;
  /** `set -e`: a failed command ends the text. */
  stopsAtFailure: boolean;
  positional: readonly Piece[] | undefined;
  /** Every folder this point may run in; none: that cannot be told. */
  cwds: readonly string[];
  /** The folders if the last command, a `cd`, succeeded. */
  arrived: readonly string[] | undefined;
}

export interface Definition {
  readonly node: FunctionNode;
  /** False: it may not have been defined when it is called. */
  readonly certain: boolean;
}

const MAX_FOLDERS = 8;

export const openScope = (surroundings: ShellSurroundings): Scope => ({
  variables: new Map(),
  functions: new Map(),
  exported: new Set(),
  stopsAtFailure: false,
  positional: [],
  cwds: [surroundings.cwd],
  arrived: undefined,
});

export const copyScope = (scope: Scope): Scope => ({
  ...scope,
  variables: new Map(scope.variables),
  functions: new Map(scope.functions),
  exported: new Set(scope.exported),
});

/** Makes `scope` what holds when any of the others may have happened. */
export function mergeScopes(scope: Scope, others: readonly Scope[]): void {
  for (const other of others) {
    mergeVariables(scope, other);
    mergeFunctions(scope, other);
    for (const name of scope.exported) if (!other.exported.has(name)) scope.exported.delete(name);
    if (!sameValue(scope.positional, other.positional)) scope.positional = undefined;
    scope.cwds = eitherFolder(scope.cwds, other.cwds);
  }
  scope.arrived = undefined;
}

function mergeVariables(scope: Scope, other: Scope): void {
  for (const name of new Set([...scope.variables.keys(), ...other.variables.keys()])) {
    const [here, there] = [scope.variables.get(name), other.variables.get(name)];
    const isSet = scope.variables.has(name) && other.variables.has(name);
    if (isSet && isNumber(here) && isNumber(there)) {
      scope.variables.set(name, sameValue(here, there) ? here : [plain(`$${name}`)]);
      continue;
    }
    if (!isSet || !sameValue(here, there)) scope.variables.set(name, undecided(name, there ?? here));
  }
}

function mergeFunctions(scope: Scope, other: Scope): void {
  for (const name of new Set([...scope.functions.keys(), ...other.functions.keys()])) {
    const [here, there] = [scope.functions.get(name), other.functions.get(name)];
    const either = there ?? here;
    if (either === undefined) continue;
    const certain = here?.node === there?.node && here?.certain === true && there?.certain === true;
    scope.functions.set(name, { node: either.node, certain });
  }
}

const sameValue = (a: Value | undefined, b: Value | undefined): boolean =>
  a === b ||
  (a !== undefined &&
    b !== undefined &&
    a.length === b.length &&
    a.every((piece, index) => {
      const other = b[index];
      return (
        other !== undefined && piece.text === other.text && piece.shape === other.shape && piece.known === other.known
      );
    }));

export function eitherFolder(a: readonly string[], b: readonly string[]): readonly string[] {
  if (a.length === 0 || b.length === 0) return [];
  const all = [...new Set([...a, ...b])];
  return all.length > MAX_FOLDERS ? [] : all;
}

/** Sets a variable; a value too long to follow becomes unknown. */
export function assign(scope: Scope, name: string, value: Value | undefined): void {
  const size = value?.reduce((sum, piece) => sum + piece.text.length, 0) ?? 0;
  scope.variables.set(name, size > MAX_VALUE ? undefined : value);
}

export function forgetAll(scope: Scope): void {
  for (const name of scope.variables.keys()) scope.variables.set(name, undefined);
  for (const name of ["HOME", "PWD", "IFS"]) scope.variables.set(name, undefined);
  scope.positional = undefined;
}

const PLAIN_NAMES = /^(?:[?$!#-]|RANDOM|SRANDOM|SECONDS|LINENO|EPOCH\w+|E?UID|PPID|BASHPID|USER|LOGNAME|HOSTNAME)$/;

/** The value of a parameter; undefined: it can be anything. */
export function lookUp(name: string, scope: Scope, surroundings: ShellSurroundings): Value | undefined {
  if (scope.variables.has(name)) return scope.variables.get(name);
  if (name === "@" || name === "*") return scope.positional;
  if (/^[1-9]\d*$/.test(name)) return scope.positional?.slice(Number(name) - 1, Number(name));
  if (name === "HOME") return [literal(surroundings.home)];
  if (name === "IFS") return [literal(" \t\n")];
  const [cwd] = scope.cwds;
  if (name === "PWD" && scope.cwds.length === 1 && cwd !== undefined) return [literal(cwd)];
  return PLAIN_NAMES.test(name) ? [plain(`$${name}`)] : undefined;
}

export function separators(scope: Scope, surroundings: ShellSurroundings): string {
  const [value] = lookUp("IFS", scope, surroundings) ?? [];
  return value?.known === true ? value.text : " \t\n";
}
