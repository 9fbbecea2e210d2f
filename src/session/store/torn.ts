/** Moves a torn tail out of a log: kept beside it first, cut off after. An earlier torn file is added to, never replaced. */
import { closeSync, constants, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { TornTail } from "../types.ts";
import type { Disk } from "./disk.ts";
import { storeFailure } from "./failure.ts";
import { PRIVATE_FILE, tornPath } from "./paths.ts";

const CHUNK_BYTES = 1024 * 1024;
const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;

/** As in `the last 3 bytes are`. */
export const lastBytes = (count: number): string => (count === 1 ? "last byte is" : `last ${count} bytes are`);

interface OpenedLog {
  readonly path: string;
  readonly fd: number;
  readonly size: number;
  readonly disk: Pick<Disk, "syncFolder">;
}

/** Throws StoreError when the bytes could not be kept; the log is then as it was. */
export function moveTornTail({ path, fd, size, disk }: OpenedLog, tornFrom: number): TornTail {
  const beside = tornPath(path);
  try {
    const target = openSync(beside, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, PRIVATE_FILE);
    const { size: kept } = fstatSync(target);
    try {
      copy(fd, target, tornFrom, size);
      fsyncSync(target);
      if (kept === 0) disk.syncFolder(dirname(beside)); // it may be new, and its name not yet safe
    } catch (cause) {
      ftruncateSync(target, kept); // the next try adds all of it
      throw cause;
    } finally {
      closeSync(target);
    }
    ftruncateSync(fd, tornFrom);
    return { bytes: size - tornFrom, path: beside };
  } catch (cause) {
    throw storeFailure(cause, `move the torn end of ${path} to ${beside}`);
  }
}

function copy(from: number, to: number, start: number, end: number): void {
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end - start));
  for (let position = start; position < end; ) {
    const count = readSync(from, chunk, 0, Math.min(chunk.length, end - position), position);
    if (count === 0) return;
    for (let done = 0; done < count; ) done += writeSync(to, chunk, done, count - done);
    position += count;
  }
}
