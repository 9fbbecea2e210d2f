/** Reads a process's output piece by piece as clean text: what was cut in two between two pieces is whole again. */
import { collapseCarriageReturns, createSanitizer } from "../../shared/index.ts";
import type { RollingBuffer } from "./rolling-buffer.ts";

export interface OutputReader {
  /** What is new since the last call. `isLast`: nothing will follow. */
  read(isLast: boolean): NewOutput;
}

export interface NewOutput {
  readonly text: string;
  /** Bytes before the text that were lost, because they were not read in time. */
  readonly droppedBytes: number;
}

const LONG_LINE_BYTES = 4096;
const LINE_FEED = 0x0a;

export function createOutputReader(buffer: RollingBuffer): OutputReader {
  let decoder = new TextDecoder();
  let sanitizer = createSanitizer();
  return {
    read(isLast) {
      const { bytes, droppedBytes } = buffer.take();
      const skipped = droppedBytes === 0 ? 0 : brokenStart(bytes);
      if (droppedBytes > 0) {
        decoder = new TextDecoder();
        sanitizer = createSanitizer();
      }
      const clean = sanitizer.push(decoder.decode(bytes.subarray(skipped), { stream: !isLast }));
      return { text: collapseCarriageReturns(clean), droppedBytes: droppedBytes + skipped };
    },
  };
}

/** Behind a gap the bytes begin anywhere: in a character, in a sequence, in a line. A line's beginning is neither. */
function brokenStart(bytes: Uint8Array): number {
  const end = bytes.indexOf(LINE_FEED);
  if (end >= 0 && end < LONG_LINE_BYTES) return end + 1;
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return start;
}
