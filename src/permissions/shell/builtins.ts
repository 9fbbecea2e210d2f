/** Builtins that change what later words mean: `cd`, `read`, `export`, `set`, `unset`, `shift`. Only their effect on the scope. */
import { assign, eitherFolder, forgetAll, lookUp, type Scope } from "./scope.ts";
import type { Flow, ShellSurroundings, SimpleCommand, Word } from "./types.ts";
import { literal, matching, type Piece, plain, type Value } from "./word.ts";

export interface BuiltinContext {
  readonly scope: Scope;
  readonly surroundings: ShellSurroundings;
}

type Effect = (rest: readonly Word[], context: BuiltinContext, input: Flow) => void;

export function applyBuiltin(name: string, command: SimpleCommand, context: BuiltinContext): void {
  const effect = Object.hasOwn(EFFECTS, name) ? EFFECTS[name] : undefined;
  effect?.(command.words.slice(1), context, command.input);
}

const operandsOf = (rest: readonly Word[]): readonly Word[] => rest.filter((word) => !/^-./.test(word.text));

const forgetOperands: Effect = (rest, { scope }) => {
  for (const word of operandsOf(rest)) forgetName(word.text, scope);
  assign(scope, "MAPFILE", undefined);
};

const source: Effect = (_rest, { scope }) => {
  forgetAll(scope);
  scope.cwds = [];
};

const declare: Effect = (rest, { scope }) => {
  declareNames(rest, scope);
  if (rest.some((word) => /^-[a-zA-Z]*x/.test(word.text))) exportNames(rest, scope);
};

const exportAll: Effect = (rest, { scope }) => {
  declareNames(rest, scope);
  const takesBack = rest.some((word) => /^-[a-zA-Z]*n/.test(word.text));
  if (!takesBack) exportNames(rest, scope);
  else for (const word of rest) scope.exported.delete(word.text);
};

function exportNames(rest: readonly Word[], scope: Scope): void {
  for (const word of rest) {
    const name = /^[A-Za-z_]\w*(?==|$)/.exec(word.text)?.[0];
    if (name !== undefined) scope.exported.add(name);
  }
}

const EFFECTS: Readonly<Record<string, Effect>> = {
  cd: (rest, context) => move(operandsOf(rest)[0] ?? homeWord(context), context),
  pushd: (rest, context) => move(operandsOf(rest)[0], context),
  popd: (_rest, { scope }) => {
    scope.cwds = [];
  },
  read: (rest, { scope }, input) => {
    const names = readNames(rest);
    for (const word of names) assign(scope, word.text, names.length === 1 ? readValue(input) : undefined);
  },
  unset: (rest, { scope }) => {
    for (const word of operandsOf(rest)) {
      assign(scope, word.text, undefined);
      scope.functions.delete(word.text);
    }
  },
  set: (rest, { scope }) => setPositional(rest, scope),
  shift: (rest, { scope }) => {
    scope.positional = operandsOf(rest).length === 0 ? scope.positional?.slice(1) : undefined;
  },
  printf: (rest, { scope }) => forgetNext(rest, "-v", scope),
  mapfile: forgetOperands,
  readarray: forgetOperands,
  getopts: forgetOperands,
  let: forgetOperands,
  source,
  ".": source,
  declare,
  typeset: declare,
  local: declare,
  readonly: declare,
  export: exportAll,
};

function homeWord(context: BuiltinContext): Word | undefined {
  const [home] = lookUp("HOME", context.scope, context.surroundings) ?? [];
  return home === undefined ? undefined : { ...home, split: false };
}

/** Both outcomes stay possible until an `&&` tells that the move succeeded. */
function move(target: Word | undefined, { scope }: BuiltinContext): void {
  if (target === undefined || !target.known || target.text === "-" || target.shape === "") {
    scope.cwds = [];
    return;
  }
  const from = scope.cwds;
  if (from.length === 0 && !target.shape.startsWith("/")) return;
  const arrived = target.shape.startsWith("/")
    ? [normalPath(target.shape)]
    : from.map((folder) => normalPath(`${folder}/${target.shape}`));
  scope.arrived = [...new Set(arrived)];
  scope.cwds = from.length === 0 ? [] : eitherFolder(from, scope.arrived);
}

/** As text: `.` and `..` and doubled slashes taken out. `cd` works on names, so this is what it does. */
export function normalPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

function readNames(rest: readonly Word[]): readonly Word[] {
  const names: Word[] = [];
  for (let at = 0; at < rest.length; at++) {
    const text = rest[at]?.text ?? "";
    if (/^-[a-zA-Z]*[dinNptu]$/.test(text)) at++;
    else if (/^-[a-zA-Z]*a$/.test(text) || !text.startsWith("-")) {
      const word = text.startsWith("-") ? rest[++at] : rest[at];
      if (word !== undefined) names.push(word);
    }
  }
  return names.length === 0 ? [{ text: "REPLY", shape: "REPLY", known: true, pattern: false, split: false }] : names;
}

function readValue(input: Flow): Value | undefined {
  if (input.kind === "plain") return [plain("$line")];
  if (input.kind === "paths" && input.roots.length === 1) {
    return input.roots.map((root): Piece => matching(root.endsWith("/") ? `${root}*` : `${root}/*`));
  }
  const isOneLine = input.kind === "text" && /^[^\n\\]*\n?$/.test(input.text);
  return isOneLine ? [literal(input.text.trim())] : undefined;
}

/** `set -- a b` sets the positional parameters; options alone leave them. */
function setPositional(rest: readonly Word[], scope: Scope): void {
  if (
    rest.some(
      (word, index) => /^-[a-z]*e/.test(word.text) || (word.text === "errexit" && rest[index - 1]?.text === "-o"),
    )
  ) {
    scope.stopsAtFailure = true;
  }
  if (rest.some((word) => /^\+[a-z]*e/.test(word.text))) scope.stopsAtFailure = false;
  const at = rest.findIndex((word) => word.text === "--" || !/^[-+]/.test(word.text));
  if (at < 0) return;
  const from = rest[at]?.text === "--" ? at + 1 : at;
  const values = rest.slice(from);
  scope.positional = values.some((word) => word.split) ? undefined : values;
}

function forgetNext(rest: readonly Word[], option: string, scope: Scope): void {
  const at = rest.findIndex((word) => word.text === option);
  const name = at < 0 ? undefined : rest[at + 1];
  if (name !== undefined) forgetName(name.text, scope);
}

function forgetName(text: string, scope: Scope): void {
  const name = /^\w+/.exec(text)?.[0];
  if (name !== undefined) assign(scope, name, undefined);
}

/** Assignments among the words were made when they were expanded; a name reference hides what it names. */
function declareNames(rest: readonly Word[], scope: Scope): void {
  if (!rest.some((word) => /^-[a-zA-Z]*[niul]/.test(word.text))) return;
  for (const word of rest) if (!word.text.startsWith("-")) forgetName(word.text, scope);
}
