/**
 * Whether the user's own settings ask for lines in place of a screen. It is only a look, for the sake of what must not be drawn
 * before the settings are read; what counts is decided by them.
 */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../settings.ts";

export function mayWantLines(env: Environment): boolean {
  const home = env.KHAELOR_HOME || join(env.HOME || homedir(), ".khaelor");
  try {
    return /"screenReader"\s*:\s*true/.test(readFileSync(join(home, "config.json"), "utf8"));
  } catch {
    return false; // there are none, or they are told to be unreadable by whoever reads them
  }
}
