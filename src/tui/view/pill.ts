/** Over the last row of the transcript while it does not follow: how much came since, and that there is an end. */
import type { Measure } from "../layout/width.ts";
import type { Line } from "../line.ts";
import { cut, lineOf } from "./row.ts";

export interface PillParts {
  readonly isFollowing: boolean;
  /** Items that came since following ended. */
  readonly unseen: number;
  readonly measure: Measure;
}

export function pillLine({ isFollowing, unseen, measure }: PillParts, width: number): Line | undefined {
  if (isFollowing) return undefined;
  const words = unseen > 0 ? ` ↓ ${unseen} new ` : " ↓ end ";
  const shown = cut(words, width, { measure });
  const before = " ".repeat(Math.max(0, width - measure(shown) - 1));
  return lineOf(
    [
      { tone: "fg", text: before },
      { tone: "accent", tint: "selected", text: shown },
    ],
    width,
    measure,
  );
}
