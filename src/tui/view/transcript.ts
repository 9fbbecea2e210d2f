/**
 * The transcript: items laid out once into cached lines, of which only the visible ones are handed on. What an update costs
 * follows from what is new and what is visible, never from how long the session is. It owns no timer and reads no clock.
 */
import { layoutItem } from "../layout/item.ts";
import { createLive } from "../layout/live.ts";
import type { Measure } from "../layout/width.ts";
import type { Line } from "../line.ts";
import { createColumn } from "./transcript/column.ts";
import type { TranscriptState } from "./transcript/contents.ts";
import { createFocus } from "./transcript/focus.ts";
import { createFolds } from "./transcript/folds.ts";
import type { Layout } from "./transcript/sheets.ts";
import { createViewport } from "./transcript/viewport.ts";

export interface Transcript {
  /** Takes what is new. Cheap when nothing is. A state of another session begins anew. */
  update(state: TranscriptState): void;
  /** The lines of a viewport, from its top; fewer when there are not so many. */
  rows(width: number, height: number): readonly Line[];
  /** Negative is up. Following ends when it leaves the end, and begins again there. */
  scroll(rows: number): void;
  toStart(): void;
  toEnd(): void;
  isFollowing(): boolean;
  /** Items that came since following ended. */
  unseen(): number;
}

export interface TranscriptOptions {
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
  const focus = createFocus(column, viewport);
  return {
    update(state) {
      const changes = column.update(state);
      for (const { entry, id } of changes.settled) if (id !== undefined) folds.rename(entry.block.key, id);
      viewport.updated(changes);
    },
    rows: (width, height) => viewport.rows(Math.max(1, width), height, measure()).map(focus.mark),
    scroll: viewport.scroll,
    toStart: () => viewport.show({ slot: 0, section: 0, row: 0 }),
    toEnd: viewport.toEnd,
    isFollowing: viewport.isFollowing,
    unseen: () => Math.max(0, column.slots() - (viewport.leftAt() ?? column.slots())),
  };
}
