/** Fits what was found into a result: whole lines, from the beginning, and the number of those that are left out. */
import type { FoundFile } from "../../repository/index.ts";
import { byteLength } from "../../shared/index.ts";

/** A line of the result. */
export interface Item {
  readonly text: string;
  /** It stands for a match, and not for a file's name or a neighbour. */
  readonly counts: boolean;
}

export interface Fitted {
  readonly text: string;
  /** Of the items that count. */
  readonly shown: number;
}

interface Bounds {
  readonly maxItems: number;
  readonly maxBytes: number;
}

export function fitItems(items: Iterable<Item>, { maxItems, maxBytes }: Bounds): Fitted {
  const lines: string[] = [];
  let bytes = 0;
  let shown = 0;
  for (const { text, counts } of items) {
    bytes += byteLength(text) + 1;
    if (lines.length >= maxItems || bytes > maxBytes) break;
    lines.push(text);
    if (counts) shown++;
  }
  return { text: lines.join("\n"), shown };
}

/** `1 file`, `2 files`. */
export const counted = (count: number, thing: string): string =>
  `${count} ${thing}${count === 1 ? "" : thing.endsWith("ch") ? "es" : "s"}`;

export const itemOf = (text: string): Item => ({ text, counts: true });

/** A file's name and below it its lines, with a blank line between files. */
export function* contentItems(files: readonly FoundFile[], nameOf: (path: string) => string): Generator<Item> {
  for (const [at, file] of files.entries()) {
    if (at > 0) yield { text: "", counts: false };
    yield { text: nameOf(file.path), counts: false };
    if (file.binary) yield itemOf("(a binary file that matches)");
    yield* rowItems(file.rows);
  }
}

/** `12:` before a match, `12-` before a neighbour; where there are neighbours, `--` where lines are left out. */
function* rowItems(rows: FoundFile["rows"]): Generator<Item> {
  const hasContext = rows.some((row) => !row.isMatch);
  let last = 0;
  for (const { line, text, isMatch } of rows) {
    if (hasContext && last > 0 && line > last + 1) yield { text: "--", counts: false };
    yield { text: line === 0 ? text : `${line}${isMatch ? ":" : "-"}${text}`, counts: isMatch };
    last = line;
  }
}
