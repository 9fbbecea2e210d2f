/** Turns the raw output of a command into what a model reads: clean, collapsed, and cut in the middle to a number of bytes. */
import { byteLength, bytePrefix, byteSuffix, sanitize } from "../shared/index.ts";
import type { ProcessResult } from "../workspace/index.ts";

export interface OutputText {
  readonly text: string;
  /** Bytes that the text leaves out; 0 when it holds everything. */
  readonly omittedBytes: number;
  /** For the omission's place in the text. */
  readonly head: string;
  readonly tail: string;
}

/** Where the whole of a cut output is, or why it is nowhere. */
export interface Spill {
  readonly file?: string;
  readonly trouble?: string;
}

type Kept = Pick<ProcessResult, "head" | "tail" | "omittedBytes">;

/** Of a cut output half goes to the beginning and half to the end, in whole lines where lines are short. */
export function outputText({ head, tail, omittedBytes }: Kept, maxBytes: number): OutputText {
  const start = sanitize(decoded(head));
  if (omittedBytes === 0 && byteLength(start) <= maxBytes)
    return { text: start, omittedBytes: 0, head: start, tail: "" };
  const rest = fromFirstLine(decoded(tail));
  const end = omittedBytes === 0 ? start : sanitize(rest);
  const half = Math.floor(maxBytes / 2);
  const [first, last] = [wholeLinesBefore(start, half), wholeLinesAfter(end, half)];
  const cut = byteLength(start) - byteLength(first) - byteLength(last);
  const cutTail = omittedBytes === 0 ? 0 : byteLength(end) + tail.length - byteLength(rest);
  return { text: first + last, omittedBytes: omittedBytes + cut + cutTail, head: first, tail: last };
}

/** The text of a cut output, with a note in the gap. */
export function withOmission(
  { head, tail, omittedBytes }: OutputText,
  { file, trouble }: Spill,
  totalBytes: number,
): string {
  const where = file === undefined ? "" : ` The whole output, ${totalBytes} bytes, is in ${file}: search it with grep.`;
  const why = trouble === undefined ? "" : ` (It could not be kept whole: ${trouble})`;
  const gap = head === "" || head.endsWith("\n") ? "" : "\n";
  return `${head}${gap}[… ${omittedBytes} bytes left out.${where}${why} …]\n${tail}`;
}

const decoded = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const LONG_LINE_CHARS = 4096;

/** The tail begins anywhere: in a character, in an escape sequence, in a line. A line's beginning is neither. */
function fromFirstLine(text: string): string {
  const end = text.indexOf("\n");
  return end >= 0 && end < LONG_LINE_CHARS ? text.slice(end + 1) : text.replace(/^\ufffd+/, "");
}

function wholeLinesBefore(text: string, maxBytes: number): string {
  const kept = bytePrefix(text, maxBytes);
  const end = kept.lastIndexOf("\n");
  return kept === text || end < kept.length - LONG_LINE_CHARS ? kept : kept.slice(0, end + 1);
}

function wholeLinesAfter(text: string, maxBytes: number): string {
  const kept = byteSuffix(text, maxBytes);
  const end = kept.indexOf("\n");
  return kept === text || end < 0 || end > LONG_LINE_CHARS ? kept : kept.slice(end + 1);
}
