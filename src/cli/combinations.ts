/** Flags that mean nothing beside each other: said at once, for a flag that is silently without effect misleads. */
import type { Arguments } from "./args.ts";

type Typed = Pick<
  Arguments,
  | "subcommand"
  | "inputFormat"
  | "outputFormat"
  | "includePartialMessages"
  | "outputLastMessage"
  | "file"
  | "image"
  | "quiet"
  | "verbose"
  | "printLogs"
  | "debug"
  | "logLevel"
  | "operands"
  | (typeof PROMPT_FLAGS)[number][0]
>;

/** What is wrong and what would be right; undefined when everything typed can be heeded. */
export function wrongCombination(typed: Typed): string | undefined {
  return COMPLAINTS.find(([isWrong]) => isWrong(typed))?.[1](typed);
}

type Complaint = readonly [isWrong: (typed: Typed) => boolean, words: (typed: Typed) => string];

const COMPLAINTS: readonly Complaint[] = [
  [
    (typed) => typed.subcommand !== undefined && ofARun(typed) !== undefined,
    (typed) => `${ofARun(typed)} goes only with a run: khaelor -p`,
  ],
  [
    ({ inputFormat, outputFormat }) => inputFormat === "stream-json" && outputFormat !== "stream-json",
    () => "--input-format stream-json needs --output-format stream-json",
  ],
  [
    ({ inputFormat, file, image, operands }) =>
      inputFormat === "stream-json" && file.length + image.length > 0 && operands.length === 0,
    () => "-f and -i go with a prompt; a message on stdin names its files itself, in mentions",
  ],
  [
    ({ includePartialMessages, outputFormat }) => includePartialMessages && outputFormat !== "stream-json",
    () => "--include-partial-messages needs --output-format stream-json",
  ],
  [({ quiet, verbose }) => quiet && verbose, () => "--quiet and --verbose contradict each other"],
  [({ quiet, printLogs }) => quiet && printLogs, () => "--quiet and --print-logs contradict each other"],
  [
    ({ debug, logLevel }) => debug !== undefined && logLevel === "warn",
    () => "--debug and --log-level warn contradict each other",
  ],
];

const PROMPT_FLAGS = [
  ["systemPrompt", "--system-prompt"],
  ["systemPromptFile", "--system-prompt-file"],
  ["appendSystemPrompt", "--append-system-prompt"],
  ["appendSystemPromptFile", "--append-system-prompt-file"],
] as const;

/** The first flag that only a run heeds. */
function ofARun(typed: Typed): string | undefined {
  if (typed.inputFormat !== undefined) return "--input-format";
  if (typed.includePartialMessages) return "--include-partial-messages";
  if (typed.outputLastMessage !== undefined) return "--output-last-message";
  if (typed.file.length > 0) return "--file";
  if (typed.image.length > 0) return "--image";
  const prompt = PROMPT_FLAGS.find(([key]) => typed[key] !== undefined);
  if (prompt) return prompt[1];
  return typed.verbose ? "--verbose" : undefined;
}
