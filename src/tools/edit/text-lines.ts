/** A text as lines that know where they lie in it, and a view of it with the layout at line ends taken away. */

export interface TextLine {
  readonly start: number;
  /** Where its blanks at the end begin. */
  readonly trimmed: number;
  /** Where its line end begins. */
  readonly end: number;
  /** Where the next line begins; the text's length for the last one. */
  readonly next: number;
}

/** Old Mac files end their lines in CR alone; otherwise a CR alone is a character like any other. */
export const lineBreakOf = (text: string): RegExp => (text.includes("\n") || !text.includes("\r") ? /\r?\n/g : /\r/g);

/** A final line end is followed by one more, empty line, so that joining the lines gives the text again. */
export function textLines(text: string, lineBreak = lineBreakOf(text)): readonly TextLine[] {
  const lines: TextLine[] = [];
  let start = 0;
  for (const { index, 0: found } of text.matchAll(lineBreak)) {
    const next = index + found.length;
    lines.push({ start, trimmed: trimmedEnd(text, start, index), end: index, next });
    start = next;
  }
  lines.push({ start, trimmed: trimmedEnd(text, start, text.length), end: text.length, next: text.length });
  return lines;
}

function trimmedEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && (text[at - 1] === " " || text[at - 1] === "\t")) at--;
  return at;
}

/** What a model typed, by lines, whatever line ends it used. */
export const typedLines = (text: string): readonly string[] => text.split(/\r?\n/);

export const withoutTrailingBlanks = (line: string): string => line.slice(0, trimmedEnd(line, 0, line.length));

export const isBlankLine = (line: string): boolean => trimmedEnd(line, 0, line.length) === 0;

/** The line end that text inserted at a span takes: one inside it, else the nearest, undefined in a text of one line. */
export function lineEndNear(text: string, start: number, end: number): string | undefined {
  if (!/[\r\n]/.test(text)) return undefined;
  const inside = lineBreakOf(text).exec(text.slice(start, end));
  if (inside) return inside[0];
  const after = lineBreakOf(text);
  after.lastIndex = end;
  return (after.exec(text) ?? [...text.slice(0, start).matchAll(lineBreakOf(text))].at(-1))?.[0];
}

export interface View {
  readonly text: string;
  /** Where an offset of the view lies in the text. */
  toText(offset: number): number;
}

/** The text with LF line ends and, if asked, without blanks before them. */
export function viewOf(text: string, without: "line-ends" | "trailing-blanks"): View {
  const lines = textLines(text);
  const contents = lines.map(({ start, trimmed, end }) => text.slice(start, without === "line-ends" ? end : trimmed));
  const starts = new Int32Array(lines.length);
  let at = 0;
  contents.forEach((content, index) => {
    starts[index] = at;
    at += content.length + 1;
  });
  return {
    text: contents.join("\n"),
    toText(offset) {
      const index = lastAtOrBefore(starts, offset);
      return (lines[index]?.start ?? 0) + offset - (starts[index] ?? 0);
    },
  };
}

function lastAtOrBefore(sorted: Int32Array, value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((sorted[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
