/** How the user wants the terminal, before a session is open: from the same files and flags as everything else. */
import { BUILT_IN, loadConfig, problemLines, type ResolvedConfig } from "../../config/index.ts";
import { EXIT, UserError } from "../../shared/index.ts";
import type { TerminalSettings } from "../../tui/index.ts";
import { VERSION } from "../version.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * A configuration that cannot be used is told when the session is opened; until then the flags count. Throws UserError for
 * keys and actions that do not exist: only here is known which there are.
 */
export async function terminalSettings({ places, env, flags }: Surroundings): Promise<TerminalSettings> {
  const { home, chosen, cwd, userHome } = places;
  const defaults = { model: "", auxModel: "" }; // nothing is asked of a model here
  const loaded = await loadConfig({ home, projectRoot: cwd, env, flags, defaults, ...(chosen && { chosen }) });
  if (loaded.ok) await refuseStrangeKeys(loaded.value);
  const { theme, keybindings, terminal } = loaded.ok ? loaded.value.config : { ...BUILT_IN, keybindings: {}, ...flags };
  return { theme, ...BUILT_IN.terminal, ...terminal, keybindings, home: userHome, version: VERSION };
}

async function refuseStrangeKeys({ config, origins }: ResolvedConfig): Promise<void> {
  if (Object.keys(config.keybindings).length === 0) return;
  const { bindingProblems } = await import("../../tui/index.ts");
  const problems = bindingProblems(config.keybindings).map(({ action, at, expected, got }) => {
    const { file, line, name } = origins[`keybindings.${action}`] ?? {};
    const key = `keybindings.${action}${at === undefined ? "" : `.${at}`}`;
    return { file: file ?? name ?? "the configuration", ...(line !== undefined && { line }), key, expected, got };
  });
  if (problems.length === 0) return;
  throw new UserError(`the keys have to be repaired first:\n${problemLines(problems).join("\n")}`, EXIT.usage);
}
