/** What a repository looks like at one moment: for the status bar, the captured context, and the baseline of a session. */
import type { GitBaseline } from "../shared/index.ts";
import type { Workspace } from "../workspace/index.ts";
import { askOnce, GIT, type GitAnswer } from "./git.ts";
import { findGitRoot } from "./project-root.ts";

export interface GitSnapshot {
  /** Absolute; the folder that holds `.git`. */
  readonly root: string;
  /** Null when no branch is checked out. */
  readonly branch: string | null;
  /** The full commit id; null before the first commit. */
  readonly head: string | null;
  /** Tracked files that differ from `head`, staged or not, relative to `root`, in git's order. */
  readonly dirtyFiles: readonly string[];
  /** A folder with nothing tracked in it is one entry that ends in a slash. Ignored files are not listed. */
  readonly untrackedFiles: readonly string[];
  /** There are more names than the two lists hold. */
  readonly cut: boolean;
  /** Stands for every difference between the tracked files and `head`; null when it could not be taken in time. */
  readonly diffHash: string | null;
}

const MAX_FILES = 500;

/** `root` spares looking for it. Undefined outside a repository, without a usable git, and when git refuses (another user's folder) or takes too long. */
export async function gitSnapshot(
  workspace: Workspace,
  options: { readonly signal?: AbortSignal; readonly root?: string } = {},
): Promise<GitSnapshot | undefined> {
  const root = options.root ?? (await findGitRoot(workspace));
  if (root === undefined) return undefined;
  const question = { ...options, workspace, root };
  const status = await askOnce(question, STATUS);
  if (status?.exitCode !== 0) return undefined;
  const seen = parsed(status);
  const nothing = status.complete && seen.dirtyFiles.length === 0 ? NOTHING[seen.head?.length ?? 0] : undefined;
  return { root, ...seen, diffHash: nothing ?? hashIn(await askOnce(question, DIFF_HASH)) };
}

/** What git calls an empty text, by the length of its commits' ids: where no tracked file differs, nobody need be asked. */
const NOTHING: Readonly<Record<number, string>> = {
  40: "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
  64: "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
};

export const baselineOf = ({ root, branch, head, dirtyFiles, untrackedFiles, diffHash }: GitSnapshot): GitBaseline => ({
  branch: branch ?? "(detached)",
  dirtyFiles: [...dirtyFiles],
  untrackedFiles: [...untrackedFiles],
  diffHash: diffHash ?? "unavailable",
  ...(head !== null && { head }),
  root,
});

/** Submodules are compared by commit only: looking inside would obey their configuration. */
const STATUS = `exec ${GIT} status --porcelain=v2 --branch -z --untracked-files=normal --ignore-submodules=dirty --no-renames`;

const DIFF = `${GIT} diff --no-ext-diff --no-textconv --no-color --no-renames --ignore-submodules=dirty --full-index --unified=0`;

/**
 * Prints the diff's hash and git's exit status, in whatever order they come: a pipe alone would hide a failure. A file that
 * was only touched has a heading and nothing else, for git may not note in its index that it is the same; headings go.
 */
const DIFF_HASH = `base=$(${GIT} rev-parse --verify --quiet 'HEAD^{commit}' || true)
{ { ${DIFF} $base --; echo "status $?" >&3; } | sed '/^diff --git /d' | ${GIT} hash-object --stdin; } 3>&1`;

function hashIn(answer: GitAnswer | undefined): string | null {
  if (!answer) return null;
  const { exitCode, bytes } = answer;
  const text = new TextDecoder().decode(bytes);
  if (exitCode !== 0 || !/^status 0$/m.test(text)) return null;
  return /^[0-9a-f]{40,64}$/m.exec(text)?.[0] ?? null;
}

function parsed({
  bytes,
  complete,
}: GitAnswer): Pick<GitSnapshot, "branch" | "head" | "dirtyFiles" | "untrackedFiles" | "cut"> {
  const records = new TextDecoder().decode(bytes).split("\0");
  records.pop(); // what stands behind the last NUL: nothing, or a record that was cut
  const header = (name: string) => records.find((record) => record.startsWith(`# ${name} `))?.slice(name.length + 3);
  const dirty = records.flatMap(changedPath);
  const untracked = records.flatMap((record) => (record.startsWith("? ") ? [record.slice(2)] : []));
  const branch = header("branch.head");
  const head = header("branch.oid");
  return {
    branch: branch === undefined || branch === "(detached)" ? null : branch,
    head: head === undefined || head === "(initial)" ? null : head,
    dirtyFiles: dirty.slice(0, MAX_FILES),
    untrackedFiles: untracked.slice(0, MAX_FILES),
    cut: !complete || dirty.length > MAX_FILES || untracked.length > MAX_FILES,
  };
}

/** The path stands behind a fixed number of fields: 8 for a change, 10 for a conflict. It may hold spaces itself. */
function changedPath(record: string): readonly string[] {
  const fields = record.startsWith("1 ") ? 8 : record.startsWith("u ") ? 10 : 0;
  return fields === 0 ? [] : [record.split(" ").slice(fields).join(" ")];
}
