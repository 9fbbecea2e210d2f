/** What was said while a turn runs and waits for its seam, a row each, above the composer: the oldest first, few rows. */
import type { Piece } from "../layout/span.ts";
import type { Measure } from "../layout/width.ts";
import type { Line } from "../line.ts";
import type { QueuedChip } from "../model/items.ts";
import { oneLine } from "../spelling.ts";
import { cut, fittedLine, sides } from "./row.ts";

export interface ChipParts {
  readonly queued: readonly QueuedChip[];
  readonly measure: Measure;
  /** The key that takes the newest back into the draft, as it is shown; undefined when none does. */
  readonly takeBackKey: string | undefined;
}

const MOST_ROWS = 3;
const NAMES = { now: "steers", "next-turn": "queued" } as const;

export function chipLines({ queued, measure, takeBackKey }: ChipParts, width: number): readonly Line[] {
  const hidden = queued.length > MOST_ROWS ? queued.length - (MOST_ROWS - 1) : 0;
  const shown = queued.slice(hidden);
  const way = takeBackKey === undefined ? "" : `${takeBackKey} takes it back `;
  const lines = shown.map((chip, at) => chipLine(chip, { width, measure, hint: at === shown.length - 1 ? way : "" }));
  if (hidden === 0) return lines;
  return [fittedLine([{ tone: "faint", text: `   ${hidden} more before` }], width, measure), ...lines];
}

interface ChipRoom {
  readonly width: number;
  readonly measure: Measure;
  readonly hint: string;
}

function chipLine({ text, deliver, images }: QueuedChip, { width, measure, hint }: ChipRoom): Line {
  const left: readonly Piece[] = [
    { tone: "you", text: " ◌ " },
    { tone: "muted", text: `${NAMES[deliver]}  ` },
  ];
  const said = [oneLine(text), ...images.map((name) => `[${oneLine(name, 40)}]`)]
    .filter((part) => part !== "")
    .join(" ");
  const used = left.reduce((sum, piece) => sum + measure(piece.text), 0);
  const room = width - used - (width >= 60 && hint !== "" ? measure(hint) + 2 : 1);
  const words: Piece = { tone: "fg", text: cut(said, Math.max(0, room), { measure }) };
  const right: readonly Piece[] = width >= 60 ? [{ tone: "faint", text: hint }] : [];
  return sides([...left, words], right, { width, measure });
}
