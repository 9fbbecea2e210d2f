/** Everything that the interface is given, put together. What is not needed for the first frame is loaded when it is asked for. */
import type { TerminalPorts } from "../../tui/index.ts";
import { slashCommands, unknownCommand } from "../slash/commands.ts";
import type { EngineHost } from "./host.ts";
import { createQueries } from "./queries.ts";
import { terminalSettings } from "./settings.ts";
import type { Surroundings } from "./surroundings.ts";

export async function terminalPorts(host: EngineHost, surroundings: Surroundings): Promise<TerminalPorts> {
  const { places } = surroundings;
  const queries = createQueries(host, surroundings);
  const settings = await terminalSettings(surroundings);
  return {
    host,
    queries,
    commands: slashCommands({ host, queries, ...surroundings }),
    unknownCommand,
    drafts: { load: async () => undefined, save: () => undefined },
    settings,
    outside: {
      edit: async () => ({ problem: "there is no editor yet" }),
      page: async () => undefined,
      copy: async () => false,
      storeKey: async (key) => void (await (await import("../stored-key.ts")).storeKey(places.home, key)),
    },
  };
}
