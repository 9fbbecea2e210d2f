/**
 * A place in a document of many rows, each of one line or more, and the lines from there on. Rows are laid out when they are
 * looked at, and so many are kept; the document may be as long as it likes.
 */
import type { Line } from "../../line.ts";

export interface Rows {
  count(): number;
  /** At least one line. The same until `forget`. */
  lines(row: number): readonly Line[];
}

export interface Shown {
  readonly row: number;
  /** Which of the row's lines it is. */
  readonly index: number;
  readonly line: Line;
}

/** Where a row of before stands now, or where about. */
export type Renumbering = (row: number) => number;

export const sameRow: Renumbering = (row) => row;

export interface Scroller {
  /** The lines of a page, from its top. Keeps the page full while there is enough behind it. */
  page(height: number): readonly Shown[];
  /** Negative is up. */
  scroll(lines: number): void;
  toStart(): void;
  toEnd(): void;
  /** That line becomes the first of the page, if enough follows. */
  show(row: number, index?: number): void;
  /** Only when it is not on the page: then near its upper third. */
  reveal(row: number, index: number): void;
  top(): number;
  /** How far the page's end is, from 0 to 1. */
  progress(): number;
  /** Everything looks otherwise now: the page begins with the same row, and as far into it as before. */
  forget(placeOf?: Renumbering): void;
}

const MAX_KEPT_ROWS = 2000;

interface Position {
  readonly row: number;
  readonly index: number;
}

/** Forgets all when it is full: what a page shows is soon laid out again. */
function keeping(rows: Rows) {
  const kept = new Map<number, readonly Line[]>();
  return {
    forget: () => kept.clear(),
    lines(row: number): readonly Line[] {
      const known = kept.get(row);
      if (known) return known;
      if (kept.size >= MAX_KEPT_ROWS) kept.clear();
      const made = rows.lines(row);
      kept.set(row, made);
      return made;
    },
  };
}

export function createScroller(rows: Rows): Scroller {
  const { lines, forget } = keeping(rows);
  let top: Position = { row: 0, index: 0 };
  let height = 1;

  /** Not beyond the first and the last line. */
  function moved({ row, index }: Position, by: number): Position {
    let [at, to] = [row, index + by];
    while (to < 0 && at > 0) to += lines(--at).length;
    while (at < rows.count() - 1 && to >= lines(at).length) to -= lines(at++).length;
    const last = rows.count() === 0 ? 0 : lines(at).length - 1;
    return { row: at, index: Math.min(Math.max(0, to), last) };
  }

  const end = (): Position => ({ row: Math.max(0, rows.count() - 1), index: Number.MAX_SAFE_INTEGER });
  const isBefore = (a: Position, b: Position) => a.row < b.row || (a.row === b.row && a.index < b.index);

  function clamped(): Position {
    const from = moved({ row: Math.min(top.row, Math.max(0, rows.count() - 1)), index: top.index }, 0);
    const latest = moved(moved(end(), 0), 1 - height);
    return isBefore(latest, from) ? latest : from;
  }

  function pageFrom(start: Position): readonly Shown[] {
    const page: Shown[] = [];
    for (let row = start.row; row < rows.count() && page.length < height; row++) {
      for (const [index, line] of lines(row).entries()) {
        if (row === start.row && index < start.index) continue;
        if (page.length < height) page.push({ row, index, line });
      }
    }
    return page;
  }

  return {
    page(newHeight) {
      height = Math.max(1, newHeight);
      top = clamped();
      return pageFrom(top).slice(0, newHeight);
    },
    scroll(by) {
      top = moved(top, by);
      top = clamped();
    },
    toStart() {
      top = { row: 0, index: 0 };
    },
    toEnd() {
      top = end();
      top = clamped();
    },
    show(row, index = 0) {
      top = { row, index };
      top = clamped();
    },
    reveal(row, index) {
      if (pageFrom(clamped()).some((shown) => shown.row === row && shown.index === index)) return;
      top = moved({ row, index }, -Math.floor(height / 3));
      top = clamped();
    },
    top: () => top.row,
    progress() {
      const last = pageFrom(top).at(-1);
      return last === undefined || rows.count() === 0 ? 1 : (last.row + 1) / rows.count();
    },
    forget(placeOf = sameRow) {
      const before = lines(top.row).length;
      forget();
      const row = placeOf(top.row);
      top = { row, index: before === 0 ? 0 : Math.floor((top.index * lines(row).length) / before) };
    },
  };
}
