/** What is found out about a folder before anything is composed: its project, and in the background what git says of it. */
import { type GitSnapshot, gitSnapshot } from "../repository/index.ts";
import { createLocalWorkspace } from "../workspace/index.ts";
import { gitRootAt } from "./project-root.ts";
import type { Environment } from "./settings.ts";

export interface Place {
  /** The git root when there is one, else the folder itself. */
  readonly projectRoot: string;
  /** Asks git, at the first call; every call gets the same answer. */
  readonly snapshot: () => Promise<GitSnapshot | undefined>;
  /** Resolves when git has answered, if it was asked: then nothing of this is left running. */
  readonly settled: () => Promise<void>;
}

/** Throws UserError when there is no such folder. Git ends by itself, also without us, so no watchdog is started for it. */
export async function lookAround(cwd: string, env: Environment): Promise<Place> {
  const workspace = createLocalWorkspace({ cwd, env, watchdog: false });
  const root = await gitRootAt(workspace.cwd());
  let taken: Promise<GitSnapshot | undefined> | undefined;
  return {
    projectRoot: root ?? workspace.cwd(),
    snapshot() {
      taken ??= root === undefined ? Promise.resolve(undefined) : gitSnapshot(workspace, { root });
      taken.catch(() => undefined); // it is awaited later
      return taken;
    },
    async settled() {
      await taken?.catch(() => undefined); // called when something else has failed already
    },
  };
}
