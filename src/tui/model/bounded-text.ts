/** Parts of long texts that the interface keeps: bounded in lines and bytes, whole lines where lines are not too long. */
import { byteLength, bytePrefix, byteSuffix } from "../../shared/index.ts";

/** The most of a result, or of what a running call prints, that is kept for the screen. */
const KEPT_LINES = 200;
const KEPT_BYTES = 16 * 1024;

export interface KeptText {
  readonly output: string;
  /** Something was left out. */
  readonly isCut?: true;
}

export function keepHead(text: string): KeptText {
  const within = bytePrefix(text, KEPT_BYTES);
  const lines = endOfLine(within, KEPT_LINES);
  const output = lines === -1 ? within : within.slice(0, lines);
  return output.length === text.length ? { output } : { output, isCut: true };
}

export function keepTail(text: string): KeptText {
  const within = text.length > KEPT_BYTES || byteLength(text) > KEPT_BYTES ? suffix(text) : text;
  const output = within.slice(startOfLast(within, KEPT_LINES));
  return output.length === text.length ? { output } : { output, isCut: true };
}

/** Only the end is looked at, however long the text is. */
const suffix = (text: string): string => byteSuffix(text.slice(-KEPT_BYTES), KEPT_BYTES);

/** Where so many lines end, without the last line feed; -1 when there are fewer. */
function endOfLine(text: string, lines: number): number {
  let at = -1;
  for (let seen = 0; seen < lines; seen++) {
    at = text.indexOf("\n", at + 1);
    if (at === -1) return -1;
  }
  return at === text.length - 1 ? -1 : at;
}

/** Where the last so many lines begin. A line feed at the end begins no line. */
function startOfLast(text: string, lines: number): number {
  let at = text.endsWith("\n") ? text.length - 1 : text.length;
  for (let seen = 0; seen < lines; seen++) {
    if (at <= 0) return 0;
    at = text.lastIndexOf("\n", at - 1);
    if (at === -1) return 0;
  }
  return at + 1;
}
