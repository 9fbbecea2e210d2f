/** What an inner run comes to, once it is seen whether its text is known. */
import { normalPath } from "./builtins.ts";
import type { Inner } from "./run-types.ts";
import { copyScope, type Scope } from "./scope.ts";
import type { AssignedWord, Flow, Word } from "./types.ts";
import { undecided, type Value } from "./word.ts";

export interface Plan {
  readonly inner: Inner;
  /** Undefined: nothing of it can be looked at. */
  readonly run: { readonly words: readonly Word[] } | { readonly text: string; readonly guess: boolean } | undefined;
  readonly problem?: string;
}

export function planOf(inner: Inner, input: Flow): Plan {
  if (inner.kind === "words") return { inner, run: { words: inner.words } };
  if (inner.kind === "script") {
    const isKnown = isScript(inner.text);
    const run = { text: inner.text.text, guess: !isKnown };
    return isKnown ? { inner, run } : { inner, run, problem: "the text it runs cannot be resolved" };
  }
  if (input.kind === "text") return { inner, run: { text: input.text, guess: false } };
  if (input.kind === "file") return { inner, run: undefined };
  return { inner, run: undefined, problem: "it runs commands that cannot be seen" };
}

/** File names put into a text could be anything, also commands; a number or a hash could not. */
const isScript = (text: Word): boolean => text.known && !(text.pattern && text.text === text.shape);

/** Where a wrapper that changes folder runs its command. */
export function movedTo(target: Word, cwds: readonly string[]): readonly string[] {
  if (!target.known) return [];
  if (target.shape.startsWith("/")) return [normalPath(target.shape)];
  return cwds.map((cwd) => normalPath(`${cwd}/${target.shape}`));
}

/**
 * A child shell sees what is exported and none of the functions. A variable that was set without `export` may still be seen, when
 * it came from outside: that cannot be told.
 */
export function childScope(scope: Scope, inner: Inner, assignments: readonly AssignedWord[]): Scope {
  const variables = new Map<string, Value | undefined>();
  const exported = new Set(scope.exported);
  for (const [name, value] of scope.variables) {
    variables.set(name, exported.has(name) ? value : undecided(name, value));
  }
  for (const { name, value } of assignments) {
    variables.set(name, value.known ? [value] : undefined);
    exported.add(name);
  }
  const positional =
    inner.kind === "script" && !inner.positional.some((word) => word.split) ? inner.positional : undefined;
  return { ...copyScope(scope), variables, exported, functions: new Map(), positional };
}
