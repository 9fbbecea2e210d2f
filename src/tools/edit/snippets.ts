/** The changed places of a file as they now stand, with numbered lines, so that nobody needs to read the file again. */
import { MAX_LINE_CHARS, numberedLines } from "../lines.ts";
import type { Span } from "./blocks.ts";
import { lineNumberAt } from "./explain.ts";

const CONTEXT_LINES = 3;
const CONTEXT_CHARS = 200;
const MAX_PLACES = 4;
const MAX_LINES = 60;
const MAX_BYTES = 8192;

interface Lines {
  readonly first: number;
  readonly last: number;
}

export function snippets(text: string, changed: readonly Span[]): string {
  if (text === "") return "(The file is empty.)";
  const places = changed.slice(0, MAX_PLACES);
  const long = places.find((span) => lineLengthAt(text, span) > MAX_LINE_CHARS);
  const shown = long
    ? places.map((span) => excerpt(text, span))
    : merged(places.map((span) => linesAround(text, span))).map((lines) => listing(text, lines));
  const rest = changed.length - MAX_PLACES;
  return [...shown, ...(rest > 0 ? [`[and ${rest} more places]`] : [])].join("\n[…]\n");
}

function lineLengthAt(text: string, { start, end }: Span): number {
  const lineEnd = text.indexOf("\n", end);
  return (lineEnd < 0 ? text.length : lineEnd) - (start === 0 ? 0 : text.lastIndexOf("\n", start - 1) + 1);
}

/** Of a line that is too long to show, only the characters around the change. */
function excerpt(text: string, { start, end }: Span): string {
  const [from, to] = [Math.max(0, start - CONTEXT_CHARS), Math.min(end, start + MAX_LINE_CHARS) + CONTEXT_CHARS];
  return `${String(lineNumberAt(text, start)).padStart(6)}\t…${text.slice(from, to)}…`;
}

function listing(text: string, { first, last }: Lines): string {
  const count = Math.min(MAX_LINES, last - first + 1);
  const part = numberedLines(text, { first, count, maxBytes: MAX_BYTES });
  return part.last < Math.min(last, part.total) ? `${part.text}\n[…]` : part.text;
}

function linesAround(text: string, { start, end }: Span): Lines {
  const first = Math.max(1, lineNumberAt(text, start) - CONTEXT_LINES);
  return { first, last: lineNumberAt(text, Math.max(start, end - 1)) + CONTEXT_LINES };
}

/** Places that touch become one. They come in order. */
function merged(places: readonly Lines[]): readonly Lines[] {
  const out: Lines[] = [];
  for (const place of places) {
    const before = out.at(-1);
    if (!before || place.first > before.last + 1) out.push(place);
    else out[out.length - 1] = { first: before.first, last: Math.max(before.last, place.last) };
  }
  return out;
}
