/** All sessions under one home folder: makes, opens, reads, judges, lists and finds their logs. Repairs no damaged one. */
import { closeSync, lstatSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isUlid, type LogEvent, StoreError } from "../../shared/index.ts";
import { withoutSecrets } from "../secrets.ts";
import type { SessionStore } from "../store-types.ts";
import { createBlobStore } from "./blobs.ts";
import { type Disk, systemDisk } from "./disk.ts";
import { forkSession } from "./fork.ts";
import { listSessions, namesIn } from "./listing.ts";
import { openLog } from "./log-file.ts";
import { beginSession, type Opening, reopenSession } from "./opening.ts";
import { storePaths } from "./paths.ts";
import { readLogLines } from "./reading.ts";
import { readEvents } from "./scan.ts";
import { judgeLog } from "./verdict.ts";

export interface StoreParts extends Omit<Opening, "blobs" | "disk"> {
  /** KHAELOR's folder; made when something is stored first. */
  readonly home: string;
  /** The machine's own when absent; others are for what goes wrong with one. */
  readonly disk?: Disk;
}

export function createSessionStore({ home, disk = systemDisk, ...parts }: StoreParts): SessionStore {
  const paths = storePaths(home);
  const blobs = createBlobStore(paths.blobs, disk, parts.secrets);
  const opening: Opening = { ...parts, disk, blobs };

  async function mustLocate(id: string): Promise<string> {
    const path = await locate(paths.sessions, id);
    if (path !== undefined) return path;
    throw new StoreError(
      "not-found",
      `there is no session ${id} under ${paths.sessions}. "khaelor sessions list" shows all.`,
    );
  }

  return {
    blobs,
    redacted: (texts) => texts.map((text) => String(withoutSecrets(text, parts.secrets ?? []))),
    create(started, id = parts.newId()) {
      return beginSession(opening, { id, path: paths.log(started.projectHash, id) }, started);
    },
    open: async (id) => reopenSession(opening, id, await mustLocate(id)),
    async fork(parent, { seq, id = parts.newId() } = {}) {
      const from = { id: parent, path: await mustLocate(parent) };
      const path = join(dirname(from.path), `${id}.jsonl`);
      return forkSession(opening, { parent: from, path, id, ...(seq !== undefined && { seq }) });
    },
    lines: async function* (idOrPath, options) {
      const [path, id] = isUlid(idOrPath) ? [await mustLocate(idOrPath), idOrPath] : named(paths.sessions, idOrPath);
      yield* readLogLines({ path, id }, options);
    },
    read: async function* (idOrPath) {
      yield* readLog(isUlid(idOrPath) ? await mustLocate(idOrPath) : resolve(idOrPath));
    },
    check: async (idOrPath) =>
      isUlid(idOrPath) ? judgeLog(await mustLocate(idOrPath), idOrPath) : judgeLog(...named(paths.sessions, idOrPath)),
    list: (filter) => listSessions({ ...parts, sessions: paths.sessions }, filter),
    locate: (id) => locate(paths.sessions, id),
  };
}

/** Of the store's own files the name counts, as when they are opened or listed; elsewhere a file may be called anything. */
function named(sessions: string, file: string): [path: string, id?: string] {
  const path = resolve(file);
  const id = basename(path, ".jsonl");
  return dirname(dirname(path)) === sessions && isUlid(id) ? [path, id] : [path];
}

async function locate(sessions: string, id: string): Promise<string | undefined> {
  if (!isUlid(id)) return undefined;
  const projects = await namesIn(sessions);
  return projects.map((project) => join(sessions, project, `${id}.jsonl`)).find(isThere);
}

/** Also when it leads nowhere: whoever opens it is told what it is. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // its folder cannot be looked into
  }
}

async function* readLog(path: string): AsyncGenerator<LogEvent> {
  const { fd, stat } = openLog(path, "read");
  try {
    yield* readEvents(fd, stat.size);
  } finally {
    closeSync(fd);
  }
}
