/** Content by its own hash: pre-images, attachments, frozen prefixes. A blob is never changed and never deleted here. */
import { readFileSync, statSync, utimesSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { errorCode, sha256 } from "../../shared/index.ts";
import { holdsSecret } from "../secrets.ts";
import type { BlobStore } from "../types.ts";
import type { Disk } from "./disk.ts";
import { storeFailure } from "./failure.ts";
import { makePrivateFolder } from "./paths.ts";

const NAME = /^[0-9a-f]{64}$/;
/** Not there, or its bytes cannot be had back, as on a bad sector. What only forbids the reading can be mended, and is told. */
const LOST = new Set(["ENOENT", "EIO", "EISDIR", "EUCLEAN"]);

/** `secrets` are the keys in use, asked at each use: a session learns them when it opens. */
export function createBlobStore(
  folder: string,
  disk: Pick<Disk, "read" | "replace">,
  secrets: readonly string[] = [],
): BlobStore {
  const store: BlobStore = {
    keep: async (content) => (holdsSecret(content, secrets) ? undefined : store.put(content)),

    async put(content) {
      const name = sha256(content);
      const path = join(folder, name);
      try {
        if (await holds(path, content)) {
          touch(path);
          return name;
        }
        makePrivateFolder(folder);
        await disk.replace(path, content);
      } catch (cause) {
        throw storeFailure(cause, `store ${path}`);
      }
      return name;
    },

    async get(name) {
      if (!NAME.test(name)) return undefined;
      const path = join(folder, name);
      try {
        const content = await disk.read(path);
        return sha256(content) === name ? new Uint8Array(content) : undefined;
      } catch (cause) {
        if (LOST.has(errorCode(cause) ?? "")) return undefined;
        throw storeFailure(cause, `read ${path}`);
      }
    },
  };
  return store;
}

/** It is in use again: whoever removes what no log names leaves alone what is fresh. Best effort, as nothing is lost without it. */
function touch(path: string): void {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // It keeps its old time.
  }
}

/** What is no larger is read at once, for a trip through the thread pool costs more; every start asks for two of these. */
const SMALL_BYTES = 64 * 1024;

/** Whether the blob is there and whole: one that a crash spoiled is written anew. */
async function holds(path: string, content: Uint8Array): Promise<boolean> {
  try {
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    if (size !== content.byteLength) return false;
    return (size <= SMALL_BYTES ? readFileSync(path) : await readFile(path)).equals(content);
  } catch (cause) {
    if (LOST.has(errorCode(cause) ?? "")) return false;
    throw cause;
  }
}
