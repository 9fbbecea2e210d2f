/** What differs between a work tree, the index and the last commit, as git says it: a unified diff for each file, within bounds. */
import type { Workspace } from "../workspace/index.ts";
import { GIT, openGit } from "./git.ts";

export interface DiffQuestion {
  readonly workspace: Workspace;
  /** The folder that holds `.git`. */
  readonly root: string;
  /** The index against the last commit; otherwise the work tree against it. */
  readonly isStaged?: boolean;
  readonly signal?: AbortSignal;
}

export interface GitFileDiff {
  /** Relative to the root. */
  readonly path: string;
  /** Empty where git shows none, as of binary files. */
  readonly diff: string;
  readonly added: number;
  readonly removed: number;
}

export interface GitDiff {
  /** In git's order. */
  readonly files: readonly GitFileDiff[];
  /** Relative to the root; not of a staged diff. */
  readonly untracked: readonly string[];
  /** There is more than was read. */
  readonly isCut: boolean;
}

const MAX_BYTES = 4 * 1024 * 1024;
const LIMITS = { timeLimitMs: 10_000, maxOutputBytes: MAX_BYTES } as const;

/** Undefined where git cannot be asked. Before the first commit everything is new. */
export async function gitDiff(question: DiffQuestion): Promise<GitDiff | undefined> {
  const { isStaged = false } = question;
  const ask = await openGit(question);
  if (!ask) return undefined;
  const base = `base=$(${GIT} rev-parse --verify --quiet 'HEAD^{commit}' || ${GIT} hash-object -t tree --stdin </dev/null)`;
  const diff = `${GIT} diff ${FLAGS}${isStaged ? " --cached" : ""}`;
  const [numbers, patch, others] = await Promise.all([
    ask(`${base}; exec ${diff} --numstat -z "$base" --`, LIMITS),
    ask(`${base}; exec ${diff} --patch "$base" --`, LIMITS),
    isStaged ? undefined : ask(`exec ${GIT} ls-files --others --exclude-standard -z`, LIMITS),
  ]);
  if (numbers.exitCode !== 0 || (patch.exitCode !== 0 && patch.complete)) return undefined;
  const chunks = chunksOf(new TextDecoder().decode(patch.bytes));
  const files = records(numbers.bytes).flatMap((record, at) => fileOf(record, chunks[at]));
  const isCut = !numbers.complete || !patch.complete || others?.complete === false;
  return { files, untracked: others ? records(others.bytes) : [], isCut };
}

const FLAGS =
  "--no-ext-diff --no-textconv --no-color --no-renames --ignore-submodules=dirty --src-prefix=a/ --dst-prefix=b/";

/** What stands behind the last NUL is nothing, or was cut. */
const records = (bytes: Uint8Array): readonly string[] => new TextDecoder().decode(bytes).split("\0").slice(0, -1);

/** Each begins with git's own heading; no line of a patch itself begins so. */
const chunksOf = (patch: string): readonly string[] => patch.split(/^(?=diff --git )/m).filter((chunk) => chunk !== "");

/** Both lists have the same files in the same order. A path may hold anything, so it is taken from where nothing is quoted. */
function fileOf(record: string, chunk = ""): readonly GitFileDiff[] {
  const [, added, removed, path] = /^(\d+|-)\t(\d+|-)\t([\s\S]+)$/.exec(record) ?? [];
  if (path === undefined) return [];
  const start = chunk.search(/^--- /m);
  return [
    { path, diff: start < 0 ? "" : chunk.slice(start), added: Number(added) || 0, removed: Number(removed) || 0 },
  ];
}
