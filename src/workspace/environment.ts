/**
 * What commands see of the user's environment: all of it but the agent's own keys and switches, and with the settings that
 * keep programs from asking, paging or drawing on a terminal that is not there.
 */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Keys of the agent, switches of its runtime, and its own internals. `BUN_INSTALL` only says where a user's Bun lies. */
const WITHHELD = /^(ANTHROPIC_|BUN_(?!INSTALL$)|KHAELOR_)/;

const FOR_PROGRAMS = {
  TERM: "dumb",
  PAGER: "cat",
  GIT_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
} as const;

/** `passEnv` names variables that are let through although they would be withheld. */
export function childEnvironment(env: Environment, passEnv: readonly string[] = []): Record<string, string> {
  const passed = new Set(passEnv);
  const visible = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && (passed.has(entry[0]) || !WITHHELD.test(entry[0])),
  );
  return { ...Object.fromEntries(visible), ...FOR_PROGRAMS };
}
