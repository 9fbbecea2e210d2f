/** `/init`: the model writes down for later sessions how this project works. */
import type { CommandUi } from "../../tui/index.ts";
import type { SlashContext } from "./define.ts";
import text from "./init.md" with { type: "text" };

export async function init(_args: string, ui: CommandUi, _context: SlashContext): Promise<void> {
  ui.submit(text.trim());
}
