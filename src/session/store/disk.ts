/**
 * What the store asks of the system where a disk can fail: a few calls, so that a failing disk can be put in their place. The
 * rules of the log (what is taken back, what is never written) are not here, but in log-file.ts and blobs.ts.
 */
import { fdatasync, fsyncSync, ftruncateSync, writeSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { replaceFile } from "./atomic.ts";
import { syncFolder } from "./folder.ts";
import { type LockOutcome, lockLog } from "./lock.ts";

export interface Disk {
  /** As `fs.writeSync`; may write less than it was given. */
  write(fd: number, bytes: Uint8Array, offset: number, length: number): number;
  /** Resolves when what was written to `fd` is on the disk. */
  flush(fd: number): Promise<void>;
  /** The same before it returns. */
  flushNow(fd: number): void;
  /** Returns when the names of the files in it are on the disk. */
  syncFolder(path: string): void;
  truncate(fd: number, length: number): void;
  /** One writer per open file; see lock.ts. */
  lock(fd: number): Promise<LockOutcome>;
  /** A whole file. */
  read(path: string): Promise<Uint8Array>;
  /** Makes or replaces a whole file in one step. */
  replace(path: string, content: Uint8Array): Promise<void>;
}

export const systemDisk: Disk = {
  write: writeSync,
  /** `node:util` would promise the same, and takes a millisecond to load. */
  flush: (fd) => new Promise((resolve, reject) => fdatasync(fd, (error) => (error ? reject(error) : resolve()))),
  flushNow: fsyncSync,
  syncFolder,
  truncate: ftruncateSync,
  lock: lockLog,
  read: (path) => readFile(path),
  replace: replaceFile,
};
