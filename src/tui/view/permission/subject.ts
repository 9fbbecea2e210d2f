/**
 * What a question is about, exactly: the whole command, or the change line by line. Nothing of it can hide: what cannot be seen
 * is spelled out, long runs of blanks and those at an end are counted, and what is too long for a row goes on in the next, which
 * begins with dots: it is no line of its own.
 */
import type { Piece } from "../../layout/span.ts";
import type { Measure } from "../../layout/width.ts";
import { wrapPieces } from "../../layout/wrap.ts";
import type { Line, Style, Tint } from "../../line.ts";
import { subjectOf } from "../../model/call-subject.ts";
import type { OpenQuestion } from "../../model/items.ts";
import { spelled } from "../../spelling.ts";
import { isCompact } from "../row.ts";
import { fieldsOf, isFileChange, isLoop } from "./words.ts";

export interface SubjectRoom {
  readonly width: number;
  readonly measure: Measure;
}

interface Row {
  readonly text: string;
  /** Before it, one sign wide. */
  readonly sign: string;
  readonly style: Style;
  readonly tint?: Tint;
}

const PLAIN: Style = { tone: "fg" };
const MUTED: Style = { tone: "muted" };

export function subjectLines(question: OpenQuestion, { width, measure }: SubjectRoom): readonly Line[] {
  const margin = isCompact(width) ? " " : "   ";
  return withoutGaps(rowsOf(question)).flatMap(({ text, sign, style, tint }) => {
    const first: readonly Piece[] = [
      { tone: "fg", text: margin },
      { ...(sign === "$" ? { tone: "faint" } : style), text: `${sign} ` },
    ];
    const goingOn: readonly Piece[] = [{ tone: "faint", text: `${margin}… ` }];
    return wrapPieces(piecesOf(text, style), {
      width: Math.max(1, width - 1),
      measure,
      first: first.map((piece) => ({ ...piece, width: measure(piece.text) })),
      rest: goingOn.map((piece) => ({ ...piece, width: measure(piece.text) })),
      ...(tint && { tint }),
    });
  });
}

function rowsOf(question: OpenQuestion): readonly Row[] {
  const { call, descriptor } = question;
  const input = fieldsOf(call?.input);
  if (!call) return textRows(descriptor, " ", PLAIN);
  if (isLoop(question)) return [...textRows(`${call.name} ${subjectOf(call.input)}`, "↻", PLAIN)];
  if (isFileChange(call)) return changeRows(input);
  if (typeof input.command === "string") return textRows(input.command, "$", PLAIN);
  if (typeof input.input === "string")
    return [...textRows(descriptor, " ", MUTED), ...textRows(input.input, "›", PLAIN)];
  return textRows(descriptor, " ", PLAIN);
}

/** The sign stands before the first line only. */
const textRows = (text: string, sign: string, style: Style): readonly Row[] =>
  text.split("\n").map((line, at) => ({ text: line, sign: at === 0 ? sign : " ", style }));

function changeRows({
  file_path: path,
  old_string: before,
  new_string: after,
  content,
  replace_all,
}: Readonly<Record<string, unknown>>): readonly Row[] {
  const shown = typeof path === "string" ? path : "";
  if (typeof content === "string") {
    const lines = linesOf(content);
    const count = `${lines.length} ${lines.length === 1 ? "line" : "lines"}`;
    return [{ text: `${shown}  the whole file, ${count}`, sign: " ", style: PLAIN }, ...lines.map(added)];
  }
  const [old, next] = endsDiffer(before, after)
    ? [endedLines(before), endedLines(after)]
    : [linesOf(before), linesOf(after)];
  const same = commonEnds(old, next);
  const everywhere = replace_all === true ? "  everywhere in it" : "";
  return [
    { text: `${shown}${everywhere}`, sign: " ", style: PLAIN },
    ...old.slice(0, same.start).map(kept),
    ...old.slice(same.start, old.length - same.end).map(removed),
    ...next.slice(same.start, next.length - same.end).map(added),
    ...old.slice(old.length - same.end).map(kept),
  ];
}

const linesOf = (text: unknown): readonly string[] =>
  typeof text === "string" && text !== "" ? text.replace(/\n$/, "").split("\n") : [];

/** One has a line break at its end and the other has not: then it is shown. */
const endsDiffer = (before: unknown, after: unknown): boolean => isEnded(before) !== isEnded(after);
const isEnded = (text: unknown): boolean => typeof text === "string" && text.endsWith("\n");
const endedLines = (text: unknown): readonly string[] =>
  linesOf(text).map((line, at, { length }) => (at === length - 1 && isEnded(text) ? `${line}\n` : line));

const kept = (text: string): Row => ({ text, sign: " ", style: MUTED });
const removed = (text: string): Row => ({ text, sign: "-", style: { tone: "error" }, tint: "removed" });
const added = (text: string): Row => ({ text, sign: "+", style: { tone: "ok" }, tint: "added" });

/** How many lines both have in common at the beginning and at the end. */
function commonEnds(old: readonly string[], next: readonly string[]): { readonly start: number; readonly end: number } {
  const most = Math.min(old.length, next.length);
  let start = 0;
  while (start < most && old[start] === next[start]) start++;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === next.at(-1 - end)) end++;
  return { start, end };
}

const MOST_EMPTY = 2;

/** Many empty lines in a row would push what follows off the screen: they are counted instead. */
function withoutGaps(rows: readonly Row[]): readonly Row[] {
  const out: Row[] = [];
  let empty = 0;
  const flush = () => {
    const last = out.at(-1);
    if (empty > MOST_EMPTY && last)
      out[out.length - 1] = { ...last, text: `⟨${empty} empty lines⟩`, style: { tone: "warn" } };
    empty = 0;
  };
  for (const row of rows) {
    const isEmpty = row.text.trim() === "";
    if (!isEmpty) flush();
    else empty += 1;
    if (!isEmpty || empty <= MOST_EMPTY) out.push(row);
    else out[out.length - 1] = row;
  }
  flush();
  return out;
}

/** Longer runs are counted, and all that end a line; an indentation may be longer. */
const LONG_RUNS = /(?<!^ *) {12,}|^ {60,}| +(?=\n?$)/g;

function piecesOf(text: string, style: Style): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const { 0: run, index } of text.matchAll(LONG_RUNS)) {
    pieces.push(...spelledPieces(text.slice(from, index), style), {
      tone: "warn",
      text: ` ⟨${run.length} ${run.length === 1 ? "blank" : "blanks"}⟩ `,
    });
    from = index + run.length;
  }
  pieces.push(...spelledPieces(text.slice(from), style));
  return pieces;
}

const spelledPieces = (text: string, style: Style): readonly Piece[] =>
  spelled(text).map((run) =>
    run.isSpelled ? { ...style, tone: "warn" as const, text: run.text } : { ...style, text: run.text },
  );
