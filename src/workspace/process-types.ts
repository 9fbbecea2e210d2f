/** The second port of the world seam: processes that run in the background until they end or are stopped. */
import type { Result } from "../shared/index.ts";
import type { ExecError } from "./types.ts";

export interface ProcessHost {
  /** Starts shell text as `exec` does, and does not wait for it. Rejects only for a bug. */
  spawn(start: ProcessStart): Promise<Result<BackgroundProcess, ExecError>>;
}

export interface ProcessStart {
  /** Text for `/bin/bash -c` (else `/bin/sh -c`); never a login shell. */
  readonly command: string;
  readonly cwd?: string;
  /** Added to the children's environment, which holds neither keys nor runtime switches. */
  readonly env?: Readonly<Record<string, string>>;
  /** Raw output as it comes, stdout and stderr in the order written; a flood is slowed down. Never called after `exited` settled. */
  readonly onOutput: (chunk: Uint8Array) => void;
}

export interface BackgroundProcess {
  readonly pid: number;
  /**
   * Settles once: when the shell has ended and nothing that it left in its group holds the output any more, or after `stop`.
   * By then every descriptor is closed. Rejects only for a bug in `onOutput`.
   */
  readonly exited: Promise<ProcessExit>;
  /** How many bytes its standard input took at once; the rest is not kept. A process that does not read has room for 64 KiB. */
  write(bytes: Uint8Array): Result<number, "closed">;
  /** Its standard input ends here. */
  endInput(): void;
  /** TERM to the group, 250 ms, KILL. Resolves when it has ended. Idempotent. */
  stop(): Promise<void>;
}

export interface ProcessExit {
  /** Of the shell; null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly durationMs: number;
}
