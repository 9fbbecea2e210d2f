/** What is searched for, and where it stands in a text. */
import type { TextRange } from "./cells.ts";

export interface Pattern {
  readonly query: string;
  count(text: string): number;
  ranges(text: string): readonly TextRange[];
}

/** Case counts only when the query has a capital. Undefined: nothing is searched for. */
export function patternOf(query: string): Pattern | undefined {
  if (query === "") return undefined;
  const source = query.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  const flags = query === query.toLowerCase() ? "gi" : "g";
  const expression = new RegExp(source, flags);
  return {
    query,
    count(text) {
      expression.lastIndex = 0;
      let count = 0;
      while (expression.test(text)) count++;
      return count;
    },
    ranges: (text) =>
      Array.from(text.matchAll(expression), ({ 0: found, index }) => ({ from: index, to: index + found.length })),
  };
}
