/**
 * Begins a session with the lines of another one, byte for byte, so that both share what the model's cache knows. The parent is
 * only read: it may be open in another process, and may be damaged behind what is taken over.
 */
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { setImmediate } from "node:timers/promises";
import { errorCode, StoreError } from "../../shared/index.ts";
import { createFoldedState } from "../folds.ts";
import { isSettled } from "../pairing.ts";
import { turnState } from "../projections/turn-state.ts";
import type { Forked } from "../store-types.ts";
import type { Disk } from "./disk.ts";
import { storeFailure } from "./failure.ts";
import { createIntegrity } from "./integrity.ts";
import { createJudge, type Judge } from "./judge.ts";
import { lineBatches } from "./lines.ts";
import { removeHolder } from "./lock.ts";
import { openLog } from "./log-file.ts";
import { type Draft, handleOf, type Opening, takeLock } from "./opening.ts";
import { PRIVATE_FILE } from "./paths.ts";
import { scanLog } from "./scan.ts";
import { lastBytes } from "./torn.ts";

const CHUNK_BYTES = 1024 * 1024;

interface Fork {
  readonly parent: { readonly id: string; readonly path: string };
  /** Where the fork's log will lie. */
  readonly path: string;
  readonly id: string;
  readonly seq?: number;
}

/** Throws StoreError; then nothing was made. */
export async function forkSession(opening: Opening, fork: Fork): Promise<Forked> {
  const { fd, stat } = openLog(fork.parent.path, "read");
  try {
    const cut = await findCut(fd, stat.size, fork);
    const session = await copied(opening, fork, { fd, end: cut.end });
    return { session, seq: cut.seq, ...(cut.leftBehind !== undefined && { leftBehind: cut.leftBehind }) };
  } finally {
    closeSync(fd);
  }
}

/** A place between two lines: the seq of the one before it, and its last byte's successor. */
interface Place {
  readonly seq: number;
  readonly end: number;
}

async function findCut(
  fd: number,
  size: number,
  { seq: wanted, parent }: Fork,
): Promise<Place & { readonly leftBehind?: string }> {
  const judge = createJudge();
  let turn = turnState.initial();
  let last: Place = { seq: 0, end: 0 };
  let settled = last;
  for await (const { event, end } of soundLines({ fd, size }, judge)) {
    turn = turnState.apply(turn, event);
    last = { seq: event.seq, end };
    if (isSettled(turn)) settled = last;
    if (event.seq === wanted) return settled;
  }
  const leftBehind = unsoundEnd(judge, size);
  if (wanted === undefined && last.seq > 0) return { ...last, ...(leftBehind !== undefined && { leftBehind }) };
  const why = leftBehind === undefined ? "" : `; ${leftBehind}`;
  throw new StoreError("not-found", `session ${parent.id} has ${last.seq} events to fork from${why}.`);
}

/** Up to the first damage, or to the torn end. */
async function* soundLines({ fd, size }: { readonly fd: number; readonly size: number }, judge: Judge) {
  for (const batch of lineBatches(fd, size)) {
    for (const line of batch) {
      const event = judge.take(line);
      if (judge.damage.length > 0) return;
      if (event) yield { event, end: line.offset + line.length + 1 };
    }
    await setImmediate();
  }
}

function unsoundEnd(judge: Judge, size: number): string | undefined {
  const [damage] = judge.damage;
  const state = damage?.newer ? "cannot be read" : "is damaged";
  if (damage) return `it ${state} from line ${damage.line} on: ${damage.reason}`;
  const { tornFrom } = judge.finish();
  return tornFrom === undefined ? undefined : `its ${lastBytes(size - tornFrom)} no whole line`;
}

async function copied(
  opening: Opening,
  { parent, id, path }: Fork,
  { fd: from, end }: { readonly fd: number; readonly end: number },
) {
  const draftPath = `${path}.${crypto.randomUUID()}.tmp`;
  const { fd } = openLog(draftPath, "create");
  try {
    await takeLock(opening, { id, path, fd });
    copy({ from, to: fd, end }, `copy ${parent.path} to ${path}`);
    const folded = createFoldedState(opening.price);
    const integrity = createIntegrity();
    const { size } = fstatSync(fd);
    const found = await scanLog({ fd, size, whole: false, onEvent: (event) => folded.apply(event), integrity });
    const opened = { id, path, fd, length: end, folded, integrity, ...(found.last && { lastId: found.last.id }) };
    return handleOf(opening, opened, draftAt({ draftPath, path, fd, disk: opening.disk }));
  } catch (cause) {
    rmSync(draftPath, { force: true });
    removeHolder(path);
    closeSync(fd);
    throw cause;
  }
}

function copy({ from, to, end }: { readonly from: number; readonly to: number; readonly end: number }, doing: string) {
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end));
  try {
    for (let position = 0; position < end; ) {
      const count = readSync(from, chunk, 0, Math.min(chunk.length, end - position), position);
      if (count === 0) throw new Error("the file became shorter meanwhile");
      for (let done = 0; done < count; ) done += writeSync(to, chunk, done, count - done);
      position += count;
    }
    fsyncSync(to);
  } catch (cause) {
    throw storeFailure(cause, doing);
  }
}

interface DraftFile {
  readonly draftPath: string;
  readonly path: string;
  readonly fd: number;
  readonly disk: Disk;
}

/** What gets the name is on the disk before: a power cut would else leave the other session's lines under it, and nothing more. */
function draftAt({ draftPath, path, fd, disk }: DraftFile): Draft {
  let named = false;
  return {
    isNamed: () => named,
    name() {
      try {
        disk.flushNow(fd);
        giveName(draftPath, path);
        named = true;
        disk.syncFolder(dirname(path));
      } catch (cause) {
        throw storeFailure(cause, named ? `bring ${path} onto the disk` : `make ${path}`);
      }
    },
    discard() {
      if (!named) rmSync(draftPath, { force: true });
    },
  };
}

/** What file systems answer that know no second name of a file, such as FAT and some on the network. */
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/** Never replaces another log. Throws the system's error. */
function giveName(draftPath: string, path: string): void {
  try {
    linkSync(draftPath, path);
  } catch (cause) {
    if (!NO_LINKS.has(errorCode(cause) ?? "")) throw cause;
    closeSync(openSync(path, "wx", PRIVATE_FILE)); // as exclusive as a link: from here on the name is ours
    renameSync(draftPath, path);
    return;
  }
  unlinkSync(draftPath);
}
