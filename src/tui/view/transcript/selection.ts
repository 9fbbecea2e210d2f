/**
 * What is selected with the mouse: from one character of the source to another, so that it stays on its text while the
 * transcript scrolls, streams and is wrapped anew.
 */
import type { Line } from "../../line.ts";
import type { Column } from "./column.ts";
import type { Changes } from "./contents.ts";
import { compare, type Extent, extentAt, type Point } from "./extent.ts";
import { markerOf, selectedText } from "./selected-text.ts";
import type { Viewport } from "./viewport.ts";
import type { VisibleRow } from "./walk.ts";

export interface Selection {
  /** The button went down in a cell of the transcript, for the first, second or third time in a row: character, word, line. */
  down(x: number, y: number, clicks: number): void;
  /** Beyond the upper or lower edge it scrolls, a few rows with each event. */
  drag(x: number, y: number): void;
  /** True: something is selected. False: it was a click. */
  up(): boolean;
  isActive(): boolean;
  /** Without soft breaks and decoration. Empty when nothing is selected; bounded. */
  text(): string;
  clear(): void;
}

/** For the transcript, which owns it. */
export interface OwnedSelection extends Selection {
  updated(changes: Changes): void;
  /** Marks what is seen of it; to be asked for anew for each drawing. */
  marker(): (row: VisibleRow, line: Line) => Line;
}

/** The most rows that one event scrolls. */
const MOST_ROWS = 3;

export function createSelection(column: Column, viewport: Viewport): OwnedSelection {
  let anchor: Extent | undefined;
  let head: Extent | undefined;
  let clicked = 1;
  let isDragged = false;

  const at = (x: number, y: number): Extent | undefined => {
    const row = viewport.rowAt(y) ?? viewport.visible()[0];
    return row && extentAt(column, row, { cell: x, clicks: clicked });
  };
  const selected = (): Extent | undefined => {
    if (!anchor || !head || !isDragged) return undefined;
    const from = compare(column, anchor.from, head.from) <= 0 ? anchor.from : head.from;
    const to = compare(column, anchor.to, head.to) >= 0 ? anchor.to : head.to;
    return compare(column, from, to) < 0 ? { from, to } : undefined;
  };
  const drop = () => {
    [anchor, head, isDragged] = [undefined, undefined, false];
  };

  return {
    down(x, y, clicks) {
      drop();
      clicked = clicks;
      anchor = at(x, y);
      head = anchor;
      isDragged = clicks > 1;
      // What is under the pointer stays there while it streams.
      viewport.hold();
    },
    drag(x, y) {
      if (!anchor) return;
      const beyond = y < 0 ? y : Math.max(0, y - viewport.height() + 1);
      if (beyond !== 0) viewport.scroll(Math.max(-MOST_ROWS, Math.min(MOST_ROWS, beyond)));
      head = at(x, Math.min(Math.max(0, y), viewport.height() - 1)) ?? head;
      isDragged ||= head !== undefined && compare(column, head.from, anchor.from) !== 0;
    },
    up() {
      const isActive = selected() !== undefined;
      if (!isActive) {
        drop();
        viewport.release();
      }
      return isActive;
    },
    isActive: () => selected() !== undefined,
    text() {
      const range = selected();
      return range ? selectedText(column, range) : "";
    },
    clear() {
      drop();
      viewport.release();
    },
    updated({ isOther, settled, givenUp }) {
      if (isOther) drop();
      if (givenUp.length > 0) {
        const ends = [anchor, head].filter((extent) => extent !== undefined);
        const isHeld = ({ from }: Extent) => column.contents.slotOf(from.id, from.slot - givenUp.length) !== undefined;
        if (!ends.every(isHeld)) drop();
      }
      for (const { entry, id } of settled) {
        const renamed = (point: Point): Point =>
          point.id === entry.block.key && id !== undefined ? { ...point, id } : point;
        anchor = anchor && { from: renamed(anchor.from), to: renamed(anchor.to) };
        head = head && { from: renamed(head.from), to: renamed(head.to) };
      }
    },
    marker() {
      const range = selected();
      return range ? markerOf(column, range) : (_row, line) => line;
    },
  };
}
