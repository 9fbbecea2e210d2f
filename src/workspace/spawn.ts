/**
 * Starts shell text in a session of its own, with its output on one real pipe, and nothing to read unless told. Says when the
 * shell has ended, and can signal all that it started and that stayed in its group.
 */
import { closeSync } from "node:fs";
import { errorCode } from "../shared/index.ts";
import { makePipe } from "./pipe.ts";

export interface RunningShell {
  /** Process id, group id and session id in one. */
  readonly group: number;
  /** Settles when the shell itself has ended, whoever still holds its output. */
  readonly exited: Promise<ShellExit>;
  /** The next piece of output; undefined at its end. One call at a time. */
  next(): Promise<Uint8Array | undefined>;
  /** Ends reading, also a call of `next` that waits, and closes the pipe. */
  closeOutput(): Promise<void>;
}

export interface ShellExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

interface ShellStart {
  readonly words: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** A descriptor to read from; it stays the caller's. */
  readonly stdin?: number;
}

/** Throws the system's error when nothing could be started. */
export function startShell({ words, cwd, env, stdin }: ShellStart): RunningShell {
  const pipe = makePipe();
  try {
    const child = Bun.spawn([...words], {
      cwd,
      env,
      stdin: stdin ?? "ignore",
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
  return {
    next: async () => (await reader.read()).value,
    async closeOutput() {
      await reader.cancel();
      closeSync(fd);
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
