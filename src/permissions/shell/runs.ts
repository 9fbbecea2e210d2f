/** Which commands a command runs: the parent of the wrapper tables. Decides nothing about what is allowed. */
import { findRuns } from "./find.ts";
import { gitRuns } from "./git-runs.ts";
import { optionRuns } from "./option-runs.ts";
import { builtinRuns, shellRuns, textRuns } from "./shells.ts";
import type { AssignedWord, Flow, Word } from "./types.ts";
import { wrapperRuns } from "./wrappers.ts";
import { xargsRuns } from "./xargs.ts";

export type Inner = (
  | {
      readonly kind: "words";
      readonly words: readonly Word[];
      readonly assignments?: readonly AssignedWord[];
      /** The folder that the wrapper moves to. */
      readonly cwd?: Word;
    }
  | {
      readonly kind: "script";
      readonly text: Word;
      readonly positional: readonly Word[];
      readonly scope: "same" | "child";
    }
  /** The commands come from standard input. */
  | { readonly kind: "input"; readonly scope: "same" | "child" }
) & {
  /** An option of the program names it. */
  readonly byOption?: boolean;
  /** It may be run, as far as can be told; the program that runs it is judged itself. */
  readonly guess?: boolean;
};

export interface Runs {
  readonly inners: readonly Inner[];
  /** The command itself does nothing more than run these. */
  readonly transparent: boolean;
  readonly problem?: string;
}

/** Undefined: it runs nothing but itself. `name` is the program's name without folders. */
export function runsOf(name: string, words: readonly Word[], input: Flow): Runs | undefined {
  return (
    wrapperRuns(name, words) ??
    shellRuns(name, words) ??
    builtinRuns(name, words) ??
    textRuns(name, words) ??
    (name === "find" || name === "gfind" ? findRuns(words) : undefined) ??
    (name === "xargs" || name === "gxargs" ? xargsRuns(words, input) : undefined) ??
    (name === "git" ? gitRuns(words) : undefined) ??
    optionRuns(name, words)
  );
}
