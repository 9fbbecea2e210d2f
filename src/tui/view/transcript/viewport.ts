/**
 * What of the column is on the screen. It follows the end until somebody scrolls up; from then on the row at the top stays
 * where it is, whatever streams, grows or is folded, and through every change of width.
 */
import type { Measure } from "../../layout/width.ts";
import { copiedFrom } from "./cells.ts";
import type { Column, Place } from "./column.ts";
import type { Changes } from "./contents.ts";
import { type SourcePoint, toRow, toSource } from "./source-point.ts";
import { above, below, rowsAtEnd, rowsFrom, type VisibleRow } from "./walk.ts";

export interface Viewport {
  /** Draws anew what is to be seen: at most `height` rows. */
  rows(width: number, height: number, measure: Measure): readonly VisibleRow[];
  /** What was drawn last. */
  visible(): readonly VisibleRow[];
  height(): number;
  /** What is drawn so many rows below the top of the room; it stands at the room's bottom. */
  rowAt(y: number): VisibleRow | undefined;
  /** Negative is up. */
  scroll(rows: number): void;
  toEnd(): void;
  /** Shows this row, so many rows below the top where that can be. */
  show(place: Place, fromTop?: number): void;
  /** Keeps what is seen where it is, until `release` or until somebody scrolls. */
  hold(): void;
  release(): void;
  isFollowing(): boolean;
  /** How many slots there were when following ended; undefined while it follows. */
  leftAt(): number | undefined;
  /** To be told of every update of the column. */
  updated(changes: Changes): void;
}

/** The row at the top, while it does not follow. */
interface Top extends Place {
  readonly id: string;
  /** Known from the first change of width on, until somebody scrolls: by it every width finds the same text. */
  readonly source?: SourcePoint;
}

export function createViewport(column: Column): Viewport {
  /** Undefined: it follows the end. */
  let top: Top | undefined;
  /** Where somebody went last. Another size may show other rows at the top, and must lead back here when it is undone. */
  let home: Top | undefined;
  let [leftAt, height] = [0, 0];
  /** Somebody moved since the last drawing, so that the end is followed when it is reached. */
  let [hasMoved, isHeld] = [false, false];
  let drawn: readonly VisibleRow[] = [];

  function moveTo(place: Place | undefined): void {
    const next = place && topAt(column, place);
    if (!next) return;
    if (!top) leftAt = column.slots();
    [top, home] = [next, next];
    [hasMoved, isHeld, drawn] = [true, false, []];
  }
  function follow(): void {
    [top, home, hasMoved, isHeld, drawn] = [undefined, undefined, false, false, []];
  }
  const topNow = () => top && placeOf(column, top);
  function draw(): readonly VisibleRow[] {
    const from = topNow();
    const rows = from ? rowsFrom(column, from, height + 1) : [];
    const isAtEnd = rows.length <= height;
    if (!from || (isAtEnd && hasMoved)) follow();
    hasMoved = false;
    const seen = isAtEnd ? rowsAtEnd(column, height) : rows.slice(0, height);
    top = top && seen[0] && topAt(column, seen[0]);
    return seen;
  }
  const visible = () => (drawn.length > 0 ? drawn : draw());
  const first = (): Place | undefined => drawn[0] ?? topNow() ?? rowsAtEnd(column, height)[0];

  return {
    rows(width, rowCount, measure) {
      const view = column.view();
      const isAnew = width !== view.width || measure !== view.measure;
      if (isAnew && home && view.width > 0) home = withSource(column, home);
      column.setView({ width, measure });
      if (home && (isAnew || rowCount !== height)) top = atSource(column, home);
      height = rowCount;
      drawn = draw();
      return drawn;
    },
    visible,
    height: () => height,
    rowAt: (y) => visible()[y - (height - visible().length)],
    scroll(rows) {
      const from = rows < 0 || top ? first() : undefined;
      if (from) moveTo(rows < 0 ? above(column, from, -rows) : below(column, from, rows));
    },
    toEnd: follow,
    show: (place, fromTop = 0) => moveTo(above(column, place, fromTop)),
    hold() {
      const [from, seen] = [top ? undefined : first(), drawn];
      moveTo(from);
      if (from) [hasMoved, isHeld, drawn] = [false, true, seen];
    },
    release: () => isHeld && follow(),
    isFollowing: () => top === undefined,
    leftAt: () => (top ? leftAt : undefined),
    updated(changes) {
      if (changes.isOther) follow();
      if (changes.givenUp.length > 0) [leftAt, drawn] = [leftAt - changes.givenUp.length, []];
      [top, home] = [afterwards(column, top, changes), afterwards(column, home, changes)];
    },
  };
}

function topAt(column: Column, { slot, section, row }: Place): Top | undefined {
  const id = column.contents.idAt(slot);
  return id === undefined ? undefined : { id, slot, section, row };
}

/** What streamed has another name when it is settled. Undefined: it is gone. */
function afterwards(column: Column, before: Top | undefined, { settled, givenUp }: Changes): Top | undefined {
  const top = before && givenUp.length > 0 ? movedUp(column, before, givenUp.length) : before;
  if (!top) return undefined;
  const became = settled.find(({ entry }) => entry.block.key === top.id);
  if (!became) return top;
  return became.id === undefined ? undefined : { ...top, id: became.id };
}

/** What was read may be held no more: then the beginning of what is. */
function movedUp(column: Column, top: Top, by: number): Top | undefined {
  const slot = column.contents.slotOf(top.id, top.slot - by);
  return slot === undefined ? topAt(column, { slot: 0, section: 0, row: 0 }) : { ...top, slot };
}

/** Where the row is now: its item may have moved or shrunk. Undefined: it is gone. */
function placeOf(column: Column, top: Top): Place | undefined {
  const slot = column.contents.slotOf(top.id, top.slot);
  if (slot === undefined) return undefined;
  const section = Math.min(top.section, column.sections(slot) - 1);
  const most = Math.max(0, column.lines({ slot, section }).length - 1);
  return { slot, section, row: Math.min(top.row, most) };
}

function withSource(column: Column, top: Top): Top {
  const place = top.source ? undefined : placeOf(column, top);
  if (!place) return top;
  const lines = column.lines(place);
  const line = lines[place.row];
  const { measure } = column.view();
  const unit = line ? copiedFrom(line, measure) : 0;
  return { ...top, source: toSource(lines, { row: place.row, unit }, measure) };
}

function atSource(column: Column, top: Top): Top {
  const place = placeOf(column, top);
  if (!place || !top.source) return top;
  return { ...top, ...place, row: toRow(column.lines(place), top.source, column.view().measure).row };
}
