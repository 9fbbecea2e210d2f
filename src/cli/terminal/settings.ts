/** How the user wants the terminal, before a session is open: from the same files and flags as everything else. */
import { loadConfig } from "../../config/index.ts";
import type { TerminalSettings } from "../../tui/index.ts";
import { VERSION } from "../version.ts";
import type { Surroundings } from "./surroundings.ts";

/** A configuration that cannot be used is told when the session is opened; until then the flags count. */
export async function terminalSettings({ places, env, flags }: Surroundings): Promise<TerminalSettings> {
  const { home, chosen, cwd, userHome } = places;
  const defaults = { model: "", auxModel: "" }; // nothing is asked of a model here
  const loaded = await loadConfig({ home, projectRoot: cwd, env, flags, defaults, ...(chosen && { chosen }) });
  const { theme, keybindings, terminal } = loaded.ok ? loaded.value.config : { ...DEFAULTS, ...flags };
  const { mouse, vim, alternateScreen, notifications } = { ...DEFAULTS.terminal, ...terminal };
  return {
    theme: theme ?? DEFAULTS.theme,
    mouse,
    vim,
    alternateScreen,
    notifications,
    keybindings: keybindings ?? {},
    home: userHome,
    version: VERSION,
  };
}

const DEFAULTS = {
  theme: "auto",
  keybindings: {},
  terminal: { mouse: true, vim: false, alternateScreen: true, notifications: true },
} as const;
