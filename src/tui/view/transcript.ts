/**
 * The transcript: items laid out once into cached lines, of which only the visible ones are handed on. What an update costs
 * follows from what is new and what is visible, never from how long the session is.
 */
import { layoutItem } from "../layout/item.ts";
import type { Measure } from "../layout/width.ts";
import type { Line } from "../line.ts";
import type { Item } from "../model/items.ts";
import type { ViewState } from "../model/view-model.ts";

export interface Transcript {
  /** Takes what is new. Cheap when nothing is. */
  update(state: Pick<ViewState, "items" | "live">): void;
  /** The lines of a viewport, from its top; fewer when there are not so many. */
  rows(width: number, height: number): readonly Line[];
  /** Negative is up. Following ends when it leaves the end, and begins again there. */
  scroll(rows: number): void;
  toEnd(): void;
  isFollowing(): boolean;
  /** Items that came since following ended. */
  unseen(): number;
}

export function createTranscript({ measure }: { readonly measure: () => Measure }): Transcript {
  let items: readonly Item[] = [];
  let live: ViewState["live"] = [];
  let back = 0;
  return {
    update(state) {
      items = state.items;
      live = state.live;
    },
    rows(width, height) {
      const context = { width, measure: measure(), isOpen: false, isCompact: width < 40 };
      const settled = items.flatMap((item) => layoutItem(item, context));
      const streaming = live.flatMap(({ key, pieces }) =>
        layoutItem({ kind: "answer", id: key, seq: 0, text: pieces.join("") }, context),
      );
      const all = [...settled, ...streaming];
      const end = Math.max(0, all.length - back);
      return all.slice(Math.max(0, end - height), end);
    },
    scroll(rows) {
      back = Math.max(0, back - rows);
    },
    toEnd() {
      back = 0;
    },
    isFollowing: () => back === 0,
    unseen: () => 0,
  };
}
