/**
 * The column that the transcript is: items, and behind them what streams, each with its rows. Rows are laid out when somebody
 * asks for them and kept within a bound; of all else there is only an estimate.
 */
import { isBlankBefore } from "../../layout/item.ts";
import type { Measure } from "../../layout/width.ts";
import type { Line } from "../../line.ts";
import type { Item } from "../../model/items.ts";
import type { Changes, Contents, TranscriptState } from "./contents.ts";
import { createContents } from "./contents.ts";
import { estimateRows } from "./estimate.ts";
import type { Folds } from "./folds.ts";
import { textOfItem } from "./item-text.ts";
import { createHeights, createLaidOut } from "./laid-out.ts";
import type { RowSums } from "./row-sums.ts";
import type { Layout, Sheet } from "./sheets.ts";

/** What is laid out as one: a section of what stands in a slot. Slots are numbered from the oldest item to the newest block. */
export interface Spot {
  readonly slot: number;
  readonly section: number;
}

/** A row of the column. */
export interface Place extends Spot {
  /** Within the section. */
  readonly row: number;
}

export interface Column {
  readonly contents: Contents;
  update(state: TranscriptState): Changes;
  /** A change lays out everything anew, when it is asked for. */
  setView(view: ColumnView): void;
  view(): ColumnView;
  slots(): number;
  isOpen(slot: number): boolean;
  sections(slot: number): number;
  /** Lays out what is not at hand. None where nothing stands. */
  lines(spot: Spot): readonly Line[];
  /** Lays it out in another way, and keeps nothing. */
  layOutOnce(spot: Spot, view: OpenView): readonly Line[];
  isAtHand(spot: Spot): boolean;
  /** The text that is laid out in it, as far as it can be searched; empty for what still streams. */
  source(spot: Spot): string;
  /** It was folded or unfolded. */
  touch(slot: number): void;
  touchAll(): void;
  /** Rows of items, exact where they were laid out. */
  sums(): RowSums;
  /** Of the lines that are kept. */
  bytes(): number;
}

export interface ColumnView {
  readonly width: number;
  readonly measure: Measure;
}

interface OpenView extends ColumnView {
  readonly isOpen: boolean;
}

interface ColumnParts {
  readonly layout: Layout;
  readonly folds: Folds;
  readonly maxBytes: number;
}

export function createColumn({ layout, folds, maxBytes }: ColumnParts): Column {
  const contents = createContents(layout);
  const laid = createLaidOut(layout, maxBytes);
  let view: ColumnView = { width: 0, measure: (text) => text.length };
  const isOpen = (slot: number) => isOpenIn(contents, folds, slot);
  const heights = createHeights((slot) => {
    const item = contents.items[slot];
    return item ? estimateRows(item, view.width, isOpen(slot)) : 0;
  });
  const sheetAt = (slot: number): Sheet | undefined => {
    const item = contents.items[slot];
    return item ? laid.sheetOf(item) : contents.liveAt(slot)?.sheet;
  };
  const sectionAt = ({ slot, section }: Spot) => sheetAt(slot)?.sections[section];
  const forgetAll = () => {
    laid.clear();
    heights.reset(contents.items.length);
  };
  const touch = (slot: number, old: Item | undefined = contents.items[slot]) => {
    if (old) laid.dropItem(old);
    heights.set(slot, undefined);
  };
  return {
    contents,
    update(state) {
      const changes = contents.update(state);
      if (changes.isOther) forgetAll();
      for (const item of changes.givenUp) laid.dropItem(item);
      heights.shift(changes.givenUp.length);
      for (const replaced of changes.replaced) {
        touch(replaced.slot, replaced.old);
        if (movesBlank(contents, replaced, view)) touch(replaced.slot + 1);
      }
      for (const { entry } of changes.settled) laid.drop(entry.sheet);
      heights.grow(contents.items.length);
      return changes;
    },
    setView(next) {
      if (next.width === view.width && next.measure === view.measure) return;
      view = next;
      forgetAll();
    },
    view: () => view,
    slots: () => contents.items.length + contents.live.length,
    isOpen,
    sections: (slot) => sheetAt(slot)?.sections.length ?? 0,
    lines(spot) {
      const section = sectionAt(spot);
      if (!section) return [];
      const isNew = !laid.has(section);
      const lines = laid.lines(section, () => contextAt(contents, spot, { ...view, isOpen: isOpen(spot.slot) }));
      const sheet = isNew && spot.slot < contents.items.length ? sheetAt(spot.slot) : undefined;
      if (sheet) heights.set(spot.slot, laid.rowsOf(sheet));
      return lines;
    },
    layOutOnce: (spot, as) => sectionAt(spot)?.layOut(contextAt(contents, spot, as)) ?? [],
    isAtHand(spot) {
      const section = sectionAt(spot);
      return section !== undefined && laid.has(section);
    },
    source(spot) {
      const item = contents.items[spot.slot];
      return item ? (sectionAt(spot)?.text ?? textOfItem(item)) : "";
    },
    touch: (slot) => touch(slot),
    touchAll: forgetAll,
    sums: heights.sums,
    bytes: laid.bytes,
  };
}

function isOpenIn({ items, liveAt }: Contents, folds: Folds, slot: number): boolean {
  const item = items[slot];
  if (item) return folds.isOpen(item);
  const block = liveAt(slot)?.block;
  return block !== undefined && folds.isLiveOpen(block);
}

/** Below this everything takes one line, without decoration. */
const COMPACT_COLUMNS = 40;

function contextAt({ items, liveAt }: Contents, { slot, section }: Spot, view: OpenView) {
  const follows = items[slot - 1] ?? liveAt(slot - 1)?.standIn;
  return { ...view, isCompact: view.width < COMPACT_COLUMNS, ...(section === 0 && { follows }) };
}

/** Whether the blank line before the item behind this slot has come or gone. */
function movesBlank({ items }: Contents, { slot, old }: Changes["replaced"][number], view: ColumnView): boolean {
  const [item, next] = [items[slot], items[slot + 1]];
  if (!item || !next) return false;
  const as = { ...view, isOpen: false, isCompact: view.width < COMPACT_COLUMNS };
  return isBlankBefore(next, { ...as, follows: old }) !== isBlankBefore(next, { ...as, follows: item });
}
