/** What of a command line means nothing on a terminal, where a person reads and answers: said at once, with what would be right. */
import { nearest } from "../shared/index.ts";
import type { Arguments } from "./args.ts";
import { SUBCOMMANDS, unknownSubcommand } from "./subcommands.ts";

/** Undefined when everything typed can be heeded. */
export function refusedOnTerminal(typed: Arguments): string | undefined {
  const flag = OF_RUNS.find(([key]) => isTyped(typed[key]));
  if (flag) return `${flag[1]} goes with -p: ${flag[2]}`;
  return slip(typed);
}

type Row = readonly [key: keyof Arguments, name: string, why: string];

const OF_RUNS: readonly Row[] = [
  ["jsonSchema", "--json-schema", "on a terminal nobody takes the answer apart"],
  ["outputLastMessage", "--output-last-message", "here /copy and /export keep what was answered"],
  ["requireVerified", "--require-verified", "it decides the exit code of a run"],
  ["timeout", "--timeout", "a session on a terminal waits for you; Escape stops a turn"],
  ["quiet", "--quiet", "there is nothing to leave out on a screen"],
  ["verbose", "--verbose", "the screen shows what is done while it is done"],
  ["printLogs", "--print-logs", "it would write into the screen; --debug keeps the log in its file"],
];

const isTyped = (value: unknown): boolean => value !== undefined && value !== false;

/** A single word that is nearly a subcommand was probably meant as one, and as a prompt it would cost money. */
function slip({ subcommand, operands, file, image }: Arguments): string | undefined {
  const [word = "", second] = operands;
  if (subcommand !== undefined || second !== undefined || file.length + image.length > 0) return undefined;
  if (!/^[a-z-]+$/.test(word)) return undefined;
  const meant = nearest(
    word,
    SUBCOMMANDS.map(({ name }) => name),
  );
  return meant === undefined ? undefined : `${unknownSubcommand(word)} As a prompt: khaelor "${word} …"`;
}
