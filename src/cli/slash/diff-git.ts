/** Changes that git knows of: yours, what is staged, and all of them with whose each is. */
import { isAbsolute, join, relative } from "node:path";
import { type GitDiff, gitDiff } from "../../repository/index.ts";
import { contentDiff } from "../../tools/index.ts";
import type { DiffFile } from "../../tui/index.ts";
import type { Engine } from "../engine.ts";
import { counted } from "../words.ts";
import { type ChangeList, changedByKhaelor, contentOf, MAX_FILE_BYTES, MAX_FILES } from "./diff-own.ts";

export async function changedStaged(engine: Engine): Promise<ChangeList> {
  const found = await ask(engine, true);
  return bounded(
    found.files.map(({ path, ...rest }) => ({ path: shownPath(engine, path), ...rest })),
    found,
  );
}

/** Everything since the last commit. */
export async function changedInAll(engine: Engine): Promise<ChangeList> {
  const found = await ask(engine, false);
  const owner = await ownership(engine);
  const tracked = found.files.map(({ path, ...rest }) => {
    const name = shownPath(engine, path);
    return { path: name, ...rest, by: owner(name) };
  });
  const added = await untrackedFiles(engine, found);
  return bounded([...tracked, ...added.map((file) => ({ ...file, by: owner(file.path) }))], found);
}

/** Without the files that are KHAELOR's alone. Of a file that both changed, everything since the last commit is shown. */
export async function changedByYou(engine: Engine): Promise<ChangeList> {
  const { files, notes } = await changedInAll(engine);
  return { files: files.filter(({ by }) => by !== "khaelor"), notes };
}

async function ask({ workspace, projectRoot }: Engine, isStaged: boolean): Promise<GitDiff> {
  const found = await gitDiff({ workspace, root: projectRoot, isStaged });
  if (!found)
    throw new Error("git cannot be asked here: this needs a repository. /diff shows KHAELOR's changes without one.");
  return found;
}

type Owner = NonNullable<DiffFile["by"]>;

/** A file that had changes of yours before KHAELOR's first, or got some since, is both's. */
async function ownership(engine: Engine): Promise<(path: string) => Owner> {
  const { baseline, changes } = engine.session.state().files;
  const before = new Set([...(baseline?.dirtyFiles ?? []), ...(baseline?.untrackedFiles ?? [])]);
  const wasYours = (path: string): boolean => {
    const fromRoot = relative(engine.projectRoot, isAbsolute(path) ? path : join(engine.workspace.cwd(), path));
    return before.has(fromRoot) || [...before].some((name) => name.endsWith("/") && fromRoot.startsWith(name));
  };
  const own = new Map((await changedByKhaelor(engine)).files.map(({ path, by }) => [path, by]));
  return (path) => {
    if (!Object.hasOwn(changes, path)) return "you";
    return wasYours(path) || own.get(path) === "both" ? "both" : "khaelor";
  };
}

async function untrackedFiles(engine: Engine, { untracked }: GitDiff): Promise<readonly DiffFile[]> {
  const files: DiffFile[] = [];
  for (const path of untracked.slice(0, MAX_FILES)) {
    const content = await contentOf(engine.workspace, join(engine.projectRoot, path));
    const name = shownPath(engine, path);
    const found =
      content === undefined || content === "unreadable"
        ? undefined
        : await contentDiff(name, [undefined, content], MAX_FILE_BYTES);
    files.push({ path: name, diff: found?.diff ?? "", ...(found?.diffStats ?? { added: 0, removed: 0 }) });
  }
  return files;
}

/** As the log names it: relative in the working directory, absolute elsewhere. */
function shownPath({ workspace, projectRoot }: Engine, path: string): string {
  const inside = relative(workspace.cwd(), join(projectRoot, path));
  return inside.startsWith("..") || isAbsolute(inside) ? join(projectRoot, path) : inside;
}

function bounded(files: readonly DiffFile[], { isCut, untracked }: GitDiff): ChangeList {
  const left = Math.max(0, files.length - MAX_FILES) + Math.max(0, untracked.length - MAX_FILES);
  return {
    files: files
      .slice(0, MAX_FILES)
      .map((file) => ({ ...file, diff: file.diff.slice(0, 2 * MAX_FILE_BYTES).toWellFormed() })),
    notes:
      isCut || left > 0 ? [`There is more than is shown${left > 0 ? `: ${counted(left, "more file")}` : ""}.`] : [],
  };
}
