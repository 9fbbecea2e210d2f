/**
 * Which files of a project were mentioned, and when: kept in a small file of the user's own, so that they rank higher the next
 * time too. What cannot be kept is remembered until the end; a ranking is worth no message.
 */
import { join } from "node:path";
import { type Accesses, accessed } from "../../repository/index.ts";
import { accepts } from "../../shared/index.ts";
import { readOwnFile, replaceOwnFile } from "./own-file.ts";

const VERSION = 1;
const MAX_BYTES = 512 * 1024;
const MAX_PATH_CHARACTERS = 1_024;

const FILE = {
  version: "1",
  /** By path from the project's root. */
  files: [{ path: "string >= 1", score: "number > 0", at: "number" }, "[]"],
} as const;

export interface FileUses {
  /** By path from the project's root. */
  all(): Accesses;
  note(path: string, now: number): void;
}

export function openFileUses(home: string, project: string): FileUses {
  const path = join(home, "uses", `${project}.json`);
  let known = read(path);
  return {
    all: () => known,
    note(used, now) {
      if (used.length > MAX_PATH_CHARACTERS) return;
      // Another terminal may have written since.
      const kept = read(path);
      known = accessed(kept.size > 0 ? kept : known, used, now);
      write(path, known);
    },
  };
}

function read(path: string): Accesses {
  try {
    const parsed: unknown = JSON.parse(readOwnFile(path, MAX_BYTES) ?? "");
    if (!accepts(FILE, parsed)) return new Map();
    return new Map(parsed.files.map(({ path: file, score, at }) => [file, { score, at }]));
  } catch {
    return new Map(); // not there yet, or no JSON: it grows anew
  }
}

function write(path: string, uses: Accesses): void {
  const files = [...uses].map(([file, { score, at }]) => ({ path: file, score, at }));
  try {
    replaceOwnFile(path, JSON.stringify({ version: VERSION, files }));
  } catch {
    // it is remembered until the end
  }
}
