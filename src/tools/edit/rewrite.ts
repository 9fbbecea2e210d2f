/**
 * Writes the new text in place of a match. Lines that the new text repeats keep the file's bytes; the others take the file's
 * line ends, and the indentation that the match was found with.
 */
import type { Span } from "./blocks.ts";
import { type IndentMap, indentMap, indentOf } from "./indentation.ts";
import type { Typed } from "./matchers.ts";
import { isBlankLine, lineBreakOf, lineEndNear, textLines, typedLines, withoutTrailingBlanks } from "./text-lines.ts";

/** The text that replaces `span` of `body`. */
export function rewritten(body: string, span: Span, typed: Typed): string {
  const found = body.slice(span.start, span.end);
  const lineEnd = lineEndNear(body, span.start, span.end);
  if (found === typed.old) return literal(typed, lineEnd);
  return layOut(typed, fileLines(found, lineBreakOf(body)), lineEnd ?? "\n");
}

/** A change of nothing but line ends is meant as such. */
function literal({ old, next }: Typed, lineEnd: string | undefined): string {
  if (lineEnd === undefined || typedLines(old).join("\n") === typedLines(next).join("\n")) return next;
  return next.replace(/\r?\n/g, lineEnd);
}

interface Line {
  readonly text: string;
  readonly lineEnd: string;
}

const fileLines = (found: string, lineBreak: RegExp): readonly Line[] =>
  textLines(found, lineBreak).map(({ start, end, next }) => ({
    text: found.slice(start, end),
    lineEnd: found.slice(end, next),
  }));

/** A line with words, and the blank lines after it. */
interface Group<T> {
  readonly line: T | undefined;
  readonly blanks: readonly T[];
}

/** The first group has no line: it holds the blank lines before all others. */
function grouped<T>(lines: readonly T[], isBlank: (line: T) => boolean): readonly Group<T>[] {
  const groups: { line: T | undefined; blanks: T[] }[] = [{ line: undefined, blanks: [] }];
  for (const line of lines) {
    if (isBlank(line)) groups.at(-1)?.blanks.push(line);
    else groups.push({ line, blanks: [] });
  }
  return groups;
}

function layOut(typed: Typed, lines: readonly Line[], lineEnd: string): string {
  const old = grouped(typedLines(typed.old), isBlankLine);
  const next = grouped(typedLines(typed.next), isBlankLine);
  const file = grouped(lines, (line) => isBlankLine(line.text));
  const map = mapBetween(old, file, next);
  const kept = repeated(old, next);
  const out: Line[] = [];
  next.forEach(({ line, blanks }, index) => {
    const same = kept[index];
    const own = same === undefined ? undefined : file[same]?.line;
    if (line !== undefined) out.push(own ?? { text: map(indentOf(line)) + line.slice(indentOf(line).length), lineEnd });
    // The gap is the file's if the new text leaves it as the old one had it, seen from either of the lines beside it.
    const before = same ?? (kept[index + 1] ?? Number.NaN) - 1;
    const unchanged = old[before]?.blanks.length === blanks.length ? file[before]?.blanks : undefined;
    // An empty line has no level to move: one that ends the new text would push the line behind it.
    out.push(...(unchanged ?? blanks.map((text) => ({ text: text === "" ? "" : map(text), lineEnd }))));
  });
  return out.map((line, at) => (at === out.length - 1 ? line.text : line.text + (line.lineEnd || lineEnd))).join("");
}

function mapBetween(
  old: readonly Group<string>[],
  file: readonly Group<Line>[],
  next: readonly Group<string>[],
): IndentMap {
  const pairs = old.flatMap(({ line }, index) => {
    const text = file[index]?.line?.text;
    return line === undefined || text === undefined ? [] : [{ typed: indentOf(line), file: indentOf(text) }];
  });
  return (
    indentMap(
      pairs,
      next.flatMap(({ line }) => line ?? []),
    ) ?? ((indent) => indent)
  );
}

/** For each group of the new text the group of the old text that it repeats, in order. The groups before all lines agree. */
function repeated(old: readonly Group<string>[], next: readonly Group<string>[]): readonly (number | undefined)[] {
  const same = (a: Group<string> | undefined, b: Group<string> | undefined) =>
    withoutTrailingBlanks(a?.line ?? "") === withoutTrailingBlanks(b?.line ?? "");
  let back = 0;
  const shorter = Math.min(old.length, next.length);
  while (back < shorter - 1 && same(old.at(-1 - back), next.at(-1 - back))) back++;
  let from = 0;
  return next.map((group, index) => {
    if (index >= next.length - back) return index - next.length + old.length;
    const found = old.findIndex((other, at) => at >= from && at < old.length - back && same(other, group));
    if (found < 0) return undefined;
    from = found + 1;
    return found;
  });
}
