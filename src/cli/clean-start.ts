/**
 * The runtime inside the executable heeds variables of its own, some of which print the key or load code. Nothing that runs
 * here can undo them, so the program starts over without them, as the same process, before it does anything else.
 */
import type { Environment } from "./settings.ts";

/** Where the bundle of an executable lies. From source these variables are the developer's own. */
const COMPILED = "/$bunfs/";
/** As for commands: switches of the runtime, but not the place where a user's own Bun lies. */
const SWITCH = /^BUN_(?!INSTALL$)/;

/** The environment to start over with, or undefined when this one will do. */
function cleanEnvironment(env: Environment): Record<string, string> | undefined {
  const named = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const kept = named.filter(([name]) => !SWITCH.test(name));
  return kept.length === named.length ? undefined : Object.fromEntries(kept);
}

/** Returns only when there is nothing to clean. */
export function startClean(): void {
  const env = import.meta.path.startsWith(COMPILED) ? cleanEnvironment(process.env) : undefined;
  if (!env) return;
  if (!process.execve) throw new Error("unset the variables that begin with BUN_ and try again");
  process.execve(process.execPath, [process.argv0, ...process.argv.slice(2)], env);
}
