/** Writing to the standard streams so that everything arrives, however slow the reader, and nothing follows a closed pipe. */
import { writeSync } from "node:fs";
import { errorCode } from "../shared/index.ts";

export interface Output {
  out(text: string): void;
  err(text: string): void;
  /** Whether the reader of `out` has gone away. */
  closed(): boolean;
}

export function createOutput(): Output {
  const gone = { 1: false, 2: false };
  const write = (fd: 1 | 2, text: string): void => {
    if (!gone[fd]) gone[fd] = !writeAll(fd, Buffer.from(text, "utf8"));
  };
  return { out: (text) => write(1, text), err: (text) => write(2, text), closed: () => gone[1] };
}

/** False when nobody reads any more. A full pipe is waited for: `process.exit` would otherwise cut the output. */
function writeAll(fd: number, bytes: Uint8Array): boolean {
  const idle = new Int32Array(new SharedArrayBuffer(4));
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(fd, bytes, at, bytes.length - at);
    } catch (error) {
      if (errorCode(error) === "EAGAIN") Atomics.wait(idle, 0, 0, 2);
      else if (errorCode(error) === "EPIPE") return false;
      else throw error;
    }
  }
  return true;
}
