/** Which transcript a file is, judged by what is in it and never by its name. */
import { type Json, parseLines } from "./lines.ts";
import { isClaude, readClaude } from "./read-claude.ts";
import { isCondensed, readCondensed } from "./read-condensed.ts";
import { isPi, readPi } from "./read-pi.ts";
import { createTally, type Entry, type Tally, type Transcript } from "./types.ts";

interface Format {
  readonly name: string;
  readonly is: (lines: readonly Json[]) => boolean;
  readonly read: (lines: readonly Json[], tally: Tally) => readonly Entry[];
}

const FORMATS: readonly Format[] = [
  { name: "pi", is: isPi, read: readPi },
  { name: "claude", is: isClaude, read: readClaude },
  { name: "condensed", is: isCondensed, read: readCondensed },
];

/** The conversation that the text holds, or why it holds none. */
export function readTranscript(text: string): Transcript | string {
  const tally = createTally();
  const lines = parseLines(text, tally);
  if (lines.length === 0) return "no line of it is a JSON object";
  const format = FORMATS.find(({ is }) => is(lines));
  if (!format) return `no transcript of a known format (its first line has ${keysOf(lines[0])})`;
  const entries = format.read(lines, tally);
  if (!entries.some(({ kind }) => kind === "answer")) return `a ${format.name} transcript in which no model answers`;
  return { format: format.name, entries, tally };
}

const keysOf = (line: Json = {}): string => Object.keys(line).slice(0, 5).join(", ");
