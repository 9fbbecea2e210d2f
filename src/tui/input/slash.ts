/** A draft that begins with a slash: which command is meant, and what stands behind its name. Pure. */
import type { SlashCommand } from "../ports.ts";

export interface SlashDraft {
  /** What stands between the slash and the first blank. */
  readonly name: string;
  /** What stands behind the name and one blank; undefined while there is none. */
  readonly args: string | undefined;
}

/** Undefined: the text is for the model. A path such as `/usr/bin` is no command. */
export function slashDraft(text: string): SlashDraft | undefined {
  const [, name, behind] = /^\/([^\s/]*)(\s[\s\S]*)?$/.exec(text) ?? [];
  if (name === undefined) return undefined;
  return { name, args: behind === undefined ? undefined : behind.slice(1) };
}

/** By its name or another name of it, in whatever case it was typed. */
export function commandNamed(commands: readonly SlashCommand[], typed: string): SlashCommand | undefined {
  const name = typed.toLowerCase();
  return commands.find((command) => command.name === name) ?? commands.find(({ aliases }) => aliases.includes(name));
}
