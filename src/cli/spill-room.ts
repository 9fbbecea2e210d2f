/**
 * How much of a long output may still be kept whole. The folder of such outputs is bounded, for one session and for all, and
 * nothing in it is ever deleted to make room: when it is full, that is said, and the user decides.
 */
import { statSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { errorCode, errorMessage } from "../shared/index.ts";
import type { SpillRoom } from "../tools/index.ts";

const MIB = 1024 * 1024;
const FOLDER_MIB = 1024;
const SESSION_MIB = 256;
/** A file that was written this long ago is finished, and its size is remembered. */
const SETTLED_MS = 60_000;

interface Limits {
  readonly folderBytes: number;
  readonly sessionBytes: number;
}

const LIMITS: Limits = { folderBytes: FOLDER_MIB * MIB, sessionBytes: SESSION_MIB * MIB };

/** Asked before a call that may have a long output. Files of a session begin with its id. */
export function spillRoomIn(folder: string, sessionId: string, limits: Limits = LIMITS): () => Promise<SpillRoom> {
  const settled = new Map<string, number>();
  const used = async () => {
    // Most sessions never have a long output: that is found out at once, before each command, without the thread pool.
    if (statSync(folder, { throwIfNoEntry: false }) === undefined) return { all: 0, own: 0 };
    let [all, own] = [0, 0];
    for (const name of await unlessMissing(readdir(folder), [])) {
      const bytes = settled.get(name) ?? (await sizeOf(folder, name, settled));
      all += bytes;
      if (name.startsWith(`${sessionId}-`)) own += bytes;
    }
    return { all, own };
  };
  return async () => {
    const found = await used().catch(unlooked);
    if ("why" in found) return found;
    const { all, own } = found;
    if (all >= limits.folderBytes) return { bytes: 0, why: full("all sessions", limits.folderBytes) };
    if (own >= limits.sessionBytes) return { bytes: 0, why: full("this session", limits.sessionBytes) };
    return { bytes: Math.min(limits.folderBytes - all, limits.sessionBytes - own) };
  };
}

/** A folder that cannot be looked at, such as a file in its place, costs the outputs and not the commands. */
function unlooked(error: unknown): { readonly bytes: 0; readonly why: string } {
  if (errorCode(error) === undefined) throw error;
  return { bytes: 0, why: `the folder of long outputs cannot be used (${errorMessage(error)})` };
}

async function sizeOf(folder: string, name: string, settled: Map<string, number>): Promise<number> {
  const stats = await unlessMissing(stat(join(folder, name)), undefined);
  if (!stats) return 0;
  if (Date.now() - stats.mtimeMs > SETTLED_MS) settled.set(name, stats.size);
  return stats.size;
}

async function unlessMissing<T, U>(answer: Promise<T>, instead: U): Promise<T | U> {
  try {
    return await answer;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return instead;
    throw error;
  }
}

const full = (whose: string, bytes: number): string =>
  `the long outputs of ${whose} fill their ${Math.round(bytes / MIB)} MiB; the user can make room with khaelor sessions prune`;
