/** What is searched for, and where it stands in a text. */
import { wholeIn } from "../../layout/width.ts";
import type { TextRange } from "./cells.ts";

export interface Pattern {
  readonly query: string;
  count(text: string): number;
  /** In their order. What a person sees as one character is in a range whole, and in one range only. */
  ranges(text: string): readonly TextRange[];
}

/** Case counts only when the query has a capital. Undefined: nothing is searched for. */
export function patternOf(query: string): Pattern | undefined {
  if (query === "") return undefined;
  const source = query.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  const flags = query === query.toLowerCase() ? "gi" : "g";
  const expression = new RegExp(source, flags);
  function ranges(text: string): readonly TextRange[] {
    const whole = wholeIn(text);
    const found: TextRange[] = [];
    expression.lastIndex = 0;
    for (let seen = 0; expression.test(text); ) {
      const to = expression.lastIndex;
      const from = to - query.length;
      if (from < seen) continue;
      const range = whole({ from, to });
      found.push(range);
      seen = range.to;
    }
    return found;
  }
  return { query, count: (text) => ranges(text).length, ranges };
}
