/**
 * Which blobs and spilled outputs a log names. Anything that looks like such a name counts, wherever it stands: too much is kept
 * rather than too little.
 */
import { closeSync, readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { StoreError } from "../../shared/index.ts";
import { openLog } from "./log-file.ts";

const CHUNK_BYTES = 1024 * 1024;
/** Longer than any name, so that one which is cut in two is still found. */
const OVERLAP = 256;
const NAMES = /[0-9a-f]{64}|[0-9A-HJKMNP-TV-Z]{26}-[\w-]+\.txt/g;

/** Every name in the log, some perhaps twice; none when it is gone meanwhile. Holds one chunk at a time. Throws StoreError. */
export async function* namesInLog(path: string): AsyncGenerator<string> {
  const opened = unlessGone(() => openLog(path, "read"));
  if (!opened) return;
  const { fd, stat } = opened;
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(1, stat.size)));
  let carried = "";
  try {
    for (let position = 0; position < stat.size; ) {
      const count = readSync(fd, chunk, 0, chunk.length, position);
      if (count === 0) return;
      const text = carried + chunk.toString("latin1", 0, count);
      for (const [name] of text.matchAll(NAMES)) yield name;
      carried = text.slice(-OVERLAP);
      position += count;
      await setImmediate();
    }
  } finally {
    closeSync(fd);
  }
}

/** Two may remove at the same time: what another one took is no failure. */
export function unlessGone<T>(open: () => T): T | undefined {
  try {
    return open();
  } catch (cause) {
    if (cause instanceof StoreError && cause.kind === "not-found") return undefined;
    throw cause;
  }
}

export const isBlobName = (name: string): boolean => /^[0-9a-f]{64}$/.test(name);
export const isSpillName = (name: string): boolean => /^[0-9A-HJKMNP-TV-Z]{26}-[\w-]+\.txt$/.test(name);
