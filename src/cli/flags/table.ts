/** Every flag, in the order of the help. */
import { COMMAND_FLAGS } from "./command.ts";
import { CONFIG_FLAGS } from "./config.ts";
import type { Flag, FlagValues } from "./define.ts";
import { MODEL_FLAGS } from "./model.ts";
import { OUTPUT_FLAGS } from "./output.ts";
import { PERMISSION_FLAGS } from "./permission.ts";
import { SESSION_FLAGS } from "./session.ts";

const TABLE = [
  ...SESSION_FLAGS,
  ...OUTPUT_FLAGS,
  ...MODEL_FLAGS,
  ...PERMISSION_FLAGS,
  ...CONFIG_FLAGS,
  ...COMMAND_FLAGS,
] as const;

export const FLAGS: readonly Flag[] = TABLE;
export type ParsedFlags = FlagValues<(typeof TABLE)[number]>;
