/** What the interface looks up: files, sessions, what was said before, whole outputs. Each is loaded when it is first asked. */
import type { Queries } from "../../tui/index.ts";
import type { EngineHost } from "./host.ts";
import type { Surroundings } from "./surroundings.ts";

export function createQueries(host: EngineHost, surroundings: Surroundings): Queries {
  let opened: Promise<Pick<Queries, "sessions" | "promptHistory" | "fullOutput">> | undefined;
  const sessions = () => {
    opened ??= import("./session-queries.ts").then(({ createSessionQueries }) =>
      createSessionQueries(host, surroundings),
    );
    return opened;
  };
  let finding: Promise<Pick<Queries, "findFiles" | "noteAccess">> | undefined;
  const files = () => {
    finding ??= import("./find-files.ts").then(({ createFindFiles }) => createFindFiles(host, surroundings));
    return finding;
  };
  return {
    findFiles: async (text, limit, signal) => (await files()).findFiles(text, limit, signal),
    noteAccess: (path) => void files().then(({ noteAccess }) => noteAccess(path)),
    sessions: async (text, signal) => (await sessions()).sessions(text, signal),
    promptHistory: async () => (await sessions()).promptHistory(),
    fullOutput: async (toolUseId) => (await sessions()).fullOutput(toolUseId),
  };
}
