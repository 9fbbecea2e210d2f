/**
 * One writer per log: `flock` on the open log. The kernel drops it with its holder, so a dead process leaves nothing to
 * clean up. A text file beside the log says who holds it; it is for the message, and for whether waiting helps.
 */
import { closeSync, constants, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { errorCode } from "../../shared/index.ts";
import { holderPath, PRIVATE_FILE } from "./paths.ts";

/** `unsupported`: no libc was found, or the file system knows no locks. */
export type LockOutcome = "locked" | "held" | "unsupported";

interface Libc {
  readonly flock: (fd: number, operation: number) => number;
  readonly errno: () => number;
}

const EXCLUSIVE_NOW = 2 | 4; // LOCK_EX | LOCK_NB, the same on Linux and macOS
const MUSL_ARCH: Readonly<Record<string, string>> = { x64: "x86_64", arm64: "aarch64" };

let loading: Promise<Libc | undefined> | undefined;

export async function lockLog(fd: number): Promise<LockOutcome> {
  loading ??= loadLibc();
  const libc = await loading;
  if (!libc) return "unsupported";
  if (libc.flock(fd, EXCLUSIVE_NOW) === 0) return "locked";
  const wouldBlock = process.platform === "darwin" ? 35 : 11;
  return libc.errno() === wouldBlock ? "held" : "unsupported";
}

/** The commands of a program that died have 250 ms to end; what is left of them is then killed. */
const LEAVING_MS = 2_000;
/** A process that is being killed still looks alive for a moment. */
const DYING_MS = 100;
const LOOK_EVERY_MS = 10;

/**
 * While commands of a program that was killed still end, its watchdog holds the lock: they may change files until then, and who
 * recovered before would not see it. So a lock whose holder has died is waited for; that of a living one is not.
 */
export async function lockWhenLeft(lock: () => Promise<LockOutcome>, log: string): Promise<LockOutcome> {
  const began = performance.now();
  for (;;) {
    const outcome = await lock();
    const bound = isHolderAlive(log) ? DYING_MS : LEAVING_MS;
    if (outcome !== "held" || performance.now() - began > bound) return outcome;
    await setTimeout(LOOK_EVERY_MS);
  }
}

/** Whether the process that the note names runs. Also false before a new holder has left its name: the next look tells. */
const isHolderAlive = (log: string): boolean => isRunning(holderPid(log));

const holderPid = (log: string): number => Number(/^process (\d+),/.exec(readHolder(log) ?? "")?.[1]);

/** One that was killed, and that whoever started it has not yet asked how it ended, has no files open any more. */
function isRunning(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    if (process.kill(pid, 0)) return !/\) [ZX] [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch (error) {
    return errorCode(error) !== "ESRCH"; // there, and another user's, or on a system without /proc
  }
  return false;
}

async function loadLibc(): Promise<Libc | undefined> {
  const { dlopen, read } = await import("bun:ffi");
  const errnoName = process.platform === "darwin" ? "__error" : "__errno_location";
  for (const name of libcNames()) {
    try {
      const { symbols } = dlopen(name, {
        flock: { args: ["i32", "i32"], returns: "i32" },
        [errnoName]: { args: [], returns: "ptr" },
      });
      const location = symbols[errnoName] as () => Parameters<typeof read.i32>[0]; // the definition above says ptr
      return { flock: (fd, operation) => Number(symbols.flock(fd, operation)), errno: () => read.i32(location(), 0) };
    } catch {
      // Not this libc: the next name is tried, and having none is an outcome of its own.
    }
  }
  return undefined;
}

function libcNames(): readonly string[] {
  if (process.platform === "darwin") return ["libSystem.B.dylib"];
  const arch = MUSL_ARCH[process.arch] ?? process.arch;
  return ["libc.so.6", `libc.musl-${arch}.so.1`, `/lib/ld-musl-${arch}.so.1`];
}

/**
 * Whether the process that the note names runs on this machine and is not this one: all that can be known where a file system
 * has no locks. A number that was given to another program meanwhile looks the same.
 */
export const seemsHeld = (log: string): boolean => holderPid(log) !== process.pid && isHolderAlive(log);

const { O_RDONLY, O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW, O_NONBLOCK } = constants;

/** What lies under the note's name may be no file: a link is not written through, and a pipe is not waited for. */
function withNote<T>(log: string, access: number, use: (fd: number) => T): T {
  const fd = openSync(holderPath(log), access | O_NOFOLLOW | O_NONBLOCK, PRIVATE_FILE);
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}

export function writeHolder(log: string, now: number): void {
  const text = `process ${process.pid}, since ${new Date(now).toISOString()}\n`;
  try {
    withNote(log, O_WRONLY | O_CREAT | O_TRUNC, (fd) => writeFileSync(fd, text));
  } catch {
    // The lock stands without its caption; a disk that is full must not keep a session from opening.
  }
}

/** Called while the lock is still held. A note that cannot be removed names a process that is gone then: it keeps nobody out. */
export function removeHolder(log: string): void {
  try {
    rmSync(holderPath(log), { force: true });
  } catch {
    // The lock itself is given back all the same.
  }
}

export function readHolder(log: string): string | undefined {
  try {
    const text = withNote(log, O_RDONLY, (fd) => readFileSync(fd, "utf8"));
    return text.slice(0, 200).trim() || undefined;
  } catch {
    return undefined;
  }
}
