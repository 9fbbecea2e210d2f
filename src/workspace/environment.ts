/**
 * What commands see of the user's environment: all of it but the agent's own keys and switches, and with the settings that
 * keep programs from asking, paging or drawing on a terminal that is not there. The folder they run in names no programs.
 */
import { isAbsolute } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Keys of the agent, switches of its runtime, and its own internals. `BUN_INSTALL` only says where a user's Bun lies. */
const WITHHELD = /^(ANTHROPIC_|BUN_(?!INSTALL$)|KHAELOR_)/;

const FOR_PROGRAMS = {
  TERM: "dumb",
  PAGER: "cat",
  GIT_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0", // `git status` would else write the index, and run a hook for it
} as const;

/** `passEnv` names variables that are let through although they would be withheld. */
export function childEnvironment(env: Environment, passEnv: readonly string[] = []): Record<string, string> {
  const kept = visibleEnvironment(env, passEnv);
  return { ...kept, ...plainFoldersAreNoRepositories(kept), ...FOR_PROGRAMS };
}

/** The same without the settings: for the user's own programs, which have a terminal. */
export function visibleEnvironment(env: Environment, passEnv: readonly string[] = []): Record<string, string> {
  const passed = new Set(passEnv);
  const visible = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && (passed.has(entry[0]) || !WITHHELD.test(entry[0])),
  );
  return { ...Object.fromEntries(visible), ...programsOf(env) };
}

/** Without the entries that depend on where a command runs: there a repository would bring its own `git`, `ls` and `cat`. */
function programsOf({ PATH }: Environment): { readonly PATH?: string } {
  return PATH === undefined ? {} : { PATH: PATH.split(":").filter(isAbsolute).join(":") || DEFAULT_PATH };
}

/** An empty one would mean the working directory. */
const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

/**
 * A bare repository among a project's files brings its own configuration, which names programs: git enters one only where
 * `--git-dir` says so. Behind the settings that the user gives in the same way.
 */
function plainFoldersAreNoRepositories(env: Readonly<Record<string, string>>): Record<string, string> {
  const count = /^\d{1,4}$/.test(env.GIT_CONFIG_COUNT ?? "") ? Number(env.GIT_CONFIG_COUNT) : 0;
  return {
    GIT_CONFIG_COUNT: String(count + 1),
    [`GIT_CONFIG_KEY_${count}`]: "safe.bareRepository",
    [`GIT_CONFIG_VALUE_${count}`]: "explicit",
  };
}
