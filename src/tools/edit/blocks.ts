/** Finds runs of whole lines that say the same words as the typed ones, in a layout that differs uniformly at most. */
import { indentMap, indentOf } from "./indentation.ts";
import { isBlankLine, type TextLine, textLines, typedLines, withoutTrailingBlanks } from "./text-lines.ts";

export interface Span {
  readonly start: number;
  readonly end: number;
}

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
  const wantedWords = typedRows.map((line) => withoutTrailingBlanks(line).slice(indentOf(line).length));
  const spans: Span[] = [];
  for (let at = 0; at + typedRows.length <= rows.length; at++) {
    const block = rows.slice(at, at + (rows[at]?.words === wantedWords[0] ? typedRows.length : 0));
    if (block.length === 0 || !sameWords(block, wantedWords) || !sameShape(block, typedRows)) continue;
    spans.push(spanOf(block, throughLineEnd));
  }
  return spans;
}

function rowOf(body: string, line: TextLine): Row {
  const text = body.slice(line.start, line.trimmed);
  const indent = indentOf(text);
  return { words: text.slice(indent.length), indent, line };
}

const sameWords = (block: readonly Row[], words: readonly string[]): boolean =>
  block.every((row, index) => row.words === words[index]);

function sameShape(block: readonly Row[], typed: readonly string[]): boolean {
  const pairs = block.map((row, index) => ({ row, typed: typed[index] ?? "" })).filter(({ row }) => row.words !== "");
  return indentMap(pairs.map((pair) => ({ typed: indentOf(pair.typed), file: pair.row.indent }))) !== undefined;
}

/** Whole lines, but for the blanks and the line end after the last, unless the typed text had a line end there. */
function spanOf(block: readonly Row[], throughLineEnd: boolean): Span {
  const [first, last] = [block[0]?.line, block.at(-1)?.line];
  return { start: first?.start ?? 0, end: (throughLineEnd ? last?.next : last?.trimmed) ?? 0 };
}
