/** What stands at the beginning of every change: the look at the project around commands, and the user's own changes before ours. */
import { type ChangeWatch, createChangeWatch } from "../agent/index.ts";
import { commandReader } from "../permissions/index.ts";
import { baselineOf, createPictures, gitSnapshot } from "../repository/index.ts";
import type { SessionHandle } from "../session/index.ts";
import { type Clock, StoreError } from "../shared/index.ts";
import type { Workspace } from "../workspace/index.ts";
import { settingThatRuns } from "./git-settings.ts";
import { isSpecialFile, resolveRealPath } from "./real-path.ts";
import type { Places } from "./settings.ts";

interface Parts {
  readonly workspace: Workspace;
  readonly projectRoot: string;
  readonly places: Places;
  readonly clock: Clock;
}

export function changeWatchFor({ workspace, projectRoot, places, clock }: Parts, session: SessionHandle): ChangeWatch {
  const { home, userHome } = places;
  const reader = commandReader({
    home: resolveRealPath(userHome) ?? userHome,
    stateFolder: resolveRealPath(home) ?? home,
    projectRoot,
    resolvePath: resolveRealPath,
    isSpecialFile,
    settingThatRuns,
  });
  const keeper = { put: (content: Uint8Array) => putOrLeave(session, content), get: session.blobs.get };
  return createChangeWatch({
    session,
    pictures: createPictures({ workspace, root: projectRoot, keeper, now: clock.now }),
    cwd: workspace.cwd(),
    root: projectRoot,
    onlyReads: reader,
    beforeFirst: () => recordBaseline(session, workspace),
  });
}

/** What cannot be kept is marked as not known where it is recorded; the command is not held up by it. */
async function putOrLeave(session: SessionHandle, content: Uint8Array): Promise<string | undefined> {
  try {
    return await session.blobs.keep(content);
  } catch (error) {
    if (error instanceof StoreError) return undefined;
    throw error;
  }
}

/** Before the first change to a file of this session: what the user's own changes were. */
export async function recordBaseline(session: SessionHandle, workspace: Workspace): Promise<void> {
  if (Object.keys(session.state().files.changes).length > 0) return;
  const git = await gitSnapshot(workspace);
  if (!git) return;
  const payload = { when: "pre-first-edit", baseline: baselineOf(git) } as const;
  session.publish({ type: "git.baseline-recorded", payload });
}
