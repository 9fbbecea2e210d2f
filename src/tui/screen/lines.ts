/** Texts as lines: what changed between two, and where a line begins. */
import { EMPTY_DRAFT, lineEnd, lineStart } from "./draft.ts";

/** Whole lines, without the break that ends the last one. */
export interface ChangedLines {
  readonly row: number;
  readonly old: string;
  readonly next: string;
}

/**
 * What must be replaced to get from one text to the other. Always whole lines: within a line the library counts cells, and
 * not every place in a text has cells of its own.
 */
export function changedLines(old: string, next: string): ChangedLines | undefined {
  if (old === next) return;
  const shorter = Math.min(old.length, next.length);
  let head = 0;
  while (head < shorter && old.charCodeAt(head) === next.charCodeAt(head)) head++;
  let tail = 0;
  while (tail < shorter - head && old.charCodeAt(old.length - 1 - tail) === next.charCodeAt(next.length - 1 - tail)) {
    tail++;
  }
  const draft = { ...EMPTY_DRAFT, text: old };
  const start = lineStart(draft, head);
  const end = lineEnd(draft, old.length - tail);
  return {
    row: breaksIn(old.slice(0, start)),
    old: old.slice(start, end),
    next: next.slice(start, next.length - (old.length - end)),
  };
}

export function breaksIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

export function startOfRow(text: string, row: number): number {
  let at = 0;
  for (let left = row; left > 0; left--) at = text.indexOf("\n", at) + 1;
  return at;
}
