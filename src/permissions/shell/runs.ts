/** Which commands a command runs: the parent of the wrapper tables. Decides nothing about what is allowed. */
import { codeRuns } from "./code-runs.ts";
import { findRuns } from "./find.ts";
import { gitRuns } from "./git-runs.ts";
import { optionRuns } from "./option-runs.ts";
import type { Runs } from "./run-types.ts";
import { builtinRuns, shellRuns, textRuns } from "./shells.ts";
import type { Flow, Word } from "./types.ts";
import { wrapperRuns } from "./wrappers.ts";
import { xargsRuns } from "./xargs.ts";

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
    optionRuns(name, words) ??
    codeRuns(name, words)
  );
}
