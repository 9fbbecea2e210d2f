/** What differs from a picture: the files that a command changed, one at a time, each with what it held before and holds now. */
import { join } from "node:path";
import { sha256 } from "../../shared/index.ts";
import { type AskGit, GIT, openGit, quoted } from "../git.ts";
import { type Committed, type CommittedFile, committedFiles, nothingCommitted } from "./committed.ts";
import { gitListing, walkListing } from "./status.ts";
import { isUntouched, lookAt, timesOf } from "./take.ts";
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
export async function changesSince(parts: PictureParts, before: Picture, { first, onChange }: Search): Promise<number> {
  const ask = before.form === "git" ? await openGit(parts) : undefined;
  const paths = await suspects(parts, before, ask);
  const ordered = [...paths].sort((a, b) => Number(first.has(b)) - Number(first.has(a)) || (a < b ? -1 : 1));
  const fresh = ordered.filter((path) => !before.files.has(path)).slice(0, BOUNDS.changes);
  const committed = before.head !== null && ask ? await committedFiles(ask, before.head, fresh) : nothingCommitted;
  const sides = { before, committed, rulesChanged: ordered.some(isIgnoreFile) };
  const until = parts.now() + BOUNDS.changesMs;
  let told = 0;
  for (const [at, path] of ordered.entries()) {
    if (told >= BOUNDS.changes || parts.now() > until) return ordered.length - at;
    const change = await changeOf(parts, path, sides);
    if (!change) continue;
    await onChange(change);
    told++;
  }
  return 0;
}

const isIgnoreFile = (path: string): boolean => path === ".gitignore" || path.endsWith("/.gitignore");

/** Every path that may have changed. Those of the picture itself are told apart by a look at each. */
async function suspects(parts: PictureParts, before: Picture, ask: AskGit | undefined): Promise<ReadonlySet<string>> {
  const found = new Set(before.files.keys());
  if (before.form === "walk") {
    const listing = before.lacks === "anything" ? undefined : await walkListing(parts);
    for (const path of listing?.paths ?? []) found.add(path);
    return found;
  }
  const listing = ask && (await gitListing(ask));
  for (const path of listing?.paths ?? []) found.add(path);
  if (ask && listing?.head && before.head !== null && listing.head !== before.head) {
    for (const path of await betweenCommits(ask, before.head, listing.head)) found.add(path);
  }
  return found;
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

async function picturedChange(
  parts: PictureParts,
  path: string,
  { known, before }: { readonly known: PicturedFile; readonly before: Picture },
): Promise<Change | undefined> {
  const looked = await lookAt(parts, path, 0);
  if (looked && (isUntouched(known, timesOf(looked), before.takenAt) || isUnkept(known, looked))) return undefined;
  if (!looked && isNoFile(known)) return undefined;
  const after = await present(parts, path);
  if (known.sha256 !== undefined && known.sha256 === after.afterSha256 && known.mode === after.mode) return undefined;
  const content = known.sha256 ? await parts.keeper.get(known.sha256) : undefined;
  return {
    path: join(parts.root, path),
    ...(known.sha256 !== undefined && { beforeSha256: known.sha256 }),
    ...(content && { before: content }),
    ...after,
  };
}

const isNoFile = ({ sha256: hash, sizeBytes }: PicturedFile): boolean => hash === undefined && sizeBytes === undefined;

/** Of a file whose content is not kept, size and time are all there is. */
const isUnkept = (known: PicturedFile, now: { readonly sizeBytes: number; readonly mtimeMs: number }): boolean =>
  known.sha256 === undefined && known.sizeBytes === now.sizeBytes && known.mtimeMs === now.mtimeMs;

/** A file that was equal to the commit, or was not there; or whose content before nobody can tell. */
async function freshChange(parts: PictureParts, path: string, sides: Sides): Promise<Change | undefined> {
  const entry: CommittedFile = sides.before.lacks === "anything" ? { kind: "file" } : sides.committed(path);
  const after = await present(parts, path);
  const isFile = after.mode !== undefined;
  if (!isFile && (entry.kind !== "file" || (after.afterSha256 === undefined && !entry.content))) return undefined;
  const { content, executable } = entry.kind === "file" ? entry : NO_CONTENT;
  if (content && sha256(content) === after.afterSha256 && sameBit(executable, after.mode)) return undefined;
  const isNew = entry.kind === "none" && !sides.rulesChanged && sides.before.lacks === "nothing";
  const beforeSha256 = isNew ? null : content && (await parts.keeper.put(content));
  return {
    path: join(parts.root, path),
    ...(beforeSha256 !== undefined && { beforeSha256 }),
    ...(content && { before: content }),
    ...after,
  };
}

const NO_CONTENT: { readonly content?: Uint8Array; readonly executable?: boolean } = {};

const sameBit = (executable: boolean | undefined, mode: number | undefined): boolean =>
  executable === undefined || mode === undefined || executable === ((mode & 0o100) !== 0);

type Present = Pick<Change, "afterSha256" | "after" | "mode">;

async function present(parts: PictureParts, path: string): Promise<Present> {
  const file = await lookAt(parts, path, BOUNDS.fileBytes);
  if (file === null) return { afterSha256: null };
  if (file === undefined) return {};
  if (file.bytes.length < file.sizeBytes) return { mode: file.mode };
  return { afterSha256: sha256(file.bytes), after: file.bytes, mode: file.mode };
}
