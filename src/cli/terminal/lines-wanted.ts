/**
 * Whether the user's own settings ask for lines in place of a screen. It is only a look, for the sake of what must not be drawn
 * before the settings are read; what counts is decided by them.
 */
import { homedir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../settings.ts";
import { readOwnFile } from "./own-file.ts";

const MAX_BYTES = 1024 * 1024;

export function mayWantLines(env: Environment): boolean {
  const home = env.KHAELOR_HOME || join(env.HOME || homedir(), ".khaelor");
  // Where there are none, or they cannot be read, whoever reads them says so.
  return /"screenReader"\s*:\s*true/.test(readOwnFile(join(home, "config.json"), MAX_BYTES) ?? "");
}
