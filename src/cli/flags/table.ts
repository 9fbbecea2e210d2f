/** Every flag, in the order of the help. */
import { COMMAND_FLAGS } from "./command.ts";
import { CONFIG_FLAGS } from "./config.ts";
import type { Flag, FlagValues } from "./define.ts";
import { MODEL_FLAGS } from "./model.ts";
import { OUTPUT_FLAGS } from "./output.ts";
import { PERMISSION_FLAGS } from "./permission.ts";
import { SESSION_FLAGS } from "./session.ts";
import { TERMINAL_FLAGS } from "./terminal.ts";

const TABLE = [
  ...SESSION_FLAGS,
  ...OUTPUT_FLAGS,
  ...MODEL_FLAGS,
  ...PERMISSION_FLAGS,
  ...CONFIG_FLAGS,
  ...TERMINAL_FLAGS,
  ...COMMAND_FLAGS,
] as const;

/** Those of a run, by what they are about; the others belong to a subcommand. */
export const FAMILIES: readonly { readonly title: string; readonly flags: readonly Flag[] }[] = [
  { title: "Which session, and what it is given", flags: SESSION_FLAGS },
  { title: "What goes in and comes out", flags: OUTPUT_FLAGS },
  { title: "What answers, and how much it may spend", flags: MODEL_FLAGS },
  { title: "What may be done, and what has to be proved", flags: PERMISSION_FLAGS },
  { title: "Where settings come from", flags: CONFIG_FLAGS },
  { title: "How the terminal is used", flags: TERMINAL_FLAGS },
];

export const FLAGS: readonly Flag[] = TABLE;
export type ParsedFlags = FlagValues<(typeof TABLE)[number]>;
