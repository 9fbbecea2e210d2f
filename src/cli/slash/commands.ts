/**
 * Every slash command as data, in the order of help and documents. The tables cost a start nothing: what a command does is
 * loaded when it is first used. Palette, `/help` and docs/COMMANDS.md are made from them.
 */
import { nearest } from "../../shared/index.ts";
import type { SlashCommand } from "../../tui/index.ts";
import { absentCommand } from "./absent.ts";
import { argumentWords } from "./argument-words.ts";
import type { SlashContext, SlashEntry } from "./define.ts";
import { SCREEN_ENTRIES } from "./screen-entries.ts";
import { SESSION_ENTRIES } from "./session-entries.ts";
import { WORK_ENTRIES } from "./work-entries.ts";

export const SLASH_COMMANDS: readonly SlashEntry[] = [...SESSION_ENTRIES, ...WORK_ENTRIES, ...SCREEN_ENTRIES];

/** They need no engine: they look, go elsewhere, or concern the screen alone. */
const WHILE_READ_ONLY: ReadonlySet<string> = new Set([
  ...["new", "resume", "sessions", "fork", "search", "log", "export", "exit", "copy", "editor", "login", "logout"],
  ...["theme", "vim", "keybindings", "details", "thinking", "raw", "mouse", "redraw"],
  ...["help", "terminal-setup", "release-notes"],
]);

/** As the interface takes them. */
export const slashCommands = (context: SlashContext): readonly SlashCommand[] =>
  SLASH_COMMANDS.map(({ run, ...entry }) => ({
    ...entry,
    ...(WHILE_READ_ONLY.has(entry.name) && { whileReadOnly: true }),
    complete: () => argumentWords(entry, SLASH_COMMANDS, context.host.current()),
    run: (args, ui) => run(args, ui, { ...context, entries: SLASH_COMMANDS, unknown: unknownCommand }),
  }));

/** Of a name that is in no entry: that it comes later, or what was probably meant. */
export function unknownCommand(typed: string): string {
  const name = typed.replace(/^\//, "").toLowerCase();
  const absent = absentCommand(name);
  if (absent !== undefined) return absent;
  const meant = nearest(
    name,
    SLASH_COMMANDS.flatMap((entry) => [entry.name, ...entry.aliases]),
  );
  return `There is no command /${name}${meant === undefined ? "; /help lists them" : `; did you mean /${meant}?`}`;
}
