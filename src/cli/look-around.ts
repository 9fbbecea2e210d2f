/** What is found out about a folder before anything is composed: its project, and in the background what git says of it. */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { type FirstBytes, findGitRoot, type GitSnapshot, gitSnapshot } from "../repository/index.ts";
import { err, errorCode, ok } from "../shared/index.ts";
import { createLocalWorkspace } from "../workspace/index.ts";
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
  const root = await findGitRoot({ cwd: workspace.cwd, readFile: firstBytes });
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

/** At once, for a start asks this of every folder upwards, and each answer of the workspace costs trips through the thread pool. */
const firstBytes: FirstBytes["readFile"] = (path, { maxBytes }) => Promise.resolve(bytesOf(path, maxBytes));

function bytesOf(path: string, maxBytes: number): Awaited<ReturnType<FirstBytes["readFile"]>> {
  try {
    const stat = statSync(path);
    if (stat.isDirectory()) return err({ kind: "is-directory" });
    return stat.isFile() ? ok({ bytes: beginning(path, maxBytes) }) : err({ kind: "not-regular" });
  } catch (error) {
    return err({ kind: errorCode(error) ?? "io" });
  }
}

function beginning(path: string, maxBytes: number): Uint8Array {
  const bytes = new Uint8Array(maxBytes);
  if (maxBytes === 0) return bytes;
  const fd = openSync(path, "r");
  try {
    return bytes.subarray(0, readSync(fd, bytes));
  } finally {
    closeSync(fd);
  }
}
