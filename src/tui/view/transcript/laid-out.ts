/** The lines of sections, and how high items are: laid out when they are asked for, forgotten when there is no room. */
import type { LayoutContext } from "../../layout/types.ts";
import type { Line } from "../../line.ts";
import type { Item } from "../../model/items.ts";
import { createLineStore } from "./line-store.ts";
import { createRowSums, type RowSums } from "./row-sums.ts";
import { itemSheet, type Layout, type Section, type Sheet } from "./sheets.ts";

export interface LaidOut {
  sheetOf(item: Item): Sheet;
  lines(section: Section, context: () => LayoutContext): readonly Line[];
  has(section: Section): boolean;
  drop(sheet: Sheet): void;
  dropItem(item: Item): void;
  /** In all sections; undefined as long as one of them was never laid out. */
  rowsOf(sheet: Sheet): number | undefined;
  clear(): void;
  bytes(): number;
}

export function createLaidOut(layout: Layout, maxBytes: number): LaidOut {
  let sheets = new WeakMap<Item, Sheet>();
  let rows = new WeakMap<Section, number>();
  const store = createLineStore<Section>(maxBytes, ({ whole }) => {
    if (whole) sheets.delete(whole);
  });
  const drop = ({ sections }: Sheet) => {
    for (const section of sections) {
      store.drop(section);
      rows.delete(section);
    }
  };
  return {
    sheetOf(item) {
      const sheet = sheets.get(item) ?? itemSheet(item, layout);
      sheets.set(item, sheet);
      return sheet;
    },
    lines(section, context) {
      const known = store.get(section);
      if (known) return known;
      const lines = section.layOut(context());
      rows.set(section, lines.length);
      if (section.isFinal) store.put(section, lines);
      return lines;
    },
    has: (section) => store.has(section),
    drop,
    dropItem(item) {
      const sheet = sheets.get(item);
      if (sheet) drop(sheet);
      sheets.delete(item);
    },
    rowsOf({ sections }) {
      let sum = 0;
      for (const section of sections) {
        const count = rows.get(section);
        if (count === undefined) return undefined;
        sum += count;
      }
      return sum;
    },
    clear() {
      store.clear();
      sheets = new WeakMap();
      rows = new WeakMap();
    },
    bytes: store.bytes,
  };
}

/** Rows of items by slot: exact where they are known, else estimated. Sums are made when somebody first asks for them. */
export interface Heights {
  /** Of so many slots; the new ones are not known yet. */
  grow(slots: number): void;
  /** Undefined: not known any more. */
  set(slot: number, rows: number | undefined): void;
  sums(): RowSums;
  /** The first so many slots are gone. */
  shift(slots: number): void;
  /** Of so many slots nothing is known. */
  reset(slots: number): void;
}

export function createHeights(estimate: (slot: number) => number): Heights {
  let exact: (number | undefined)[] = [];
  let sums: RowSums | undefined;
  const rowsAt = (slot: number): number => exact[slot] ?? estimate(slot);
  return {
    grow(slots) {
      while (exact.length < slots) {
        exact.push(undefined);
        sums?.push(rowsAt(exact.length - 1));
      }
    },
    set(slot, rows) {
      if (slot >= exact.length) return;
      exact[slot] = rows;
      sums?.set(slot, rowsAt(slot));
    },
    sums() {
      sums ??= createRowSums(exact.map((_, slot) => rowsAt(slot)));
      return sums;
    },
    shift(slots) {
      if (slots === 0) return;
      exact.splice(0, slots);
      sums = undefined;
    },
    reset(slots) {
      exact = new Array<undefined>(slots).fill(undefined);
      sums = undefined;
    },
  };
}
