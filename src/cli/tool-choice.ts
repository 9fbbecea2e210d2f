/** The tools of a session: chosen when it begins, part of its prefix from then on. */
import { EXIT, nearest, UserError } from "../shared/index.ts";
import { createRegistry, type ToolRegistry } from "../tools/index.ts";

/** Those of `--tools LIST`, in the house's own order; all without a list. Throws UserError for a name that is none. */
export function chosenTools(all: ToolRegistry, typed: string | undefined): ToolRegistry {
  if (typed === undefined) return all;
  const names = typed.split(",").map((name) => name.trim());
  for (const name of names) {
    if (!all.get(name)) throw new UserError(unknown(name, all), EXIT.usage);
  }
  return offered(all, names);
}

/** What a session's prefix offers the model, and nothing else: a tool that was left out cannot be called either. */
export const offered = (all: ToolRegistry, names: readonly string[]): ToolRegistry =>
  createRegistry(all.all.filter(({ name }) => names.includes(name)));

function unknown(name: string, { all }: ToolRegistry): string {
  const names = all.map((tool) => tool.name);
  const guess = nearest(name, names);
  return `--tools: there is no tool "${name}"${guess ? `; did you mean ${guess}?` : "."} There are ${names.join(", ")}.`;
}

export function refuseToolsOnResume(typed: string | undefined, isResumed: boolean): void {
  if (!isResumed || typed === undefined) return;
  throw new UserError(
    "--tools is for a new session: this one goes on with the tools that it began with, for they are part of what the model was told. Leave it out.",
    EXIT.usage,
  );
}
