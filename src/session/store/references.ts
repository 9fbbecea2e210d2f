/**
 * Which blobs and spilled outputs a log names. Anything that looks like such a name counts, wherever it stands: too much is kept
 * rather than too little.
 */
import { closeSync, readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { openLog } from "./log-file.ts";

const CHUNK_BYTES = 1024 * 1024;
/** Longer than any name, so that one which is cut in two is still found. */
const OVERLAP = 256;
const NAMES = /[0-9a-f]{64}|[0-9A-HJKMNP-TV-Z]{26}-[\w-]+\.txt/g;

/** Every name in the log, some perhaps twice. Holds one chunk at a time. Throws StoreError. */
export async function* namesInLog(path: string): AsyncGenerator<string> {
  const { fd, stat } = openLog(path, "read");
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

export const isBlobName = (name: string): boolean => /^[0-9a-f]{64}$/.test(name);
export const isSpillName = (name: string): boolean => /^[0-9A-HJKMNP-TV-Z]{26}-[\w-]+\.txt$/.test(name);
