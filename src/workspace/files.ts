/**
 * Reads and replaces regular files. Refuses everything that is not one (a device, FIFO or socket could block for ever or
 * have effects when opened). Replacing is one rename: a reader sees the old file or the new one, whole.
 */
import { constants, type Stats } from "node:fs";
import { access, type FileHandle, mkdir, open, realpath, rename, rm, stat } from "node:fs/promises";
import { err, errorCode, ok, type Result, sha256 } from "../shared/index.ts";
import { classifyFileError, fileError } from "./file-errors.ts";
import { listNearest, parentOf, realTarget } from "./paths.ts";
import type { FileContent, FileError, WriteOptions, WriteReceipt } from "./types.ts";

const CHUNK_BYTES = 64 * 1024;
const PERMISSION_BITS = 0o7777;
const ANY_WRITE_BIT = 0o222;
const NEW_FILE_MODE = 0o644;

/** `path` is absolute. */
export async function readRegularFile(path: string, maxBytes: number): Promise<Result<FileContent, FileError>> {
  if (path.includes("\0")) return err(nulInPath(path));
  let handle: FileHandle | undefined;
  try {
    const realPath = await realpath(path);
    const refusal = irregular(await stat(realPath), path);
    if (refusal) return err(await withEntries(refusal, path));
    handle = await open(
      realPath,
      constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW | constants.O_NOCTTY,
    );
    const stats = await handle.stat();
    const swapped = irregular(stats, path);
    if (swapped) return err(swapped);
    const bytes = await readUpTo(handle, stats.size, maxBytes);
    const { size, mtimeMs, ctimeMs, mode } = stats;
    const sizeBytes = Math.max(size, bytes.length);
    return ok({ realPath, bytes, sizeBytes, mtimeMs, ctimeMs, mode: mode & PERMISSION_BITS });
  } catch (error) {
    return err(await withEntries(classifyFileError(error, path), path));
  } finally {
    await handle?.close();
  }
}

const nulInPath = (path: string): FileError =>
  fileError("invalid-path", JSON.stringify(path), "holds a NUL character, which no path can");

function irregular(stats: Stats, path: string): FileError | undefined {
  if (stats.isFile()) return undefined;
  if (stats.isDirectory()) return fileError("is-directory", path, "is a directory");
  if (stats.isFIFO())
    return fileError("not-regular", path, "is a FIFO, which could block for ever; only regular files are opened");
  if (stats.isSocket()) return fileError("not-regular", path, "is a socket; only regular files are opened");
  return fileError("not-regular", path, "is a device; only regular files are opened");
}

async function withEntries(error: FileError, path: string): Promise<FileError> {
  if (error.kind !== "not-found" && error.kind !== "is-directory") return error;
  return { ...error, nearby: await listNearest(path) };
}

/** Reads on past the size that the system claims, since files under /proc claim 0. */
async function readUpTo(handle: FileHandle, claimed: number, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let filled = 0;
  while (filled < maxBytes) {
    const wish = filled < claimed ? claimed - filled : CHUNK_BYTES;
    const chunk = Buffer.allocUnsafe(Math.min(wish, maxBytes - filled));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, null);
    if (bytesRead === 0) break;
    chunks.push(chunk.subarray(0, bytesRead));
    filled += bytesRead;
  }
  const [only, second] = chunks;
  return only && !second ? only : Buffer.concat(chunks);
}

/** `path` is absolute. Nothing is left beside the file, whatever happens short of a crash. */
export async function replaceRegularFile(
  path: string,
  content: Uint8Array,
  options: WriteOptions,
): Promise<Result<WriteReceipt, FileError>> {
  if (path.includes("\0")) return err(nulInPath(path));
  try {
    const realPath = await realTarget(path);
    const before = await statOrUndefined(realPath);
    const refusal = before && (irregular(before, path) ?? unwritable(before, path));
    if (refusal) return err(refusal);
    if (before) await access(realPath, constants.W_OK);
    else await mkdir(parentOf(realPath), { recursive: true, ...(isPrivate(options) && { mode: 0o700 }) });
    return await swapIn(realPath, content, { ...options, ...(before && { before }) });
  } catch (error) {
    return err(classifyFileError(error, path));
  }
}

const isPrivate = ({ mode = NEW_FILE_MODE }: WriteOptions): boolean => (mode & 0o077) === 0;

/** A rename would pass over a mode that asks not to write, and so would root. */
function unwritable(stats: Stats, path: string): FileError | undefined {
  if ((stats.mode & ANY_WRITE_BIT) !== 0) return undefined;
  return fileError("read-only", path, "is read-only (its mode lets nobody write)");
}

async function statOrUndefined(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

type SwapOptions = WriteOptions & { readonly before?: Stats };

async function swapIn(realPath: string, content: Uint8Array, options: SwapOptions) {
  const temporary = `${parentOf(realPath)}/.khaelor-${crypto.randomUUID()}.tmp`;
  try {
    const written = await writeTemporary(temporary, content, options);
    const changed = await changedSince(realPath, options.expectedSha256);
    if (changed) return err(changed);
    await rename(temporary, realPath);
    const mode = written.mode & PERMISSION_BITS;
    return ok({ realPath, sha256: sha256(content), mode, mtimeMs: written.mtimeMs });
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Private while it is being written; synced, so that a power cut after the rename cannot leave an empty file. */
async function writeTemporary(temporary: string, content: Uint8Array, options: SwapOptions): Promise<Stats> {
  const { before, mode = NEW_FILE_MODE } = options;
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const handle = await open(temporary, flags, before ? 0o600 : mode);
  try {
    await writeFully(handle, content);
    if (before) await dressLike(handle, before);
    await handle.sync();
    return await handle.stat();
  } finally {
    await handle.close();
  }
}

/** A write may take fewer bytes than it was given without an error; the next one then names the reason. */
async function writeFully(handle: FileHandle, content: Uint8Array): Promise<void> {
  let written = 0;
  while (written < content.length) {
    const { bytesWritten } = await handle.write(content, written, content.length - written);
    if (bytesWritten === 0) throw Object.assign(new Error("nothing more could be written"), { code: "EIO" });
    written += bytesWritten;
  }
}

/** Owner first: changing it clears the set-user-id bits of the mode. */
async function dressLike(handle: FileHandle, before: Stats): Promise<void> {
  const now = await handle.stat();
  if (now.uid !== before.uid || now.gid !== before.gid) {
    try {
      await handle.chown(before.uid, before.gid);
    } catch (error) {
      // Only root may give files away. The new file is then ours, as with every editor that renames.
      if (errorCode(error) !== "EPERM") throw error;
    }
  }
  await handle.chmod(before.mode & PERMISSION_BITS);
}

async function changedSince(realPath: string, expected: string | null | undefined): Promise<FileError | undefined> {
  if (expected === undefined) return undefined;
  const present = await readRegularFile(realPath, Number.MAX_SAFE_INTEGER);
  if (!present.ok && present.error.kind !== "not-found") return present.error;
  const actual = present.ok ? sha256(present.value.bytes) : null;
  return actual === expected
    ? undefined
    : fileError("changed", realPath, "was changed by somebody else in the meantime");
}
