/** Finds runs of whole lines that say the same words as the typed ones, in a layout that differs uniformly at most. */
import { indentMap, indentOf } from "./indentation.ts";
import { isBlankLine, type TextLine, textLines, typedLines, withoutTrailingBlanks } from "./text-lines.ts";

export interface Span {
  readonly start: number;
  readonly end: number;
}

const MAX_COMPARED_LINES = 5_000_000;

interface Row {
  readonly words: string;
  readonly indent: string;
  readonly line: TextLine;
}

/** `blanks: "any"` lets the number of blank lines between the others differ. */
export function findBlocks(body: string, typed: string, blanks: "same" | "any"): readonly Span[] {
  const wanted = typedLines(typed);
  const throughLineEnd = wanted.length > 1 && wanted.at(-1) === "";
  const typedRows = wanted
    .slice(0, throughLineEnd ? -1 : undefined)
    .filter((line) => blanks === "same" || !isBlankLine(line));
  if (typedRows.every(isBlankLine)) return [];
  const rows = textLines(body)
    .map((line): Row => rowOf(body, line))
    .filter(({ words }) => blanks === "same" || words !== "");
  const words = typedRows.map((line) => withoutTrailingBlanks(line).slice(indentOf(line).length));
  return startsOf(rows, words)
    .map((at) => rows.slice(at, at + typedRows.length))
    .filter((block) => sameShape(block, typedRows))
    .map((block) => spanOf(block, throughLineEnd));
}

/** Where the words begin. Nowhere, if the file repeats itself so much that finding out would hold up the loop. */
function startsOf(rows: readonly Row[], words: readonly string[]): readonly number[] {
  const starts: number[] = [];
  let compared = 0;
  for (let at = 0; at + words.length <= rows.length; at++) {
    let same = 0;
    while (same < words.length && rows[at + same]?.words === words[same]) same++;
    compared += same;
    if (compared > MAX_COMPARED_LINES) return [];
    if (same === words.length) starts.push(at);
  }
  return starts;
}

function rowOf(body: string, line: TextLine): Row {
  const text = body.slice(line.start, line.trimmed);
  const indent = indentOf(text);
  return { words: text.slice(indent.length), indent, line };
}

function sameShape(block: readonly Row[], typed: readonly string[]): boolean {
  const pairs = block.map((row, index) => ({ row, typed: typed[index] ?? "" })).filter(({ row }) => row.words !== "");
  return indentMap(pairs.map((pair) => ({ typed: indentOf(pair.typed), file: pair.row.indent }))) !== undefined;
}

/** Whole lines, but for the blanks and the line end after the last, unless the typed text had a line end there. */
function spanOf(block: readonly Row[], throughLineEnd: boolean): Span {
  const [first, last] = [block[0]?.line, block.at(-1)?.line];
  return { start: first?.start ?? 0, end: (throughLineEnd ? last?.next : last?.trimmed) ?? 0 };
}
