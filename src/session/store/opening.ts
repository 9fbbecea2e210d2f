/** How a session begins and begins again: lock first, read second, change last, so that a refused log keeps every byte. */
import { closeSync, fstatSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { type LogEvent, type Logger, type NewId, type Payload, StoreError } from "../../shared/index.ts";
import { createFoldedState, type FoldedState } from "../folds.ts";
import { createHandle } from "../handle.ts";
import type { Price } from "../projections/usage-totals.ts";
import type { BlobStore, SessionHandle, TornTail } from "../types.ts";
import type { Disk } from "./disk.ts";
import { createIntegrity, type Integrity } from "./integrity.ts";
import { lockWhenLeft, readHolder, removeHolder, seemsHeld, writeHolder } from "./lock.ts";
import { LogFile, openLog } from "./log-file.ts";
import { keepMeta } from "./meta-cache.ts";
import { holderPath, makePrivateFolder } from "./paths.ts";
import { scanLog } from "./scan.ts";
import { moveTornTail } from "./torn.ts";
import { refusal } from "./verdict.ts";

export interface Opening {
  readonly blobs: BlobStore;
  readonly now: () => number;
  readonly newId: NewId;
  readonly price: Price;
  /** Names the prices behind `price`: what was reckoned with others is reckoned anew. */
  readonly priceList?: string;
  readonly logger: Logger;
  /** Values that no log may hold: replaced in every event. The array may grow. */
  readonly secrets?: readonly string[];
  readonly disk: Disk;
}

export interface OpenedLog {
  readonly id: string;
  readonly path: string;
  readonly fd: number;
  readonly length: number;
  readonly folded: FoldedState;
  /** Knows the log's lines, and so what may follow them. */
  readonly integrity: Integrity;
  readonly lastId?: string;
  readonly torn?: TornTail;
}

/** Makes the log with its first line, or nothing at all. */
export async function beginSession(
  opening: Opening,
  { id, path }: { readonly id: string; readonly path: string },
  started: Payload<"session.started">,
): Promise<SessionHandle> {
  makePrivateFolder(dirname(path));
  const { fd } = openLog(path, "create");
  try {
    await takeLock(opening, { id, path, fd });
    const folded = createFoldedState(opening.price);
    const handle = handleOf(opening, { id, path, fd, length: 0, folded, integrity: createIntegrity() });
    handle.publish({ type: "session.started", payload: started });
    return handle;
  } catch (cause) {
    // Nothing was recorded, and an empty file would only look like a lost session.
    rmSync(path, { force: true });
    removeHolder(path);
    closeSync(fd);
    throw cause;
  }
}

/** Replays a log and readies it for appending. Throws StoreError; then the file is as it was. */
export async function reopenSession(opening: Opening, id: string, path: string): Promise<SessionHandle> {
  const { fd } = openLog(path, "append");
  try {
    await takeLock(opening, { id, path, fd });
  } catch (cause) {
    closeSync(fd);
    throw cause;
  }
  try {
    return handleOf(opening, await replayed(opening, { id, path, fd }));
  } catch (cause) {
    removeHolder(path);
    closeSync(fd);
    throw cause;
  }
}

type LockedLog = Pick<OpenedLog, "id" | "path" | "fd">;

/** A log that has no name yet: its first line gives it one. */
export interface Draft {
  readonly isNamed: () => boolean;
  /** Throws StoreError; not called again then. */
  readonly name: () => void;
  /** Removes it if it never got a name. */
  readonly discard: () => void;
}

async function replayed({ price, logger, disk }: Opening, log: LockedLog): Promise<OpenedLog> {
  const { id, path, fd } = log;
  const folded = createFoldedState(price);
  const integrity = createIntegrity(id);
  const { size } = fstatSync(fd);
  const onEvent = (event: LogEvent) => folded.apply(event);
  const found = await scanLog({ fd, size, id, whole: false, onEvent, integrity });
  const refused = await refusal(id, path, found);
  if (refused) throw refused;
  const torn = found.tornFrom === undefined ? undefined : movedAside({ ...log, size, disk }, found.tornFrom);
  if (torn) logger.warn("a torn line was moved out of the log", { path, bytes: torn.bytes });
  return {
    ...log,
    folded,
    integrity,
    length: found.tornFrom ?? size,
    ...(found.last && { lastId: found.last.id }),
    ...(torn && { torn }),
  };
}

/** Throws StoreError when the bytes could not be kept: then they stay where they are. */
function movedAside(
  { id, ...log }: LockedLog & { readonly size: number; readonly disk: Disk },
  tornFrom: number,
): TornTail {
  try {
    return moveTornTail(log, tornFrom);
  } catch (cause) {
    throw cause instanceof StoreError ? notMoved(id, cause) : cause;
  }
}

function notMoved(id: string, { kind, message, cause }: StoreError): StoreError {
  const way = `The log was not changed, and goes on in a copy without that end: --fork ${id}.`;
  return new StoreError(kind, `${message.replace(/[^.]$/, "$&.")} ${way}`, { cause });
}

export async function takeLock({ now, logger, disk }: Opening, { id, path, fd }: LockedLog): Promise<void> {
  const outcome = await lockWhenLeft(() => disk.lock(fd), path);
  if (outcome === "held") throw openElsewhere(id, path);
  if (fstatSync(fd).nlink === 0) throw new StoreError("not-found", `session ${id} was removed just now`);
  // Without locks a second writer is also noticed later, for each append first checks the file's length.
  if (outcome === "unsupported" && seemsHeld(path)) {
    const doubt = `Its file system has no locks: if that process is no khaelor any more, remove ${holderPath(path)}.`;
    throw openElsewhere(id, path, doubt);
  }
  if (outcome === "unsupported") logger.warn("this log cannot be locked", { path });
  writeHolder(path, now());
}

function openElsewhere(id: string, path: string, doubt?: string): StoreError {
  const holder = readHolder(path) ?? "another process";
  return new StoreError(
    "locked",
    `session ${id} is open in another khaelor (${holder}). End that one, or go on in a fork of it: --fork ${id}. ` +
      `"khaelor sessions show ${id}" shows what is in it.${doubt === undefined ? "" : ` ${doubt}`}`,
    { held: { by: holder, ...(doubt !== undefined && { doubt }) } },
  );
}

export function handleOf(opening: Opening, opened: OpenedLog, draft?: Draft): SessionHandle {
  const { id, path, fd, length, folded, integrity, lastId, torn } = opened;
  const file = new LogFile(path, fd, length, opening.disk);
  const naming = draft && namedByItsFirstLine(file, draft);
  return createHandle({
    ...opening,
    id,
    log: naming ?? file,
    folded,
    integrity,
    ...(lastId !== undefined && { lastId }),
    ...(torn && { torn }),
    lockFd: fd,
    keepMeta() {
      const { size, mtimeMs } = fstatSync(fd);
      // Of what another program did to the file the folds know nothing, nor of a line that gave it no name.
      if (naming?.isDone() === false || size !== file.length) return;
      const read = { byte: size, state: folded.metaFold(), isWhole: true };
      keepMeta(path, read, { fd, size, mtimeMs, prices: opening.priceList ?? "" }, opening.logger);
    },
    release: () => {
      removeHolder(path);
      draft?.discard();
      return file.close();
    },
  });
}

/**
 * What has no line of its own yet is no session: a crash before that leaves no log that would look like one. A line whose log
 * could not be named was not accepted, and no other may stand behind it.
 */
function namedByItsFirstLine(file: LogFile, draft: Draft) {
  let failure: unknown;
  return {
    path: file.path,
    append(line: string): void {
      if (failure !== undefined) throw failure;
      file.append(line);
      if (draft.isNamed()) return;
      try {
        draft.name();
      } catch (cause) {
        failure = cause;
        throw cause;
      }
    },
    sync: () => file.sync(),
    isDone: () => draft.isNamed() && failure === undefined,
  };
}
