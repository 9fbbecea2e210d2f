/** Words for an edit that was refused: where the text stands, what stands there instead, and what to send. */
import { linesOf, numberedLines } from "../lines.ts";
import { similarity } from "../paths.ts";
import type { EditRefusal } from "./apply.ts";
import type { Span } from "./blocks.ts";
import { MAX_MATCHES, type Typed } from "./matchers.ts";
import { isBlankLine, typedLines } from "./text-lines.ts";

const MAX_NAMED_LINES = 10;
const MAX_SHOWN_LINES = 16;
const MAX_SHOWN_BYTES = 4096;
/** Comparing letters is dear: in longer files only equal lines are looked for. */
const MAX_COMPARED_CHARS = 400_000;
const NEAR_ENOUGH = 0.6;

export function explainRefusal(refusal: EditRefusal, body: string, typed: Typed): string {
  switch (refusal.kind) {
    case "invalid-input":
      return refusal.message;
    case "no-change":
      return "The edit would leave the file as it is: old_string and new_string say the same.";
    case "ambiguous":
      return `${places(body, refusal.spans)} Add lines around it to old_string until it is unique, or set replace_all.`;
    case "not-found":
      return notFound(body, typed);
  }
}

function places(body: string, spans: readonly Span[]): string {
  const lines = [...new Set(spans.slice(0, MAX_NAMED_LINES).map(({ start }) => lineNumberAt(body, start)))];
  const more = spans.length > MAX_NAMED_LINES ? ", …" : "";
  const where = lines.length > 1 ? `in lines ${lines.join(", ")}${more}` : `in line ${lines[0]}${more}`;
  const times = spans.length < MAX_MATCHES ? spans.length : `at least ${MAX_MATCHES}`;
  return `old_string occurs ${times} times, ${where}.`;
}

/** From 1. */
export function lineNumberAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

function notFound(body: string, { old, next }: Typed): string {
  if (body === "") return "The file is empty, so old_string is not in it.";
  if (holdsLineNumbers(old)) {
    return "old_string is not in the file: it holds the line numbers that read shows. Leave each number and its tab out.";
  }
  const applied =
    next !== "" && body.includes(next)
      ? ` new_string is in it already, in line ${lineNumberAt(body, body.indexOf(next))}.`
      : "";
  const near = nearestRegion(body, old);
  if (near === undefined) return `old_string is not in the file, nor anything like it.${applied} Read the file again.`;
  const shown = numberedLines(body, { first: near.line, count: near.count, maxBytes: MAX_SHOWN_BYTES }).text;
  return `old_string is not in the file.${applied} The nearest text is:\n${shown}\nold_string must equal the file's text.`;
}

/** Copied from a listing, perhaps from the middle of its first line on. */
function holdsLineNumbers(old: string): boolean {
  const [first = "", ...rest] = typedLines(old.replace(/[\r\n]+$/, ""));
  const numbered = (line: string) => /^\s*\d+\t/.test(line);
  return (numbered(first) || rest.length > 0) && rest.every(numbered);
}

interface Region {
  readonly line: number;
  readonly count: number;
}

/** The lines that agree best with the typed ones: by equal lines, else by the line that is most like one of them. */
function nearestRegion(body: string, old: string): Region | undefined {
  const typed = typedLines(old).map((line) => line.trim());
  const file = [...linesOf(body)].map((line) => line.trim());
  const count = Math.min(typed.length, MAX_SHOWN_LINES);
  const line = bestByEqualLines(file, typed) ?? bestBySimilarity(file, typed, body.length);
  return line === undefined ? undefined : { line: Math.max(1, line + 1), count };
}

/** Each equal line votes for the place where the whole text would then begin; short lines such as `}` count little. */
function bestByEqualLines(file: readonly string[], typed: readonly string[]): number | undefined {
  const positions = new Map<string, number>();
  typed.forEach((line, index) => {
    if (line !== "") positions.set(line, positions.get(line) ?? index);
  });
  const votes = new Map<number, number>();
  file.forEach((line, index) => {
    const position = positions.get(line);
    if (position === undefined) return;
    const start = index - position;
    votes.set(start, (votes.get(start) ?? 0) + line.length);
  });
  const [best] = [...votes].sort((a, b) => b[1] - a[1]);
  return best && best[1] > 2 ? best[0] : undefined;
}

function bestBySimilarity(file: readonly string[], typed: readonly string[], chars: number): number | undefined {
  if (chars > MAX_COMPARED_CHARS) return undefined;
  const longest = typed.reduce((best, line, index) => (line.length > (typed[best]?.length ?? 0) ? index : best), 0);
  const wanted = (typed[longest] ?? "").slice(0, 400);
  let best = { at: -1, score: NEAR_ENOUGH };
  file.forEach((line, at) => {
    if (isBlankLine(line)) return;
    const score = similarity(wanted, line.slice(0, 400));
    if (score > best.score) best = { at, score };
  });
  return best.at < 0 ? undefined : best.at - longest;
}
