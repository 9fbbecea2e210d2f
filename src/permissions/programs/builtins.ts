/** The shell's own commands: which of them only change the shell, and which name code or show the environment. */
import type { Describe } from "./facts.ts";

/** Builtins that only change the shell itself, which each text has for its own. */
const BUILTINS =
  /^(?::|cd|pushd|popd|dirs|read|export|declare|typeset|local|readonly|unset|set|shopt|shift|getopts|let|return|exit|break|continue|wait|jobs|umask|ulimit|times|command|builtin|exec|hash|mapfile|readarray|trap|eval|help|disown|fg|bg|suspend|alias|unalias|printf)$/;

/** As `env` does: `set`, `export -p`, `declare -x` without a name. */
const printsEnvironment = (name: string, texts: readonly string[]): boolean =>
  name === "set"
    ? texts.length === 0
    : /^(?:export|declare|typeset)$/.test(name) &&
      texts.every((text) => /^-[a-zA-Z]+$/.test(text) && !/[fF]/.test(text));

export const describeBuiltin: Describe = ({ name, words }, facts) => {
  if (!BUILTINS.test(name)) return;
  const texts = words.slice(1).map((word) => word.text);
  // These name code that the shell runs later.
  const runsLater = /^(?:hash|mapfile|readarray)$/.test(name) && texts.some((text) => /^-[a-zA-Z]*[pC]/.test(text));
  const defines = /^(?:alias|export)$/.test(name) && texts.some((text) => name === "alias" || /^-[a-z]*f/.test(text));
  if (printsEnvironment(name, texts)) return;
  if (runsLater || (defines && texts.length > 0)) return;
  facts.kind = "read";
  facts.readOnly = true;
  if (/^(?:cd|pushd)$/.test(name) && texts.includes("-")) facts.problems.push("where it leads cannot be resolved");
  if (/^(?:cd|pushd)$/.test(name)) facts.reads.push(...words.slice(1).filter((word) => !/^-/.test(word.text)));
};
