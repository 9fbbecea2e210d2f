/** Over the last row of the transcript while it does not follow: how much came since, and that there is an end. */
import { clippedSpans, widthOf } from "../layout/span.ts";
import type { Measure } from "../layout/width.ts";
import { EMPTY_LINE, type Line } from "../line.ts";
import { cut, fittedLine } from "./row.ts";

export interface PillParts {
  readonly isFollowing: boolean;
  /** Items that came since following ended. */
  readonly unseen: number;
  readonly measure: Measure;
}

/** `under` is the row that it lies over: what it does not cover stays to be read. */
export function pillLine(
  { isFollowing, unseen, measure }: PillParts,
  width: number,
  under: Line = EMPTY_LINE,
): Line | undefined {
  if (isFollowing) return undefined;
  const words = unseen > 0 ? ` ↓ ${unseen} new ` : " ↓ end ";
  const shown = cut(words, width, { measure });
  const left = Math.max(0, width - measure(shown) - 1);
  const kept = clippedSpans(under.spans, Math.max(0, left - 1), measure);
  const gap = " ".repeat(left - widthOf(kept));
  const pieces = [...kept, { tone: "fg", text: gap }, { tone: "accent", tint: "selected", text: shown }] as const;
  return { ...fittedLine(pieces, width, measure), ...(under.tint && { tint: under.tint }) };
}
