/** The parent of the program tables: which table tells what a command does, and what holds for every program. */

import type { SimpleCommand, Word } from "../shell/types.ts";
import { baseName } from "../shell/word.ts";
import { describeAwk } from "./awk.ts";
import { describeBuiltin } from "./builtins.ts";
import { addDangers } from "./dangers.ts";
import { type Call, type Describe, emptyFacts, type Facts } from "./facts.ts";
import { describeGit } from "./git.ts";
import { describeNetwork } from "./network.ts";
import { hasOption, optionValues, readArguments } from "./options.ts";
import { describeReader, describeVersion } from "./readers.ts";
import { describeSed } from "./sed.ts";
import { describeWriter } from "./writers.ts";

/** Folders whose programs are what their names say. */
const SYSTEM_PROGRAM = /^(?:\/usr)?\/s?bin\/[^/]+$/;

export function describeCommand(command: SimpleCommand): Facts {
  const facts = emptyFacts();
  const [program] = command.words;
  if (program === undefined) return { ...facts, kind: "read", readOnly: true };
  const name = baseName(program.text);
  const call: Call = { name, words: command.words, command };
  describeProgram(call, facts);
  addDangers(call, facts);
  const isFamiliar = !program.text.includes("/") || SYSTEM_PROGRAM.test(program.text);
  if (!program.known || !isFamiliar || command.byOption) {
    facts.readOnly = false;
    if (facts.kind === "read") facts.kind = "run";
    facts.editsOnly = false;
  }
  return facts;
}

function describeProgram(call: Call, facts: Facts): void {
  const { name } = call;
  describeVersion(call, facts);
  if (facts.readOnly) return;
  if (/^g?sed$/.test(name)) describeSed(call, facts);
  else if (/^[gmn]?awk$/.test(name)) describeAwk(call, facts);
  else if (name === "git") describeGit(call, facts);
  else if (name === "ps") describeProcesses(call, facts);
  else if (name === "date") describeDate(call, facts);
  else if (name === "systemctl") describeServices(call, facts);
  else if (describeNetwork(call, facts) || describeWriter(call, facts)) return;
  else {
    describeReader(call, facts);
    describeBuiltin(call, facts);
    if (!facts.readOnly && facts.kind === "run" && facts.reads.length + facts.writes.length === 0)
      addNamedPaths(call, facts);
  }
}

/** `ps e` would print the environments of other programs. */
function describeProcesses({ words }: Call, facts: Facts): void {
  const showsEnvironment = words
    .slice(1)
    .some((word) => !word.known || /^[a-zA-Z]*e[a-zA-Z]*$/.test(word.text) || /^-\w*E/.test(word.text));
  facts.readOnly = !showsEnvironment;
  facts.kind = showsEnvironment ? "run" : "read";
}

/** An operand that is no format sets the clock, but for `date -j -f format text`. */
const describeDate: Describe = ({ words }, facts) => {
  // `-I` has no value behind it.
  const given = words.filter((word) => !/^-I/.test(word.text));
  const args = readArguments(given, "d f r s v date file reference set");
  const isShown = hasOption(args, "-j") || args.operands.every((word) => word.text.startsWith("+"));
  facts.reads.push(...optionValues(args, "-f --file -r --reference").filter((word) => !word.text.startsWith("%")));
  if (args.doubtful) facts.problems.push("a word that cannot be resolved may set the clock");
  facts.readOnly = isShown && !hasOption(args, "-s --set");
  facts.kind = facts.readOnly ? "read" : "run";
};

/** Services of this machine that are only looked at. */
const describeServices: Describe = ({ words }, facts) => {
  const args = readArguments(words, "t p n o H M type property state lines output host machine root image");
  const [verb] = args.operands;
  const looks = /^(?:status|show|is-(?:active|enabled|failed)|list-(?:units|unit-files|timers|sockets))$/;
  const isElsewhere = hasOption(args, "-H -M --host --machine --root --image");
  if (verb?.known !== true || !looks.test(verb.text) || isElsewhere || args.doubtful) return;
  facts.readOnly = true;
  facts.kind = "read";
};

/** Of a program that no table knows, only what plainly lies elsewhere counts as touched. */
function addNamedPaths({ words }: Call, facts: Facts): void {
  for (const word of words.slice(1)) {
    const path = elsewhere(word);
    if (path !== undefined) facts.reads.push(path);
  }
}

function elsewhere(word: Word): Word | undefined {
  if (!word.known || /\s/.test(word.shape)) return undefined;
  const value = /^(?:--?[\w-]+=|[A-Za-z_]\w*=)/.exec(word.shape)?.[0].length ?? 0;
  const path = word.shape.slice(value);
  return /^(?:\/[^/]|\/$|\.\.(?:\/|$))|\/\.\.(?:\/|$)/.test(path) && !path.includes("://")
    ? { ...word, text: path, shape: path }
    : undefined;
}
