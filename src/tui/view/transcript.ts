/**
 * The transcript: items laid out once into cached lines, of which only the visible ones are handed on. What an update costs
 * follows from what is new and what is visible, never from how long the session is. It owns no timer and reads no clock.
 */
import { layoutItem } from "../layout/item.ts";
import { createLive } from "../layout/live.ts";
import type { Measure } from "../layout/width.ts";
import type { Line } from "../line.ts";
import type { Item } from "../model/items.ts";
import { createColumn } from "./transcript/column.ts";
import type { TranscriptState } from "./transcript/contents.ts";
import { type Copies, createCopies } from "./transcript/copies.ts";
import { createFocus, type FocusStep } from "./transcript/focus.ts";
import { createFolding } from "./transcript/folding.ts";
import { createFolds, type FoldKind } from "./transcript/folds.ts";
import { createOutlook, type Outlook } from "./transcript/outlook.ts";
import { createSearch, type Search } from "./transcript/search.ts";
import { createSelection, type Selection } from "./transcript/selection.ts";
import type { Layout } from "./transcript/sheets.ts";
import { createViewport } from "./transcript/viewport.ts";
import { allLines } from "./transcript/walk.ts";

export interface Transcript extends Outlook {
  /** Takes what is new. Cheap when nothing is. A state of another session begins anew. */
  update(state: TranscriptState): void;
  /** The lines of a viewport, from its top; fewer when there are not so many. They stand at the bottom of its room. */
  rows(width: number, height: number): readonly Line[];
  /** Negative is up. Following ends when it leaves the end, and begins again there. */
  scroll(rows: number): void;
  toStart(): void;
  toEnd(): void;
  isFollowing(): boolean;
  /** What was before the first item is held no more: an item of its own says so at the top. */
  isPart(): boolean;
  /** Items that came since following ended. */
  unseen(): number;
  /** Opens or closes all of a kind; says whether they are open now. */
  toggleAll(kind: FoldKind): boolean;
  /** Opens or closes the focused item. False: there is none, or it has one form only. */
  toggleFocused(): boolean;
  /** Opens or closes what stands in the row. False: nothing to open is there. */
  click(y: number): boolean;
  /** What stands in the row; undefined for what still streams, too. */
  itemAt(y: number): Item | undefined;
  focus(step: FocusStep): boolean;
  focused(): Item | undefined;
  unfocus(): void;
  readonly search: Search;
  readonly selection: Selection;
  readonly copies: Copies;
  /** All that is held, from its beginning, line by line: never held in memory. Folded as it is shown, or all open. */
  lines(options: { readonly width: number; readonly isOpen?: boolean }): Iterable<Line>;
  /** Of the lines that are kept. */
  bytes(): number;
}

export interface TranscriptOptions {
  /** The same function as long as the terminal measures the same: another one lays out everything anew. */
  readonly measure: () => Measure;
  /** For tests that count. */
  readonly layout?: Layout;
  /** The most that laid out lines may take. */
  readonly maxBytes?: number;
}

const MAX_BYTES = 8 * 1024 * 1024;

export function createTranscript(options: TranscriptOptions): Transcript {
  const { measure, layout = { item: layoutItem, live: createLive }, maxBytes = MAX_BYTES } = options;
  const folds = createFolds();
  const column = createColumn({ layout, folds, maxBytes });
  const viewport = createViewport(column);
  const folding = createFolding({ column, viewport, folds });
  const focus = createFocus(column, viewport);
  const search = createSearch({ column, viewport, unfold: folding.unfold });
  const selection = createSelection(column, viewport);
  const { contents } = column;
  return {
    ...createOutlook(column, viewport),
    update(state) {
      const changes = column.update(state);
      for (const { entry, id } of changes.settled) if (id !== undefined) folds.rename(entry.block.key, id);
      for (const part of [viewport, focus, search, selection]) part.updated(changes);
    },
    rows(width, height) {
      const rows = viewport.rows(Math.max(1, width), height, measure());
      const select = selection.marker();
      return rows.map((row) => select(row, search.mark(row, focus.mark(row))));
    },
    scroll: viewport.scroll,
    toStart: () => viewport.show({ slot: 0, section: 0, row: 0 }),
    toEnd: viewport.toEnd,
    isFollowing: viewport.isFollowing,
    isPart: contents.isPart,
    unseen: () => Math.max(0, column.slots() - (viewport.leftAt() ?? column.slots())),
    toggleAll: folding.toggleAll,
    toggleFocused() {
      const item = focus.item();
      return item !== undefined && folding.toggle(contents.slotOf(item.id) ?? -1);
    },
    click(y) {
      const row = viewport.rowAt(y);
      return row !== undefined && folding.toggle(row.slot);
    },
    itemAt: (y) => contents.items[viewport.rowAt(y)?.slot ?? -1],
    focus: focus.move,
    focused: focus.item,
    unfocus: focus.drop,
    search,
    selection,
    copies: createCopies(contents.items, focus.item),
    lines: ({ width, isOpen }) => allLines(column, { width: Math.max(1, width), measure: measure() }, isOpen),
    bytes: column.bytes,
  };
}
