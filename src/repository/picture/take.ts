/** Takes a picture: lists the files, and keeps the content of each, unless an earlier picture did and nothing touched it since. */
import { join } from "node:path";
import type { FileContent } from "../../workspace/index.ts";
import { openGit } from "../git.ts";
import { findGitRoot } from "../project-root.ts";
import { gitListing, type Listing, walkListing } from "./status.ts";
import { BOUNDS, type Picture, type PicturedFile, type PictureParts } from "./types.ts";

export interface Earlier {
  /** What it kept need not be read again. */
  readonly picture?: Picture;
  /** A list that took too long is not asked for again. */
  readonly tooLarge?: boolean;
  /** Files to look at in any case where there is no list, relative to the root. */
  readonly known: readonly string[];
}

export async function takePicture(parts: PictureParts, earlier: Earlier): Promise<Picture> {
  const listing = earlier.tooLarge ? undefined : await listingOf(parts);
  const { paths, ...form } = listing ?? onlyKnown(earlier.known);
  const takenAt = parts.now();
  const files = new Map<string, PicturedFile>();
  const spent = { bytes: 0, until: takenAt + BOUNDS.keptMs };
  const old = earlier.picture?.root === parts.root ? earlier.picture : undefined;
  await forEach(paths, async (path) => {
    files.set(path, await pictured(parts, path, { old, spent }));
  });
  return { ...form, root: parts.root, files, takenAt };
}

async function listingOf(parts: PictureParts): Promise<Listing | undefined> {
  const { workspace, root } = parts;
  if ((await findGitRoot(workspace, root)) !== root) return walkListing(parts);
  const ask = await openGit({ workspace, root });
  return (ask && (await gitListing(ask))) ?? walkListing(parts);
}

const onlyKnown = (paths: readonly string[]): Listing => ({ form: "walk", head: null, lacks: "anything", paths });

const TOGETHER = 8;

/** A few at a time, in order. */
async function forEach(paths: readonly string[], act: (path: string) => Promise<void>): Promise<void> {
  for (let at = 0; at < paths.length; at += TOGETHER) await Promise.all(paths.slice(at, at + TOGETHER).map(act));
}

interface Keeping {
  readonly old: Picture | undefined;
  readonly spent: { bytes: number; readonly until: number };
}

async function pictured(parts: PictureParts, path: string, { old, spent }: Keeping): Promise<PicturedFile> {
  const looked = await lookAt(parts, path, 0);
  if (looked === null) return { sha256: null };
  if (looked === undefined) return NO_FILE;
  const times = timesOf(looked);
  const before = old?.files.get(path);
  if (before?.sha256 && old && isUntouched(before, times, old.takenAt)) return { ...times, sha256: before.sha256 };
  const exhausted = spent.bytes + looked.sizeBytes > BOUNDS.keptBytes || parts.now() > spent.until;
  if (exhausted || looked.sizeBytes > BOUNDS.fileBytes) return times;
  spent.bytes += looked.sizeBytes;
  const whole = await lookAt(parts, path, BOUNDS.fileBytes);
  if (!whole || whole.bytes.length < whole.sizeBytes) return times;
  const kept = await parts.keeper.put(whole.bytes);
  return { ...timesOf(whole), ...(kept !== undefined && { sha256: kept }) };
}

/** Something else than a regular file, such as a link. It is never followed. */
const NO_FILE: PicturedFile = {};

export const timesOf = ({ mode, sizeBytes, mtimeMs, ctimeMs }: FileContent) => ({ mode, sizeBytes, mtimeMs, ctimeMs });

type Times = ReturnType<typeof timesOf>;

/** A clock of the file system ticks every few milliseconds: what changed in the same tick as the look has the same times. */
const TICK_MS = 100;

export const isUntouched = (before: PicturedFile, now: Times, takenAt: number): boolean =>
  before.sizeBytes === now.sizeBytes &&
  before.mtimeMs === now.mtimeMs &&
  before.ctimeMs === now.ctimeMs &&
  before.mode === now.mode &&
  isOlder(Math.max(now.mtimeMs, now.ctimeMs), takenAt);

/** Certainly from before the picture: such a file is not new, wherever it turns up. */
export const isOlder = (timeMs: number | undefined, takenAt: number): boolean =>
  timeMs !== undefined && timeMs < takenAt - TICK_MS;

/** The file at its own place: null when there is none, undefined when something else is there, or it lies behind a link. */
export async function lookAt(
  { workspace, root }: PictureParts,
  path: string,
  maxBytes: number,
): Promise<FileContent | null | undefined> {
  const place = join(root, path);
  const file = await workspace.readFile(place, { maxBytes });
  if (file.ok) return file.value.realPath === place ? file.value : undefined;
  return file.error.kind === "not-found" || file.error.kind === "is-directory" ? null : undefined;
}
