/**
 * Starts shell text in a session of its own, with its output on one real pipe and nothing to read. Says when the shell has
 * ended, and can signal all that it started and that stayed in its group.
 */
import { closeSync } from "node:fs";
import { errorCode } from "../shared/index.ts";
import { makePipe, readWaiting } from "./pipe.ts";

export interface RunningShell {
  /** Process id, group id and session id in one. */
  readonly group: number;
  /** Settles when the shell itself has ended, whoever still holds its output. */
  readonly exited: Promise<ShellExit>;
  /** The next piece of output; undefined at its end. One call at a time. */
  next(): Promise<Uint8Array | undefined>;
  /** Ends reading and closes the pipe. Returns what had arrived and was not read, if the end had not been reached. */
  closeOutput(): Promise<Uint8Array>;
}

export interface ShellExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

interface ShellStart {
  readonly words: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Of what a shell wrote before it ended, no pipe holds more than this by default limits. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** Throws the system's error when nothing could be started. */
export function startShell({ words, cwd, env }: ShellStart): RunningShell {
  const pipe = makePipe();
  try {
    const child = Bun.spawn([...words], {
      cwd,
      env,
      stdin: "ignore",
      stdout: pipe.write,
      stderr: pipe.write,
      detached: true,
    });
    const exited = child.exited.then(() => ({
      exitCode: child.exitCode,
      signal: child.signalCode === null ? null : String(child.signalCode),
    }));
    return { group: child.pid, exited, ...outputOf(pipe.read) };
  } catch (error) {
    closeSync(pipe.read);
    throw error;
  } finally {
    closeSync(pipe.write);
  }
}

function outputOf(fd: number): Pick<RunningShell, "next" | "closeOutput"> {
  const reader = Bun.file(fd).stream().getReader();
  let ended = false;
  return {
    async next() {
      const { done, value } = await reader.read();
      ended ||= done;
      return value;
    },
    async closeOutput() {
      const atEnd = ended;
      await reader.cancel();
      try {
        return atEnd ? new Uint8Array() : readWaiting(fd, MAX_WAITING_BYTES);
      } finally {
        closeSync(fd);
      }
    },
  };
}

/** Whether anything of a group is left. */
export const groupLives = (group: number): boolean => signalGroup(group, 0);

/** False when there is no such group any more. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch (error) {
    // EPERM: it lives, but has become another user's (sudo).
    if (errorCode(error) === "ESRCH") return false;
    if (errorCode(error) === "EPERM") return true;
    throw error;
  }
}
