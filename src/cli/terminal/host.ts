/** Opens sessions for the terminal: an engine at a time, composed as every other front composes it. */
import { homedir } from "node:os";
import { invariant } from "../../shared/index.ts";
import type { OpenSession, SessionFacts, SessionHost, TerminalChoice } from "../../tui/index.ts";
import { composeEngine } from "../compose.ts";
import type { Engine, EngineOptions } from "../engine.ts";

export type HostOptions = Omit<EngineOptions, "resume" | "fork" | "name" | "title" | "somebodyToAsk">;

/** What commands and queries of the terminal work with: the engine that is open now. */
export interface EngineHost extends SessionHost {
  /** Throws when none is open. */
  engine(): Engine;
}

export function createHost(options: HostOptions): EngineHost {
  let open: Engine | undefined;
  async function close(): Promise<void> {
    const closing = open;
    open = undefined;
    if (!closing) return;
    closing.agent.dispatch({ kind: "quit" });
    await closing.agent.settled();
    await closing.close();
  }
  return {
    async open(choice) {
      await close();
      open = await composeEngine({ ...options, ...chosen(choice), title: "", somebodyToAsk: true });
      return openSession(open);
    },
    close,
    engine() {
      invariant(open !== undefined, "commands run in an open session");
      return open;
    },
  };
}

const chosen = ({ resume, fork, name }: TerminalChoice): Partial<EngineOptions> => ({
  ...(resume !== undefined && { resume }),
  ...(fork && { resume: fork.id, fork: fork.seq === undefined ? {} : { seq: fork.seq } }),
  ...(name !== undefined && { name }),
});

function openSession(engine: Engine): OpenSession {
  const { session, store, agent, notices } = engine;
  const { promise: died, reject } = Promise.withResolvers<never>();
  died.catch(() => undefined);
  const watch = (): void => {
    agent.settled().catch(reject);
  };
  return {
    id: session.id,
    path: session.path,
    notices,
    history: () => store.read(session.id),
    subscribe: (onEvent) => session.bus.onAny(onEvent),
    dispatch(command) {
      agent.dispatch(command);
      watch();
    },
    resume: () => agent.resume(),
    facts: () => factsOf(engine),
    died,
  };
}

function factsOf({ session, config }: Engine): SessionFacts {
  const { meta, turn, usage, processes, files } = session.state();
  return {
    title: meta.title,
    folder: meta.workingDirectory.replace(homedir(), "~"),
    branch: meta.gitBranch ?? undefined,
    changedFiles: Object.keys(files.changes).length,
    model: turn.model,
    thinking: turn.thinking ?? config.thinking,
    effort: turn.effort,
    permissionMode: config.permissionMode,
    contextTokens: usage.last && usage.last.inputTokens + usage.last.cacheReadTokens + usage.last.cacheWriteTokens,
    contextWindow: 200_000,
    costUsd: usage.costUsd,
    processes: processes.live.length,
  };
}
