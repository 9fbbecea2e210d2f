/** Where a session's files lie under the home folder. Everything here is for its owner only. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { invariant, sha256 } from "../../shared/index.ts";
import { storeFailure } from "./failure.ts";

const PRIVATE_FOLDER = 0o700;
export const PRIVATE_FILE = 0o600;

/** Names a project's folder: short, and the same for the same root. */
export const projectHash = (root: string): string => sha256(root).slice(0, 16);

export interface StorePaths {
  readonly sessions: string;
  readonly blobs: string;
  /** For whole outputs of tools that were too long for their result. */
  readonly spill: string;
  readonly log: (project: string, id: string) => string;
}

export function storePaths(home: string): StorePaths {
  const sessions = join(home, "sessions");
  return {
    sessions,
    blobs: join(home, "blobs"),
    spill: join(home, "spill"),
    log: (project, id) => {
      invariant(/^[\w-]{1,64}$/.test(project), "a project hash names a folder");
      return join(sessions, project, `${id}.jsonl`);
    },
  };
}

/** For runs that are to leave nothing: each has a home of its own in it, for as long as it runs. */
export const throwawayFolder = (home: string): string => join(home, "throwaway");

const LOG = /\.jsonl$/;
export const metaPath = (log: string): string => log.replace(LOG, ".meta.json");
/** Who holds the log, in words. The lock itself is on the log. */
export const holderPath = (log: string): string => log.replace(LOG, ".lock");
export const tornPath = (log: string): string => `${log}.torn`;

/** Throws StoreError. */
export function makePrivateFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
  } catch (cause) {
    throw storeFailure(cause, `make the folder ${path}`);
  }
}
