/** What can be typed where there is no screen, and which commands are of no use there. */
import type { SlashCommand } from "../ports.ts";

/** They are about a screen. */
const OF_SCREENS: ReadonlySet<string> = new Set(["copy", "editor", "vim", "mouse", "redraw", "keybindings"]);

const TYPED = [
  "- A line is a message; while a turn runs it steers it, and `/queue TEXT` waits for its end.",
  "- `\\` at the end of a line goes on in the next one. `@path` and `@path:10-40` mention a file.",
  "- `!command` runs it yourself. A line that begins with `/` is a command.",
  "- Ctrl+C stops the turn; twice while nothing runs it ends khaelor, as the end of the input (Ctrl+D) does.",
  "- `/details` prints from then on what calls printed, `/thinking` what the model thought, `/raw` all of it again.",
].join("\n");

export const keysText = (): string => `What can be typed:\n\n${TYPED}`;

export function helpText(commands: readonly SlashCommand[]): string {
  const rows = commands
    .filter(({ name }) => !OF_SCREENS.has(name))
    .map(({ name, args, about }) => `- \`${`/${name} ${args}`.trim()}\` ${about}`);
  return `${keysText()}\n\nCommands:\n\n${rows.join("\n")}`;
}
