/** Where the viewport stands in the whole, and what is laid out around it before it is asked for. */

import type { Column, Place, Spot } from "./column.ts";
import { estimateTextRows } from "./estimate.ts";
import type { Viewport } from "./viewport.ts";
import { spotAfter, spotBefore } from "./walk.ts";

export interface Outlook {
  /** From 0 at the beginning to 1 at the end; undefined when everything is seen. A guess where things were never laid out. */
  position(): number | undefined;
  jumpTo(position: number): void;
  /** Lays out at most so many lines of the screens before and behind. True: there is more to do. */
  refine(lines: number): boolean;
}

export function createOutlook(column: Column, viewport: Viewport): Outlook {
  const { contents } = column;
  const total = () => column.sums().before(contents.items.length) + liveRows(column);

  /** All rows before this one. */
  function before({ slot, section, row }: Place): number {
    const sums = column.sums();
    const inItem = (sums.get(slot) * section) / Math.max(1, column.sections(slot));
    if (slot < contents.items.length) return sums.before(slot) + inItem + row;
    return total() - liveRows(column, slot) + row;
  }

  /** True: there was no room for more. */
  function layOutFrom(place: Place, step: typeof spotAfter, budget: { lines: number }): boolean {
    let rows = 0;
    for (
      let spot: Spot | undefined = step(column, place);
      spot && rows < viewport.height();
      spot = step(column, spot)
    ) {
      const isNew = !column.isAtHand(spot);
      if (isNew && budget.lines <= 0) return true;
      const { length } = column.lines(spot);
      rows += length;
      if (isNew) budget.lines -= Math.max(1, length);
    }
    return false;
  }

  return {
    position() {
      const rows = viewport.visible();
      const first = rows[0];
      const hidden = total() - rows.length;
      if (!first || hidden <= 0 || rows.length < viewport.height()) return undefined;
      return viewport.isFollowing() ? 1 : Math.min(1, before(first) / hidden);
    },
    jumpTo(position) {
      if (position >= 1) return viewport.toEnd();
      const sums = column.sums();
      const { at: slot, row } = sums.find(Math.floor(Math.max(0, position) * Math.max(0, total() - viewport.height())));
      const part = Math.min(0.999, row / Math.max(1, sums.get(slot)));
      const section = Math.floor(part * column.sections(slot));
      const { length } = column.lines({ slot, section });
      const within = part * column.sections(slot) - section;
      viewport.show({ slot, section, row: Math.max(0, Math.min(length - 1, Math.floor(within * length))) });
    },
    refine(lines) {
      const rows = viewport.visible();
      const [first, last] = [rows[0], rows.at(-1)];
      const budget = { lines };
      if (!first || !last) return false;
      if (layOutFrom(first, spotBefore, budget)) return true;
      return !viewport.isFollowing() && layOutFrom(last, spotAfter, budget);
    },
  };
}

/** Of the blocks that stream, from this slot on; estimated, for only their ends are laid out. */
function liveRows({ contents, view }: Column, from = contents.items.length): number {
  let rows = 0;
  for (const { block } of contents.live.slice(from - contents.items.length)) {
    const chars = block.kind === "answer" ? block.pieces.reduce((sum, { length }) => sum + length, 0) : 0;
    rows += 1 + estimateTextRows(chars, view().width);
  }
  return rows;
}
