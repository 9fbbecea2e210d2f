/** What the walk over a shell text carries along. */
import type { Command, Function as FunctionNode, ParsedScript } from "unbash";
import type { Scope } from "./scope.ts";
import type { Flow, ShellSurroundings, SimpleCommand } from "./types.ts";

/** One for a whole text; collects what is found. */
export interface Walk {
  readonly surroundings: ShellSurroundings;
  readonly commands: SimpleCommand[];
  readonly errors: string[];
  readonly catastrophes: string[];
  readonly visited: Set<Command>;
  readonly called: Set<FunctionNode>;
  steps: number;
  /** Runs a script that is already parsed, in this frame's scope. */
  readonly runScript: (script: ParsedScript, frame: Frame) => Flow;
  /** Parses and runs a text, in this frame's scope. */
  readonly runText: (text: string, frame: Frame) => Flow;
  readonly runFunction: (body: FunctionNode["body"], frame: Frame) => Flow;
}

/** One for each subshell, function call or nested text. */
export interface Frame {
  readonly scope: Scope;
  readonly input: Flow;
  readonly depth: number;
  /** The functions that are being called, and whether something was forked since. */
  readonly calls: readonly { readonly name: string; readonly forked: boolean }[];
  readonly byOption: boolean;
  /** The commands may run; the text does not say. */
  readonly guess: boolean;
}

const MAX_STEPS = 8000;
const MAX_COMMANDS = 2000;

export const MAX_WORDS = 4096;

/** Counts a step; false when the text is too much to follow, which is then an error of the whole. */
export function mayGoOn(walk: Walk): boolean {
  if (++walk.steps <= MAX_STEPS && walk.commands.length < MAX_COMMANDS) return true;
  const why = "it runs too many commands to judge";
  if (!walk.errors.includes(why)) walk.errors.push(why);
  return false;
}
