/**
 * The world seam. Tools and repository act on files and processes through these four methods and nothing else. Paths may be
 * relative to `cwd()`; no method expands `~` or variables. No method throws for an expected outcome.
 */
import type { Result } from "../shared/index.ts";

export interface Workspace {
  /** The working directory, absolute and real. */
  cwd(): string;
  /** Reads a regular file. Never blocks on a device or FIFO, never follows a last-component link out of surprise. */
  readFile(path: string, options?: ReadOptions): Promise<Result<FileContent, FileError>>;
  /**
   * Replaces or creates a regular file in one step (temporary file beside the real one, then rename). A link stays a link:
   * its target is replaced. Missing folders are made. The mode of an existing file is kept.
   */
  writeFile(path: string, content: Uint8Array, options?: WriteOptions): Promise<Result<WriteReceipt, FileError>>;
  /** Runs shell text to its end, its time limit or the signal. Rejects only for a bug. */
  exec(command: Command): Promise<Result<ProcessResult, ExecError>>;
}

export interface ReadOptions {
  /** At most this many bytes are returned; the rest is left unread. 0 is a stat. Default 16 MiB. */
  readonly maxBytes?: number;
}

export interface FileContent {
  /** The absolute path after links. */
  readonly realPath: string;
  readonly bytes: Uint8Array;
  /** The whole file's size, which may be more than was read. */
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** When content, mode or name last changed. Programs can set the other time back, but not this one. */
  readonly ctimeMs: number;
  /** Permission bits, as in 0o644. */
  readonly mode: number;
}

export interface WriteOptions {
  /** Permission bits of a new file; default 0o644 less the umask. Folders made for one that others may not read are private. */
  readonly mode?: number;
  /** For what was shown: the keys in use are hidden in it. */
  readonly masked?: true;
  /** Refuse with `changed` unless the file's present content has this hash; null: unless there is no file. */
  readonly expectedSha256?: string | null;
}

export interface WriteReceipt {
  readonly realPath: string;
  readonly sha256: string;
  readonly mode: number;
  readonly mtimeMs: number;
}

export interface FileError {
  readonly kind:
    | "not-found"
    | "is-directory"
    | "not-regular"
    | "not-permitted"
    | "read-only"
    | "full"
    | "changed"
    | "invalid-path"
    | "io";
  /** For a person and a model: what happened, to which path. */
  readonly message: string;
  /** After `not-found` and `is-directory` when reading: the deepest folder that exists, and the names in it (bounded). */
  readonly nearby?: { readonly folder: string; readonly entries: readonly string[] };
}

export interface Command {
  /** Text for `/bin/bash -c` (else `/bin/sh -c`), never a login shell; or a program and its arguments, run without a shell. */
  readonly command: string | readonly [program: string, ...args: string[]];
  readonly cwd?: string;
  /** Hard limit; then TERM to the process group, 250 ms, KILL. */
  readonly timeoutMs: number;
  /** Added to the children's environment, which holds neither keys nor runtime switches. */
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** For what the program itself reads: every byte as it is. Otherwise the keys in use are hidden in it. */
  readonly exact?: true;
  /** Raw output as it comes, stdout and stderr in the order written. */
  readonly onOutput?: (chunk: Uint8Array) => void;
  /** How much output is kept, split between its head and its tail. Default 256 KiB. */
  readonly maxOutputBytes?: number;
  /** Where the whole output goes when it is more than is kept; made only then, at most `maxSpillBytes` (default 64 MiB). */
  readonly spillFile?: string;
  readonly maxSpillBytes?: number;
}

export interface ProcessResult {
  /** Null when a signal, the time limit or the caller ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly ended: "exited" | "timeout" | "cancelled";
  /** stdout and stderr as one stream. When `omittedBytes` is 0 the whole output is in `head`. */
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  readonly omittedBytes: number;
  readonly totalBytes: number;
  /** Set when output was written there: all of it, unless `spillError` says why not. */
  readonly spillFile?: string;
  readonly spillError?: string;
  readonly durationMs: number;
}

export interface ExecError {
  readonly kind: "no-such-directory" | "no-shell" | "too-long" | "io";
  readonly message: string;
}
