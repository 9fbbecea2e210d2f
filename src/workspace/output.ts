/**
 * Keeps the head and the tail of a flood within a fixed number of bytes, counts all of it, and writes all of it to a file
 * once it is more than is kept. Counts are exact.
 */
import { closeSync, constants, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { createRing, errorCode, errorMessage } from "../shared/index.ts";
import { parentOf } from "./paths.ts";
import type { ProcessResult } from "./types.ts";

type Kept = Pick<ProcessResult, "head" | "tail" | "omittedBytes" | "totalBytes" | "spillFile" | "spillError">;

export interface OutputSink {
  write(chunk: Uint8Array): void;
  /** Closes the spill file. Called once. */
  finish(): Kept;
}

interface SinkOptions {
  readonly maxBytes: number;
  readonly spillFile?: string;
  readonly maxSpillBytes: number;
}

export function createOutputSink({ maxBytes, spillFile, maxSpillBytes }: SinkOptions): OutputSink {
  const head = createHead(Math.ceil(maxBytes / 2));
  const tail = createRing(Math.floor(maxBytes / 2));
  let totalBytes = 0;
  let spill: Spill | undefined;
  return {
    write(chunk) {
      if (!spill && spillFile !== undefined && totalBytes + chunk.length > maxBytes) {
        spill = openSpill(spillFile, maxSpillBytes);
        spill.write(head.bytes());
        spill.write(tail.bytes());
      }
      totalBytes += chunk.length;
      spill?.write(chunk);
      tail.write(head.write(chunk));
    },
    finish() {
      const kept = { head: head.bytes(), tail: tail.bytes() };
      const omittedBytes = totalBytes - kept.head.length - kept.tail.length;
      if (omittedBytes > 0) return { ...kept, omittedBytes, totalBytes, ...spill?.close() };
      return { head: Buffer.concat([kept.head, kept.tail]), tail: new Uint8Array(), omittedBytes, totalBytes };
    },
  };
}

function createHead(limit: number) {
  let buffer = new Uint8Array(Math.min(limit, 4096));
  let filled = 0;
  return {
    /** Returns what did not fit. */
    write(chunk: Uint8Array): Uint8Array {
      const taken = chunk.subarray(0, limit - filled);
      if (filled + taken.length > buffer.length) {
        const larger = new Uint8Array(Math.min(limit, Math.max(filled + taken.length, buffer.length * 2)));
        larger.set(buffer.subarray(0, filled));
        buffer = larger;
      }
      buffer.set(taken, filled);
      filled += taken.length;
      return chunk.subarray(taken.length);
    },
    bytes: () => buffer.subarray(0, filled),
  };
}

interface Spill {
  write(chunk: Uint8Array): void;
  close(): Pick<ProcessResult, "spillFile" | "spillError">;
}

/** A failure to keep the whole output must not fail the command: it becomes `spillError`, for the reader of the result. */
function openSpill(path: string, limit: number): Spill {
  let fd: number | undefined;
  let written = 0;
  let spillError: string | undefined;
  const attempt = (act: () => void) => {
    try {
      act();
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
      spillError = errorMessage(error);
    }
  };
  attempt(() => {
    mkdirSync(parentOf(path), { recursive: true, mode: 0o700 });
    rmSync(path, { force: true });
    fd = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
  });
  return {
    write(chunk) {
      if (fd === undefined || spillError !== undefined) return;
      const part = chunk.subarray(0, limit - written);
      attempt(() => {
        for (let done = 0; done < part.length; ) {
          const count = writeSync(Number(fd), part, done);
          done += count;
          written += count;
        }
      });
      if (part.length < chunk.length) spillError ??= `only the first ${limit} bytes were kept`;
    },
    close() {
      if (fd !== undefined) closeSync(fd);
      return {
        ...(fd !== undefined && written > 0 && { spillFile: path }),
        ...(spillError !== undefined && { spillError }),
      };
    },
  };
}
