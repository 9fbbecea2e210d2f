/** A session that is only items and live blocks, changed as the model changes it, and what a full layout of it would show. */

import { layoutItem } from "../../../../src/tui/layout/item.ts";
import { createLive } from "../../../../src/tui/layout/live.ts";
import type { LayoutContext } from "../../../../src/tui/layout/types.ts";
import { measureBy } from "../../../../src/tui/layout/width.ts";
import { type Line, textOf } from "../../../../src/tui/line.ts";
import type { CallItem, Item, LiveBlock } from "../../../../src/tui/model/items.ts";
import type { Layout } from "../../../../src/tui/view/transcript/sheets.ts";

export const MEASURE = measureBy("unicode");

export const user = (id: string, text: string): Item => ({ id, seq: 1, kind: "user", text, mentions: [], images: [] });
export const answer = (id: string, text: string): Item => ({ id, seq: 1, kind: "answer", text });
export const thinking = (id: string, text: string): Item => ({ id, seq: 1, kind: "thinking", text });
export const call = (id: string, more: Partial<CallItem> = {}): CallItem => ({
  id,
  seq: 1,
  kind: "call",
  toolUseId: `t-${id}`,
  name: "bash",
  input: { command: "ls" },
  state: "done",
  output: "",
  changes: [],
  ...more,
});

/** Grows and changes as the view model's state does. */
export function createSession(initial: readonly Item[] = []) {
  const items: Item[] = [...initial];
  const live: LiveBlock[] = [];
  let [revision, moved] = [items.length, 0];
  let origin = items[0]?.id;
  const replaced: { readonly revision: number; readonly slot: number }[] = [];
  const grow = (key: string): string[] | undefined =>
    live.find((block) => block.key === key)?.pieces as string[] | undefined;
  return {
    items,
    live,
    push(...more: readonly Item[]) {
      origin ??= more[0]?.id;
      items.push(...more);
      revision += more.length;
    },
    replace(slot: number, item: Item) {
      items[slot] = item;
      revision++;
      replaced.push({ revision, slot });
    },
    /** The first so many items are held no more; another stands in their place. */
    giveUp(count: number, item: Item) {
      items.splice(0, count, item);
      moved += count - 1;
      revision++;
      replaced.push({ revision, slot: 0 });
    },
    begin(key: string, kind: LiveBlock["kind"] = "answer") {
      live.push({ key, kind, pieces: [] });
    },
    stream(key: string, text: string) {
      grow(key)?.push(text);
    },
    /** The block is settled and becomes an item; without one it is dead. */
    settle(key: string, item?: Item) {
      live.splice(
        live.findIndex((block) => block.key === key),
        1,
      );
      if (item) this.push(item);
    },
    state: () => ({
      items,
      moved,
      origin,
      live: [...live],
      revision,
      changedSince: (known: number) =>
        Math.min(items.length, ...replaced.filter((change) => change.revision > known).map(({ slot }) => slot)),
    }),
  };
}

export type Session = ReturnType<typeof createSession>;

export interface FullRow {
  readonly id: string;
  /** Within the item. */
  readonly row: number;
  readonly line: Line;
}

/** Everything, laid out from nothing. */
export function fullLayout(
  { items, live }: Session,
  width: number,
  isOpen: (id: string, item?: Item) => boolean,
): FullRow[] {
  const look = { width, measure: MEASURE, isCompact: width < 40 };
  const rows = (id: string, lines: readonly Line[]) => lines.map((line, row) => ({ id, row, line }));
  const settled = items.flatMap((item, at) =>
    rows(item.id, layoutItem(item, { ...look, isOpen: isOpen(item.id, item), follows: items[at - 1] })),
  );
  let follows = items.at(-1);
  const streaming = live.flatMap((block) => {
    const styler = createLive(block, { ...look, isOpen: isOpen(block.key), follows });
    follows = {
      ...(block.kind === "call" ? call(block.key, { state: "requested" }) : answer(block.key, "")),
      kind: block.kind,
    } as Item;
    return rows(block.key, [...styler.push(block.pieces.join("")), ...styler.tail()]);
  });
  return [...settled, ...streaming];
}

/** Counts what layout is asked for. */
export function countingLayout() {
  const counts = { calls: 0, chars: 0 };
  const layout: Layout = {
    item(item: Item, context: LayoutContext) {
      counts.calls++;
      counts.chars += "text" in item ? item.text.length : 0;
      return layoutItem(item, context);
    },
    live(block, context) {
      counts.calls++;
      const styler = createLive(block, context);
      return {
        ...styler,
        push(text) {
          counts.chars += text.length;
          return styler.push(text);
        },
      };
    },
  };
  return { layout, counts };
}

export { textOf };
export const texts = (lines: readonly Line[]): string[] => lines.map((line) => textOf(line).trimEnd());
