/** Everything that the interface is given, put together. What is not needed for the first frame is loaded when it is asked for. */
import type { TerminalPorts } from "../../tui/index.ts";
import { slashCommands, unknownCommand } from "../slash/commands.ts";
import { createDrafts } from "./drafts.ts";
import type { EngineHost } from "./host.ts";
import { createOutside } from "./outside.ts";
import { createQueries } from "./queries.ts";
import { terminalSettings } from "./settings.ts";
import type { Surroundings } from "./surroundings.ts";

export async function terminalPorts(host: EngineHost, surroundings: Surroundings): Promise<TerminalPorts> {
  const queries = createQueries(host, surroundings);
  const settings = await terminalSettings(surroundings);
  return {
    host,
    queries,
    commands: slashCommands({ host, queries, ...surroundings }),
    unknownCommand,
    drafts: createDrafts(async () => (await import("./draft-place.ts")).draftPlace(surroundings)),
    settings,
    outside: createOutside(surroundings, host),
  };
}
