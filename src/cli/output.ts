/**
 * Writing to the standard streams so that everything arrives, however slow the reader, and nothing follows a closed pipe.
 * What people read may quote foreign text anywhere, a file name or a title, so it cannot drive a terminal.
 */
import { fstatSync, writeSync } from "node:fs";
import { errorCode, sanitize } from "../shared/index.ts";

export interface Output {
  /** On stdout, byte for byte: for programs, and for lines that are clean already. */
  out(text: string): void;
  /** On stdout, for people. */
  show(text: string): void;
  /** On stderr, for people. */
  err(text: string): void;
  /** Whether a person's terminal reads `out`. */
  isTerminal(): boolean;
  /** Whether the reader of `out` has gone away. */
  closed(): boolean;
  /** Something else that was asked for could not be written, in words. */
  lost(problem: string): void;
  /** Why something was lost, such as a full disk behind stdout. A reader who has gone wanted no more. */
  failure(): string | undefined;
}

export function createOutput(): Output {
  const gone = { 1: false, 2: false };
  let failure: string | undefined;
  const write = (fd: 1 | 2, text: string): void => {
    if (gone[fd]) return;
    const code = writeAll(fd, Buffer.from(text, "utf8"));
    gone[fd] = code !== undefined;
    if (fd === 1 && code !== undefined && code !== "EPIPE") {
      failure = `the standard output could not be written (${code})`;
    }
  };
  return {
    out: (text) => write(1, text),
    show: (text) => write(1, sanitize(text)),
    err: (text) => write(2, sanitize(text)),
    isTerminal,
    closed: () => gone[1],
    lost(problem) {
      failure ??= problem;
    },
    failure: () => failure,
  };
}

/** The runtime makes a whole stream to answer this, which takes milliseconds: it is asked only where the answer can be yes. */
function isTerminal(): boolean {
  try {
    return fstatSync(1).isCharacterDevice() && process.stdout.isTTY === true;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false; // it is closed
  }
}

/** The code of what went wrong, if something did. A full pipe is waited for: `process.exit` would otherwise cut the output. */
function writeAll(fd: number, bytes: Uint8Array): string | undefined {
  const idle = new Int32Array(new SharedArrayBuffer(4));
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(fd, bytes, at, bytes.length - at);
    } catch (error) {
      const code = errorCode(error);
      if (code === undefined) throw error;
      if (code !== "EAGAIN") return code;
      Atomics.wait(idle, 0, 0, 2);
    }
  }
  return undefined;
}
