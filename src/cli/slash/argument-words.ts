/** What may follow a command, from what is known already: words of its own table entry, models, levels, names of commands. */
import type { Engine } from "../engine.ts";
import { AUTO } from "../model-switch.ts";
import type { SlashEntry } from "./define.ts";

const KNOWN: Readonly<Record<string, (engine: Engine) => readonly string[]>> = {
  model: ({ models }) => models.known,
  effort: ({ models, session }) => [AUTO, ...models.facts(session.state().turn.model).efforts],
};

/** Quick enough to be asked with each key. Empty where only the user can know. */
export function argumentWords(
  { name, args }: Pick<SlashEntry, "name" | "args">,
  entries: readonly Pick<SlashEntry, "name">[],
  engine: Engine | undefined,
): readonly string[] {
  if (name === "help") return entries.map((entry) => entry.name);
  const known = KNOWN[name];
  if (known) return engine ? known(engine) : [];
  // Of what is written in capitals only the user knows what it stands for.
  const [first = ""] = args.replace(/^\[/, "").split(/[\] ]/);
  return first.split("|").filter((word) => /^[a-z][a-z-]+$/.test(word));
}
