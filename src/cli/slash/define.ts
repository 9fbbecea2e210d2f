/** What a slash command is: an entry of a table, and a function that is loaded when it is first used. */
import type { CommandUi, Queries, UiAction } from "../../tui/index.ts";
import type { EngineHost } from "../terminal/host.ts";
import type { Surroundings } from "../terminal/surroundings.ts";

/** What a command works with beside the interface. */
export interface SlashContext extends Surroundings {
  readonly host: Pick<EngineHost, "engine" | "current" | "shown" | "dispatch" | "resume" | "compact">;
  readonly queries: Pick<Queries, "sessions">;
}

/** All commands, for the one that explains them. */
export interface SlashCatalog {
  readonly entries: readonly SlashEntry[];
  /** What to say of a name that is in no entry. */
  readonly unknown: (name: string) => string;
}

/** Says through the interface what it did; rejects with an Error for people. */
export type SlashRun = (args: string, ui: CommandUi, context: SlashContext & SlashCatalog) => Promise<void>;

export const SLASH_GROUPS = ["session", "model", "work", "files", "settings", "screen", "help"] as const;

export interface SlashEntry {
  readonly name: string;
  readonly aliases: readonly string[];
  /** What may follow; empty for nothing. */
  readonly args: string;
  readonly about: string;
  readonly group: (typeof SLASH_GROUPS)[number];
  readonly whileBusy: boolean;
  readonly run: SlashRun;
}

/** For what concerns the interface alone. */
export const acts =
  (action: UiAction): SlashRun =>
  async (_args, ui) =>
    ui.act(action);

/** The first word, and everything behind it. */
export function firstWord(args: string): readonly [word: string, rest: string] {
  const [, word = "", rest = ""] = /^\s*(\S*)\s*([\s\S]*)$/.exec(args) ?? [];
  return [word, rest.trim()];
}

/** Switches such as `--save` taken out of the words. An unknown one is an Error that names those there are. */
export function splitSwitches<S extends string>(
  args: string,
  known: readonly S[],
): { readonly words: string; readonly switches: ReadonlySet<S> } {
  const switches = new Set<S>();
  const words: string[] = [];
  for (const word of args.split(/\s+/).filter(Boolean)) {
    const found = known.find((name) => name === word);
    if (found) switches.add(found);
    else if (word.startsWith("--")) throw new Error(`${word}: there is only ${known.join(", ")} here.`);
    else words.push(word);
  }
  return { words: words.join(" "), switches };
}
