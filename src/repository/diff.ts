/** What differs between a work tree, the index and the last commit, as git says it: a unified diff for each file, within bounds. */
import type { Workspace } from "../workspace/index.ts";
import { GIT, openGit } from "./git.ts";

interface DiffQuestion {
  readonly workspace: Workspace;
  /** The folder that holds `.git`. */
  readonly root: string;
  /** The index against the last commit; otherwise the work tree against it. */
  readonly isStaged?: boolean;
}

interface GitFileDiff {
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
  const diff = `${GIT} -c core.quotePath=true diff ${FLAGS}${isStaged ? " --cached" : ""}`;
  const [changed, others] = await Promise.all([
    ask(`${base}; exec ${diff} --numstat --patch -z "$base" --`, LIMITS),
    isStaged ? undefined : ask(`exec ${GIT} ls-files --others --exclude-standard -z`, LIMITS),
  ]);
  if (changed.exitCode !== 0 && changed.complete) return undefined;
  const isCut = !changed.complete || others?.complete === false;
  return { files: filesIn(bytesOf(changed.bytes)), untracked: others ? untrackedIn(others.bytes) : [], isCut };
}

const FLAGS =
  "--no-ext-diff --no-textconv --no-color --no-renames --ignore-submodules=dirty --src-prefix=a/ --dst-prefix=b/";

/** What stands behind the last NUL is nothing, or was cut. */
const untrackedIn = (bytes: Uint8Array): readonly string[] => bytesOf(bytes).split("\0").slice(0, -1).map(readable);

/** A character for each byte: two names that are no UTF-8 stay two names. */
const bytesOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");
const readable = (bytes: string): string => Buffer.from(bytes, "latin1").toString();

const RECORD = /(\d+|-)\t(\d+|-)\t([^\0]+)\0/gy;

/** First the numbers of every file, then, behind an empty record, the patches of the same files in the same order. */
function filesIn(output: string): readonly GitFileDiff[] {
  const records = [...output.matchAll(RECORD)];
  const takePatch = patchReader(
    output,
    records.reduce((length, [record]) => length + record.length, 1),
  );
  return records.map(([, added, removed, name = ""]) => ({
    path: readable(name),
    diff: readable(takePatch(name)),
    added: Number(added) || 0,
    removed: Number(removed) || 0,
  }));
}

/**
 * Takes what stands next if it is of this file: no patch, or one, or two where it became a thing of another kind. A name is
 * written out in one place, where it may hold lines that look like a heading; it is passed over as a whole.
 */
function patchReader(output: string, start: number): (name: string) => string {
  let at = start;
  return (name) => {
    const unmerged = `* Unmerged path ${name}\n`;
    if (output.startsWith(unmerged, at)) at += unmerged.length;
    const heading = `diff --git ${quoted(`a/${name}`)} ${quoted(`b/${name}`)}\n`;
    let diff = "";
    while (output.startsWith(heading, at)) {
      const patch = output.slice(at, endOfPatch(output, at));
      const head = patch.indexOf("\n--- ");
      if (head !== -1) diff += patch.slice(head + 1);
      at += patch.length;
    }
    return diff;
  };
}

/** No line of a patch begins like what stands before the next. */
function endOfPatch(output: string, start: number): number {
  const next = /\n(?:diff --git |\* Unmerged path )/g;
  next.lastIndex = start;
  const found = next.exec(output);
  return found ? found.index + 1 : output.length;
}

const ESCAPED = new Map([..."abtnvfr"].map((letter, at) => [String.fromCharCode(7 + at), letter]));

/** As git writes a name in a heading. */
function quoted(name: string): string {
  const escaped = name.replaceAll(/["\\]|[^ -~]/g, (char) => {
    const code = char.charCodeAt(0).toString(8).padStart(3, "0");
    return `\\${ESCAPED.get(char) ?? (/["\\]/.test(char) ? char : code)}`;
  });
  return escaped === name ? name : `"${escaped}"`;
}
