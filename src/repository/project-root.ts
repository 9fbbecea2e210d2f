/** Where a project begins: at the nearest folder with a `.git`, else where one stands. Asks the file system, not git. */
import { dirname, join } from "node:path";
import type { Workspace } from "../workspace/index.ts";

/**
 * The root, absolute. `core.worktree` is not believed: a repository that names the user's home as its work tree would make
 * everything there part of the project.
 */
export async function findProjectRoot(workspace: Workspace, cwd = workspace.cwd()): Promise<string> {
  return (await findGitRoot(workspace, cwd)) ?? cwd;
}

/** The nearest folder, from `cwd` upwards, that holds a repository's `.git`; undefined outside any repository. */
export async function findGitRoot(workspace: Workspace, cwd = workspace.cwd()): Promise<string | undefined> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (await holdsRepository(workspace, folder)) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/** As git sees it: a folder with a HEAD, or (in a work tree or submodule) a file that points to one. */
async function holdsRepository(workspace: Workspace, folder: string): Promise<boolean> {
  const git = await workspace.readFile(join(folder, ".git"), { maxBytes: 7 });
  if (git.ok) return new TextDecoder().decode(git.value.bytes) === "gitdir:";
  if (git.error.kind !== "is-directory") return false;
  const head = await workspace.readFile(join(folder, ".git", "HEAD"), { maxBytes: 0 });
  return head.ok;
}
