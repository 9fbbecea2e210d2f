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
}

interface Judged {
  readonly complete: boolean;
  readonly valid: boolean;
}

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
  let position = from.byte;
  let number = from.number;

  /** `valid`: the bytes are known to be UTF-8. Asking for a whole chunk at once costs next to nothing, for each line much. */
  function line(rest: Buffer, end: number, { complete, valid }: Judged): RawLine {
    const length = begunBytes + rest.length;
    const where = { number: number++, offset: end - length, length, complete };
    if (length > MAX_LINE_BYTES) return { ...where, problem: `longer than ${MAX_LINE_BYTES} bytes` };
    const bytes = begun.length === 0 ? rest : Buffer.concat([...begun, rest]);
    if (!(valid && begun.length === 0) && !isUtf8(bytes)) return { ...where, problem: "not valid UTF-8" };
    return { ...where, text: bytes.toString("utf8") };
  }
  function keep(rest: Buffer): void {
    begunBytes += rest.length;
    if (begunBytes > MAX_LINE_BYTES) begun.length = 0;
    else if (rest.length > 0) begun.push(Buffer.from(rest));
  }

  while (position < size) {
    const count = readSync(fd, chunk, 0, Math.min(chunk.length, size - position), position);
    if (count === 0) break;
    const bytes = chunk.subarray(0, count);
    const batch: RawLine[] = [];
    const valid = isUtf8(bytes.subarray(bytes.indexOf(NEWLINE) + 1, bytes.lastIndexOf(NEWLINE) + 1));
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      batch.push(line(bytes.subarray(start, end), position + end, { complete: true, valid: valid && start > 0 }));
      begun.length = 0;
      begunBytes = 0;
      start = end + 1;
    }
    keep(bytes.subarray(start));
    position += count;
    if (batch.length > 0) yield batch;
  }
  if (begunBytes > 0) yield [line(Buffer.alloc(0), position, { complete: false, valid: false })];
}
