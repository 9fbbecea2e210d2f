/** A picture of the project around a command: what git does not hold, and enough to tell afterwards what changed. */
import type { Workspace } from "../../workspace/index.ts";

/** A file in a picture. */
export interface PicturedFile {
  /** Of its content, which is kept; null: there is no regular file. Absent: the content is not kept, and size and time tell a change. */
  readonly sha256?: string | null;
  readonly mode?: number;
  readonly sizeBytes?: number;
  readonly mtimeMs?: number;
  readonly ctimeMs?: number;
}

export interface Picture {
  /** `git`: what differs from `head`, and what is neither tracked nor ignored. `walk`: every file, as far as was walked. */
  readonly form: "git" | "walk";
  /** The project's root, absolute and real; paths are relative to it. */
  readonly root: string;
  /** The commit that everything tracked and not pictured is equal to; null before the first, and without git. */
  readonly head: string | null;
  readonly files: ReadonlyMap<string, PicturedFile>;
  /** What is not in it, so that a file that turns up afterwards may have been there before. */
  readonly lacks: "nothing" | "some-untracked" | "anything";
  /** Files beyond the bound, known by their names alone: what is new or gone can be told, not what else changed. Lost in the text. */
  readonly others?: ReadonlySet<string>;
  /** When its files were looked at, for telling which of their times are too young to be trusted. */
  readonly takenAt: number;
}

/** The content of files by its hash. `put` gives undefined where it could not be kept. */
export interface Keeper {
  put(content: Uint8Array): Promise<string | undefined>;
  get(sha256: string): Promise<Uint8Array | undefined>;
}

export interface PictureParts {
  readonly workspace: Workspace;
  /** The project's root, absolute and real. */
  readonly root: string;
  readonly keeper: Keeper;
  readonly now: () => number;
}

/** What a command did to one file. */
export interface Change {
  /** Absolute. */
  readonly path: string;
  /** The content before, under its hash in the keeper; null: there was no file. Absent: it is not known, or is not kept. */
  readonly beforeSha256?: string | null;
  /** Null: the file is gone. Absent: what is there now is no regular file, or too large to be read. */
  readonly afterSha256?: string | null;
  readonly before?: Uint8Array;
  readonly after?: Uint8Array;
  readonly mode?: number;
}

/**
 * What bounds a picture. A file of more than 8 MiB is data rather than source; a thousand files and 64 MiB are more than a
 * person has open at once; and nobody shall wait for a picture much longer than for the command itself.
 */
export const BOUNDS = {
  fileBytes: 8 * 1024 * 1024,
  files: 1000,
  keptBytes: 64 * 1024 * 1024,
  keptMs: 1500,
  statusMs: 3000,
  statusBytes: 4 * 1024 * 1024,
  walkMs: 750,
  changes: 200,
  changesMs: 3000,
} as const;
