/** Splits an open file into lines, a chunk at a time, so that a log of any size needs the memory of one chunk. */
import { isUtf8 } from "node:buffer";
import { readSync } from "node:fs";
import { MAX_LINE_BYTES } from "../../shared/index.ts";

export interface RawLine {
  /** From 1. */
  readonly number: number;
  /** Byte offset of its first byte. */
  readonly offset: number;
  /** Bytes, the newline not counted. */
  readonly length: number;
  /** Whether a newline ends it; only the last line of a file can lack one. */
  readonly complete: boolean;
  /** Absent when `problem` says why. */
  readonly text?: string;
  readonly problem?: string;
  /** With `problem`: how it begins, with what is no text replaced. */
  readonly head?: string;
}

/** Enough for what an event begins with. */
const HEAD_BYTES = 256;
const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

/** Where a line begins: its first byte, and its number from 1. */
export interface LineStart {
  readonly byte: number;
  readonly number: number;
}

/**
 * The lines of the first `size` bytes of a file, or of those behind `from`, in batches of about one chunk. The caller may pause
 * between batches.
 */
export function* lineBatches(
  fd: number,
  size: number,
  from: LineStart = { byte: 0, number: 1 },
): Generator<readonly RawLine[]> {
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(1, size)));
  const begun: Buffer[] = [];
  let begunBytes = 0;
  let begunHead = "";
  let position = from.byte;
  let number = from.number;

  /** Of what earlier chunks hold of it, and `rest`. */
  function line(rest: Buffer, end: number, complete: boolean): RawLine {
    const length = begunBytes + rest.length;
    const where = { number: number++, offset: end - length, length, complete };
    const head = begunBytes === 0 ? headOf(rest) : begunHead;
    if (length > MAX_LINE_BYTES) return { ...where, problem: `longer than ${MAX_LINE_BYTES} bytes`, head };
    const bytes = begun.length === 0 ? rest : Buffer.concat([...begun, rest]);
    if (isUtf8(bytes)) return { ...where, text: bytes.toString("utf8") };
    return { ...where, problem: "not valid UTF-8", head };
  }
  function keep(rest: Buffer): void {
    if (begunBytes === 0) begunHead = headOf(rest);
    begunBytes += rest.length;
    if (begunBytes > MAX_LINE_BYTES) begun.length = 0;
    else if (rest.length > 0) begun.push(Buffer.from(rest));
  }

  while (position < size) {
    const count = readSync(fd, chunk, 0, Math.min(chunk.length, size - position), position);
    if (count === 0) break;
    const bytes = chunk.subarray(0, count);
    const batch: RawLine[] = [];
    let end = bytes.indexOf(NEWLINE);
    // Asking for all lines that lie within the chunk at once costs next to nothing, for each of them much.
    const isValid = isUtf8(bytes.subarray(end + 1, bytes.lastIndexOf(NEWLINE) + 1));
    let start = 0;
    for (; end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      if (isValid && start > 0) {
        const text = bytes.toString("utf8", start, end);
        batch.push({ number: number++, offset: position + start, length: end - start, complete: true, text });
      } else {
        batch.push(line(bytes.subarray(start, end), position + end, true));
        begun.length = 0;
        begunBytes = 0;
      }
      start = end + 1;
    }
    keep(bytes.subarray(start));
    position += count;
    if (batch.length > 0) yield batch;
  }
  if (begunBytes > 0) yield [line(Buffer.alloc(0), position, false)];
}

const headOf = (bytes: Buffer): string => bytes.toString("utf8", 0, HEAD_BYTES);
