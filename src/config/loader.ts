/**
 * The only file of this room that touches the disk: small regular files are read within a bound, and the user's own files are
 * replaced in one step with mode 0600. Nothing here writes into a project.
 */
import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from "node:fs";
import { type FileHandle, lstat, mkdir, open, realpath, rename, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { err, errorCode, errorMessage, ok, type Result } from "../shared/index.ts";

/** What a config file may measure, and a file of grants. */
export const MAX_CONFIG_BYTES = 1024 * 1024;

export interface SmallFile {
  /** After links. */
  readonly realPath: string;
  /** At most the bytes that were asked for; invalid UTF-8 is replaced. */
  readonly text: string;
  /** Nothing had to be replaced. */
  readonly isUtf8: boolean;
  readonly sizeBytes: number;
  /** Permission bits. */
  readonly mode: number;
  readonly uid: number;
}

/** Undefined when there is no such file. The error is one sentence; devices, pipes and folders are errors. */
export async function readRegularFile(path: string, maxBytes: number): Promise<Result<SmallFile | undefined, string>> {
  if (isMissing(path)) return ok(undefined);
  try {
    const realPath = await realpath(path);
    // The links are resolved: a link at the end now was put there since. Non-blocking, for a pipe would never open.
    const file = await open(realPath, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return await readOpen(file, realPath, maxBytes);
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = errorCode(error);
    if ((code === "ENOENT" || code === "ENOTDIR") && !(await isLink(path))) return ok(undefined);
    return err(`${path} cannot be read: ${errorMessage(error)}`);
  }
}

/** Most of the files that are looked for are not there: asked at once, none of them costs a trip through the thread pool. */
function isMissing(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false; // why it cannot be told is told when it is opened
  }
}

/** A link to nothing is no missing file: whoever made it relies on what should be there. */
const isLink = (path: string): Promise<boolean> =>
  lstat(path).then(
    (stat) => stat.isSymbolicLink(),
    () => false,
  );

async function readOpen(
  file: FileHandle,
  realPath: string,
  maxBytes: number,
): Promise<Result<SmallFile | undefined, string>> {
  const stat = await file.stat();
  if (!stat.isFile()) return err(`${realPath} is not a regular file`);
  const buffer = Buffer.alloc(Math.min(stat.size, maxBytes));
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  const bytes = buffer.subarray(0, filled);
  const text = bytes.toString("utf8");
  return ok({ realPath, text, isUtf8: isUtf8(bytes), sizeBytes: stat.size, mode: stat.mode & 0o777, uid: stat.uid });
}

/** For the few values that are needed before anything can wait. Undefined for whatever cannot be read as a small file. */
export function readTextNow(path: string): string | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(fd);
    return stat.isFile() && stat.size <= MAX_CONFIG_BYTES ? readFileSync(fd, "utf8") : undefined;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Replaces or makes a file of the user's own, in folders of mode 0700. A link stays a link. */
export async function replacePrivateFile(path: string, text: string, mode = 0o600): Promise<Result<undefined, string>> {
  let temporary: string | undefined;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const target = await realpath(path).catch(() => path); // new, or a link to nothing, which is replaced
    temporary = join(dirname(target), `.${basename(target)}.${crypto.randomUUID()}`);
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(text);
      await file.chmod(mode);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, target);
    return ok(undefined);
  } catch (error) {
    if (temporary !== undefined) await unlink(temporary).catch(() => undefined);
    return err(`${path} cannot be written: ${errorMessage(error)}`);
  }
}

const TRIES = 75;
const PAUSE_MS = 20;

/**
 * Does `work` while no other process does so for this path, so that of two changes none is lost. What a killed process left is
 * taken over after 1.5 seconds. Where no note can be made beside the file, `work` itself finds out what is in the way.
 */
export async function alone<T>(path: string, work: () => Promise<T>): Promise<T> {
  const note = `${path}.lock`;
  const isMine = await madeNote(note);
  try {
    return await work();
  } finally {
    if (isMine) await unlink(note).catch(() => undefined);
  }
}

async function madeNote(note: string): Promise<boolean> {
  for (let tries = 0; tries <= TRIES; tries++) {
    try {
      await mkdir(dirname(note), { recursive: true, mode: 0o700 });
      await (await open(note, "wx", 0o600)).close();
      return true;
    } catch (error) {
      if (errorCode(error) !== "EEXIST") return false;
      if (tries === TRIES - 1) await unlink(note).catch(() => undefined);
      else await setTimeout(PAUSE_MS);
    }
  }
  return false;
}

/** Whether the file is gone now, and the one it links to if it is a regular file; an error says why it is still there. */
export async function removeFile(path: string): Promise<Result<undefined, string>> {
  try {
    const target = (await isLink(path)) ? await realpath(path).catch(() => path) : path;
    if (target !== path && (await lstat(target)).isFile()) await unlink(target);
    await unlink(path);
    return ok(undefined);
  } catch (error) {
    return errorCode(error) === "ENOENT" ? ok(undefined) : err(`${path} cannot be removed: ${errorMessage(error)}`);
  }
}
