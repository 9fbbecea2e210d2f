/** Where matches stand in the rows of a section. Found once per layout of it, for as long as the pattern stays. */
import type { Measure } from "../../layout/width.ts";
import type { Line } from "../../line.ts";
import { restyled, type TextRange } from "./cells.ts";
import type { Pattern } from "./search-pattern.ts";
import { rangesIn, textLines } from "./text-lines.ts";

interface RowRange extends TextRange {
  /** Which match of the section it belongs to. */
  readonly match: number;
}

export interface SectionMatches {
  readonly count: number;
  /** The row in which a match begins. */
  rowOf(match: number): number;
  inRow(row: number): readonly RowRange[];
}

/** Reads the same lines once only. */
export function matchFinder(pattern: Pattern, measure: () => Measure): (lines: readonly Line[]) => SectionMatches {
  const known = new WeakMap<readonly Line[], SectionMatches>();
  return (lines) => {
    const found = known.get(lines) ?? find(lines, pattern, measure());
    known.set(lines, found);
    return found;
  };
}

function find(lines: readonly Line[], pattern: Pattern, measure: Measure): SectionMatches {
  const byRow = new Map<number, RowRange[]>();
  const starts: number[] = [];
  for (const line of textLines(lines, measure)) {
    for (const range of pattern.ranges(line.text)) {
      const parts = rangesIn(line, range);
      for (const { row, from, to } of parts) {
        const inRow = byRow.get(row) ?? [];
        inRow.push({ from, to, match: starts.length });
        byRow.set(row, inRow);
      }
      starts.push(parts[0]?.row ?? 0);
    }
  }
  return { count: starts.length, rowOf: (match) => starts[match] ?? 0, inRow: (row) => byRow.get(row) ?? [] };
}

export function markMatches(
  line: Line,
  ranges: readonly RowRange[],
  options: { readonly current: number | undefined; readonly measure: Measure },
): Line {
  let marked = line;
  for (const range of ranges) {
    const tint = range.match === options.current ? "current" : "found";
    marked = restyled(marked, range, { tint }, options.measure);
  }
  return marked;
}

/**
 * Which of the matches that are shown is the one that was found in the source. Markup is not shown, so there can be fewer;
 * then it is the one at about the same place.
 */
export function shownAs(match: number, inSource: number, shown: number): number | undefined {
  if (shown === 0) return undefined;
  return shown === inSource ? match : Math.min(shown - 1, Math.floor((match * shown) / Math.max(1, inSource)));
}
