/** Numbered lines, as a model is shown a file. Only LF and CRLF end a line, as in the tools that count lines. */
import { byteLength } from "../shared/index.ts";

export const MAX_LINE_CHARS = 2000;

export interface NumberedLines {
  readonly text: string;
  /** The first and last line shown, from 1; `last < first` when none was. */
  readonly first: number;
  readonly last: number;
  /** All lines of the text. */
  readonly total: number;
}

interface Window {
  readonly first: number;
  readonly count: number;
  readonly maxBytes: number;
}

/** The lines from `first` on: at most `count`, and as many as fit into `maxBytes`, but one at least. */
export function numberedLines(text: string, { first, count, maxBytes }: Window): NumberedLines {
  const shown: string[] = [];
  let bytes = 0;
  let total = 0;
  let open = true;
  for (const line of linesOf(text)) {
    total++;
    if (total < first || !open) continue;
    const numbered = `${String(total).padStart(6)}\t${cutLine(line)}`;
    bytes += byteLength(numbered) + 1;
    open = shown.length === 0 || (shown.length < count && bytes <= maxBytes);
    if (open) shown.push(numbered);
  }
  return { text: shown.join("\n"), first, last: first + shown.length - 1, total };
}

/** Without their line ends. A final line end begins no further line. */
export function* linesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf("\n", start);
    const stop = end < 0 ? text.length : end;
    yield text.slice(start, stop > start && text[stop - 1] === "\r" && end >= 0 ? stop - 1 : stop);
    start = stop + 1;
  }
}

function cutLine(line: string): string {
  if (line.length <= MAX_LINE_CHARS) return line;
  const kept = line.slice(0, MAX_LINE_CHARS).replace(/[\ud800-\udbff]$/, "");
  return `${kept}… [line cut: ${line.length - kept.length} more characters]`;
}
