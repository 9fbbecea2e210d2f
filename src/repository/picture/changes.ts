/** What differs from a picture: the files that a command changed, one at a time, each with what it held before and holds now. */
import { join } from "node:path";
import { sha256 } from "../../shared/index.ts";
import { type AskGit, GIT, openGit, quoted } from "../git.ts";
import { type Committed, type CommittedFile, committedFiles, nothingCommitted } from "./committed.ts";
import { gitListing, isByProduct, isOpaque, type Listing, walkListing } from "./status.ts";
import { isOlder, isUntouched, lookAt, timesOf } from "./take.ts";
import { BOUNDS, type Change, type Picture, type PicturedFile, type PictureParts } from "./types.ts";

export interface Search {
  /** Relative to the root: what these files went through is told first. */
  readonly first: ReadonlySet<string>;
  readonly onChange: (change: Change) => Promise<void>;
}

/**
 * Tells at most 200 changes, and returns how many more files may have changed and were not looked at. Only one change is held
 * at a time.
 */
export async function changesSince(parts: PictureParts, taken: Picture, { first, onChange }: Search): Promise<number> {
  const ask = taken.form === "git" ? await openGit(parts) : undefined;
  const { paths, before } = await suspects(parts, taken, ask);
  const files = [...paths].filter((path) => !isOpaque(path));
  const rank = new Map(files.map((path) => [path, first.has(path) ? 0 : isByProduct(path) ? 2 : 1]));
  const ordered = files.sort((a, b) => (rank.get(a) ?? 1) - (rank.get(b) ?? 1) || (a < b ? -1 : 1));
  const rulesChanged = ordered.some(isIgnoreFile) || (await excludesChanged(parts, before));
  const until = parts.now() + BOUNDS.changesMs;
  let told = 0;
  for (let from = 0; from < ordered.length; from += AT_ONCE) {
    const some = ordered.slice(from, from + AT_ONCE);
    const committed = await committedAmong(some, before, ask);
    for (const [at, path] of some.entries()) {
      if (told >= BOUNDS.changes || parts.now() > until) {
        return restOf(parts, ordered.slice(from + at), { before, until });
      }
      const change = await changeOf(parts, path, { before, committed, rulesChanged });
      if (!change) continue;
      await onChange(change);
      told++;
    }
  }
  return 0;
}

/** Files for which git is asked in one go: what they held is in memory for that long. */
const AT_ONCE = 200;

async function committedAmong(paths: readonly string[], before: Picture, ask: AskGit | undefined): Promise<Committed> {
  if (before.head === null || !ask) return nothingCommitted;
  return committedFiles(
    ask,
    before.head,
    paths.filter((path) => !before.files.has(path)),
  );
}

/** How many of the files that are not told may have changed: those of the picture are compared while there is time. */
async function restOf(
  parts: PictureParts,
  paths: readonly string[],
  { before, until }: { readonly before: Picture; readonly until: number },
): Promise<number> {
  let rest = paths.length;
  for (const path of paths) {
    const known = before.files.get(path);
    if (parts.now() > until) break;
    if (known && !(await picturedChange(parts, path, { known, before }))) rest--;
  }
  return rest;
}

const isIgnoreFile = (path: string): boolean => path === ".gitignore" || path.endsWith("/.gitignore");

interface Suspects {
  /** Those of the picture itself are told apart by a look at each. */
  readonly paths: ReadonlySet<string>;
  /** The picture, for what it is worth now. */
  readonly before: Picture;
}

/** The list of ignored files that is not part of the project. */
async function excludesChanged({ workspace, root }: PictureParts, { takenAt }: Picture): Promise<boolean> {
  const file = await workspace.readFile(join(root, ".git/info/exclude"), { maxBytes: 0 });
  return file.ok && takenAt > 0 && file.value.ctimeMs > takenAt;
}

/** Every path that may have changed. */
async function suspects(parts: PictureParts, before: Picture, ask: AskGit | undefined): Promise<Suspects> {
  const paths = new Set(before.files.keys());
  if (before.form === "walk") {
    const listing = before.lacks === "anything" ? undefined : await walkListing(parts);
    for (const path of listing?.paths ?? []) paths.add(path);
    return { paths, before };
  }
  const listing = ask && (await gitListing(ask));
  if (!ask || !listing) return withoutGit(parts, before, paths);
  for (const path of [...listing.paths, ...comeOrGone(before, listing)]) paths.add(path);
  if (listing.head && before.head !== null && listing.head !== before.head) {
    for (const path of await betweenCommits(ask, before.head, listing.head)) paths.add(path);
  }
  return { paths, before };
}

/** Files that are new or gone among those that are known by their names alone. */
function comeOrGone(before: Picture, now: Listing): readonly string[] {
  const [had, has] = [before.others ?? NONE, now.others ?? NONE];
  if (before.lacks !== "nothing" || now.lacks !== "nothing") return [];
  const looked = new Set(now.paths);
  const come = [...has].filter((path) => !had.has(path));
  return [...come, ...[...had].filter((path) => !has.has(path) && !looked.has(path))];
}

const NONE: ReadonlySet<string> = new Set();

/** The command has broken or removed the repository: what is there can be listed all the same, and its age tells whether it changed. */
async function withoutGit(parts: PictureParts, before: Picture, paths: Set<string>): Promise<Suspects> {
  const listing = before.takenAt === 0 ? undefined : await walkListing(parts);
  for (const path of listing?.paths ?? []) paths.add(path);
  return { paths, before: { ...before, lacks: "anything" } };
}

async function betweenCommits(ask: AskGit, from: string, to: string): Promise<readonly string[]> {
  const { bytes } = await ask(
    `${GIT} diff-tree -r -z --name-only --no-renames --ignore-submodules=all ${quoted(from)} ${quoted(to)}`,
    { maxOutputBytes: BOUNDS.statusBytes },
  );
  return new TextDecoder().decode(bytes).split("\0").slice(0, -1);
}

interface Sides {
  readonly before: Picture;
  readonly committed: Committed;
  /** What was ignored before may be listed now: then a file that turns up need not be new. */
  readonly rulesChanged: boolean;
}

/** Undefined when it did not change, or was no regular file before and after. */
async function changeOf(parts: PictureParts, path: string, sides: Sides): Promise<Change | undefined> {
  const known = sides.before.files.get(path);
  return known ? picturedChange(parts, path, { known, before: sides.before }) : freshChange(parts, path, sides);
}

interface Known {
  readonly known: PicturedFile;
  readonly before: Picture;
}

/** As far as size and times tell. */
async function isSame(parts: PictureParts, path: string, { known, before }: Known): Promise<boolean> {
  const looked = await lookAt(parts, path, 0);
  if (!looked) return isNoFile(known) || (looked === null && known.sha256 === null);
  return isUntouched(known, timesOf(looked), before.takenAt) || isUnkept(known, looked);
}

async function picturedChange(
  parts: PictureParts,
  path: string,
  { known, before }: Known,
): Promise<Change | undefined> {
  if (await isSame(parts, path, { known, before })) return undefined;
  const after = await present(parts, path);
  if (known.sha256 !== undefined && known.sha256 === after.afterSha256 && known.mode === after.mode) return undefined;
  const content = known.sha256 ? await parts.keeper.get(known.sha256) : undefined;
  return {
    path: join(parts.root, path),
    ...(known.sha256 !== undefined && { beforeSha256: known.sha256 }),
    ...(content && { before: content }),
    ...sideAfter(after),
  };
}

const isNoFile = ({ sha256: hash, sizeBytes }: PicturedFile): boolean => hash === undefined && sizeBytes === undefined;

/** Of a file whose content is not kept, size and time are all there is. */
const isUnkept = (known: PicturedFile, now: { readonly sizeBytes: number; readonly mtimeMs: number }): boolean =>
  known.sha256 === undefined && known.sizeBytes === now.sizeBytes && known.mtimeMs === now.mtimeMs;

/** A file that was equal to the commit, or was not there; or whose content before nobody can tell. */
async function freshChange(parts: PictureParts, path: string, sides: Sides): Promise<Change | undefined> {
  const { lacks, others } = sides.before;
  const entry: CommittedFile = lacks === "anything" || others?.has(path) ? { kind: "file" } : sides.committed(path);
  const after = await present(parts, path);
  if (isNoChange(entry, after, { ...sides, path })) return undefined;
  const { content } = entry.kind === "file" ? entry : NO_CONTENT;
  const isNew = entry.kind === "none" && !isDoubtful(path, sides);
  const beforeSha256 = isNew ? null : content && (await parts.keeper.put(content));
  return {
    path: join(parts.root, path),
    ...(beforeSha256 !== undefined && { beforeSha256 }),
    ...(content && { before: content }),
    ...sideAfter(after),
  };
}

/** A file of a repository inside the project turns up when that stops to be one. */
const isDoubtful = (path: string, { rulesChanged, before }: Sides): boolean =>
  rulesChanged ||
  before.lacks !== "nothing" ||
  [...before.files.keys()].some((known) => isOpaque(known) && path.startsWith(known));

/** It holds what it held, or was no regular file before and after; in doubt its age tells. */
function isNoChange(entry: CommittedFile, after: Present, sides: Sides & { readonly path: string }): boolean {
  const { content, executable } = entry.kind === "file" ? entry : NO_CONTENT;
  if (content) return sha256(content) === after.afterSha256 && sameBit(executable, after.mode);
  const isRegular = after.mode !== undefined;
  if (!isRegular) return entry.kind !== "file" || after.afterSha256 === undefined;
  return (entry.kind === "file" || isDoubtful(sides.path, sides)) && isOlder(after.ctimeMs, sides.before.takenAt);
}

const NO_CONTENT: { readonly content?: Uint8Array; readonly executable?: boolean } = {};

const sameBit = (executable: boolean | undefined, mode: number | undefined): boolean =>
  executable === undefined || mode === undefined || executable === ((mode & 0o100) !== 0);

type Present = Pick<Change, "afterSha256" | "after" | "mode"> & { readonly ctimeMs?: number };

const sideAfter = ({ ctimeMs: _time, ...side }: Present): Pick<Change, "afterSha256" | "after" | "mode"> => side;

async function present(parts: PictureParts, path: string): Promise<Present> {
  const file = await lookAt(parts, path, BOUNDS.fileBytes);
  if (file === null) return { afterSha256: null };
  if (file === undefined) return {};
  const { mode, ctimeMs, bytes, sizeBytes } = file;
  return bytes.length < sizeBytes ? { mode, ctimeMs } : { afterSha256: sha256(bytes), after: bytes, mode, ctimeMs };
}
