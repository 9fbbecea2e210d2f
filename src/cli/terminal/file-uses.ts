/**
 * Which files of a project were mentioned, and when: kept in a small file of the user's own, so that they rank higher the next
 * time too. What cannot be kept is remembered until the end; a ranking is worth no message.
 */
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, statSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type Accesses, accessed } from "../../repository/index.ts";
import { accepts } from "../../shared/index.ts";

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
    if (statSync(path).size > MAX_BYTES) return new Map();
    const parsed: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (!accepts(FILE, parsed)) return new Map();
    return new Map(parsed.files.map(({ path: file, score, at }) => [file, { score, at }]));
  } catch {
    return new Map(); // not there yet, or nothing that could be read: it grows anew
  }
}

/** In one step, for its owner only. */
function write(path: string, uses: Accesses): void {
  const temporary = `${path}.${process.pid}`;
  const files = [...uses].map(([file, { score, at }]) => ({ path: file, score, at }));
  try {
    mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
    const file = openSync(temporary, "wx", 0o600);
    try {
      writeSync(file, JSON.stringify({ version: VERSION, files }));
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch {
    removeQuietly(temporary);
  }
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // it was not made
  }
}
