/** Flags that mean nothing beside each other: said at once, for a flag that is silently without effect misleads. */
import type { Arguments } from "./args.ts";
import type { Flag } from "./flags/define.ts";
import { MODEL_FLAGS } from "./flags/model.ts";
import { PERMISSION_FLAGS } from "./flags/permission.ts";
import { FLAGS } from "./flags/table.ts";
import { TERMINAL_FLAGS } from "./flags/terminal.ts";
import { SUBCOMMANDS } from "./subcommands.ts";

/** What is wrong and what would be right; undefined when everything typed can be heeded. */
export function wrongCombination(typed: Arguments): string | undefined {
  return (
    unheeded(typed) ?? withoutTerminal(typed) ?? tooMany(typed) ?? COMPLAINTS.find(([isWrong]) => isWrong(typed))?.[1]
  );
}

type Complaint = readonly [isWrong: (typed: Arguments) => boolean, words: string];

const COMPLAINTS: readonly Complaint[] = [
  [
    ({ inputFormat, outputFormat }) => inputFormat === "stream-json" && outputFormat !== "stream-json",
    "--input-format stream-json needs --output-format stream-json",
  ],
  [
    ({ inputFormat, file, image, operands }) =>
      inputFormat === "stream-json" && file.length + image.length > 0 && operands.length === 0,
    "-f and -i go with a prompt; a message on stdin names its files itself, in mentions",
  ],
  [
    ({ includePartialMessages, outputFormat }) => includePartialMessages && outputFormat !== "stream-json",
    "--include-partial-messages needs --output-format stream-json",
  ],
  [({ quiet, verbose }) => quiet && verbose, "--quiet and --verbose contradict each other"],
  [({ quiet, printLogs }) => quiet && printLogs, "--quiet and --print-logs contradict each other"],
  [
    ({ debug, logLevel }) => debug !== undefined && logLevel === "warn",
    "--debug and --log-level warn contradict each other",
  ],
  [
    ({ yolo, permissionMode = "bypass" }) => yolo && permissionMode !== "bypass",
    "--yolo is --permission-mode bypass: leave out one of them",
  ],
  [({ path, op }) => op !== undefined && path === undefined, "--op goes only with --path"],
  [
    ({ batch, path, op, cwd, home, mode, rules, operands }) =>
      batch && [path, op, cwd, home, mode, rules, operands[1]].some((one) => one !== undefined),
    "--batch takes every question from stdin: path, op, cwd, home, mode and rules stand in its lines",
  ],
];

/** Only a run heeds these, and the subcommands that are named. All others are settings, or harmless everywhere. */
const OF_A_RUN: Readonly<Record<string, readonly string[]>> = {
  inputFormat: [],
  outputFormat: [],
  includePartialMessages: [],
  outputLastMessage: [],
  file: [],
  image: [],
  systemPrompt: [],
  systemPromptFile: [],
  appendSystemPrompt: [],
  appendSystemPromptFile: [],
  verbose: [],
  jsonSchema: [],
  tools: [],
  requireVerified: [],
  noSession: [],
  continueLast: [],
  resume: ["demo"],
  fork: [],
  forkSession: [],
  sessionId: ["fork"],
  name: ["fork"],
};

/** Beside `fork` they would be taken for the new session's, but no session keeps them for a run to come. */
const OF_ONE_RUN: readonly Flag[] = [...MODEL_FLAGS, ...PERMISSION_FLAGS];

function unheeded(typed: Arguments): string | undefined {
  const command = SUBCOMMANDS.find(({ name }) => name === typed.subcommand);
  if (!command) return undefined;
  const given = FLAGS.filter(({ key }) => isTyped(typed, key));
  const ofARun = given.find(({ key }) => OF_A_RUN[key] && !command.isRun && !OF_A_RUN[key].includes(command.name));
  if (ofARun) return `${ofARun.names.at(-1)} goes only with a run: khaelor -p`;
  const forNow = command.name === "fork" && OF_ONE_RUN.find(({ key }) => isTyped(typed, key));
  if (forNow) return `fork only makes the fork; ${forNow.names.at(-1)} goes with the run in it: khaelor -p --fork`;
  const [verb = "list"] = typed.operands;
  if (!command.verbs?.includes(verb)) return undefined; // its own complaint says more
  const stray = given.find(({ verbs }) => verbs?.[command.name]?.includes(verb) === false);
  return stray && `${stray.names[0]} goes only with: ${placesOf(stray)}`;
}

function withoutTerminal(typed: Arguments): string | undefined {
  const { print, inputFormat, outputFormat } = typed;
  if (!print && inputFormat === undefined && outputFormat === undefined) return undefined;
  const stray = TERMINAL_FLAGS.find(({ key }) => isTyped(typed, key));
  return stray && `${stray.names[0]} goes only with the terminal: leave it out beside -p`;
}

const isTyped = (typed: Arguments, key: string): boolean => {
  const value = Object.entries(typed).find(([name]) => name === key)?.[1];
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
};

const placesOf = ({ of = [], verbs = {} }: Flag): string =>
  of.flatMap((name) => verbs[name]?.map((verb) => `${name} ${verb}`) ?? [name]).join(", ");

/** What takes no words beside its name. The other subcommands say themselves what they expected. */
const WITHOUT_WORDS: ReadonlySet<string> = new Set([
  "stats",
  "logout",
  "demo",
  "config list",
  "config path",
  "permissions list",
  "permissions suggest",
  "permissions trust",
]);

/** A folder behind `permissions trust` would otherwise be passed over, and another one trusted. */
function tooMany({ subcommand, operands, resume, all }: Arguments): string | undefined {
  if (subcommand === undefined) return undefined;
  const [first, second] = operands;
  const [named, word] = WITHOUT_WORDS.has(subcommand) ? [subcommand, first] : [`${subcommand} ${first}`, second];
  if (word !== undefined && WITHOUT_WORDS.has(named) && resume === undefined) {
    return `"${word}" is one word too many: khaelor ${named} takes none`;
  }
  return subcommand === "fsck" && all && first !== undefined ? `fsck takes --all or names, not both` : undefined;
}
