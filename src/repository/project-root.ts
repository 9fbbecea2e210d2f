/** Where a project begins: at the nearest folder with a `.git`, else where one stands. Asks the file system, not git. */
import { dirname, join } from "node:path";
import type { Result } from "../shared/index.ts";

/** What is asked of a workspace here: where one stands, and the first bytes of a file. */
export interface FirstBytes {
  cwd(): string;
  /** With 0 for `maxBytes` it is only looked whether there is a file. */
  readFile(
    path: string,
    options: { readonly maxBytes: number },
  ): Promise<Result<{ readonly bytes: Uint8Array }, { readonly kind: string }>>;
}

/**
 * The nearest folder, from `cwd` upwards, that holds a repository's `.git`; undefined outside any repository. `core.worktree` is
 * not believed: a repository that names the user's home as its work tree would make everything there part of the project.
 */
export async function findGitRoot(workspace: FirstBytes, cwd = workspace.cwd()): Promise<string | undefined> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (await holdsRepository(workspace, folder)) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/** As git sees it: a folder with a HEAD, or (in a work tree or submodule) a file that points to one. */
async function holdsRepository(workspace: FirstBytes, folder: string): Promise<boolean> {
  const git = await workspace.readFile(join(folder, ".git"), { maxBytes: 7 });
  if (git.ok) return new TextDecoder().decode(git.value.bytes) === "gitdir:";
  if (git.error.kind !== "is-directory") return false;
  const head = await workspace.readFile(join(folder, ".git", "HEAD"), { maxBytes: 0 });
  return head.ok;
}
