/** The one item that keys are about: it is moved from item to item or from turn to turn, and shown where it goes. */

import type { Line } from "../../line.ts";
import type { Item } from "../../model/items.ts";
import type { Column } from "./column.ts";
import type { Changes } from "./contents.ts";
import type { Viewport } from "./viewport.ts";
import { rowsFrom, type VisibleRow } from "./walk.ts";

export type FocusStep = "next-item" | "previous-item" | "next-turn" | "previous-turn";

export interface Focus {
  /** Past the last one it is gone, and the end is followed again. False: there was nowhere to go. */
  move(step: FocusStep): boolean;
  drop(): void;
  item(): Item | undefined;
  mark(row: VisibleRow): Line;
  updated(changes: Changes): void;
}

export function createFocus(column: Column, viewport: Viewport): Focus {
  let focused: { readonly id: string; readonly slot: number } | undefined;
  const { contents } = column;
  const slotNow = () => focused && contents.slotOf(focused.id, focused.slot);

  function start(isForward: boolean): number {
    const rows = viewport.visible();
    const slot = slotNow();
    const isSeen = slot !== undefined && rows.some((row) => row.slot === slot);
    if (slot !== undefined && (isSeen || rows.length === 0)) return slot;
    return isForward ? (rows[0]?.slot ?? 0) - 1 : (rows.at(-1)?.slot ?? -1) + 1;
  }

  return {
    move(step) {
      const isForward = step.startsWith("next");
      const by = isForward ? 1 : -1;
      const isTurn = step.endsWith("turn");
      for (let slot = start(isForward) + by; slot >= 0 && slot < contents.items.length; slot += by) {
        const item = contents.items[slot];
        if (!item || (isTurn && item.kind !== "user") || column.lines({ slot, section: 0 }).length === 0) continue;
        focused = { id: item.id, slot };
        bringIntoView(column, viewport, { slot, atTop: isTurn });
        return true;
      }
      if (!isForward) return false;
      focused = undefined;
      viewport.toEnd();
      return true;
    },
    drop() {
      focused = undefined;
    },
    item() {
      const slot = slotNow();
      return slot === undefined ? undefined : contents.items[slot];
    },
    updated({ givenUp }) {
      if (focused) focused = { ...focused, slot: focused.slot - givenUp.length };
      if (givenUp.length > 0 && slotNow() === undefined) focused = undefined;
    },
    mark: (row) => (row.slot === slotNow() ? marked(row) : row.line),
  };
}

function bringIntoView(
  column: Column,
  viewport: Viewport,
  to: { readonly slot: number; readonly atTop: boolean },
): void {
  const { slot } = to;
  const head = { slot, section: 0, row: 0 };
  const height = viewport.height();
  const seen = viewport.visible().filter((row) => row.slot === slot);
  const own = rowsFrom(column, head, height).filter((row) => row.slot === slot);
  if (seen.length >= own.length && !to.atTop) return;
  const first = viewport.visible()[0];
  const isBefore = first === undefined || slot <= first.slot;
  viewport.show(head, to.atTop || isBefore ? 0 : height - own.length);
}

/** A bar in the margin; where there is no margin, the row is tinted. */
function marked({ line }: VisibleRow): Line {
  const [first, ...rest] = line.spans;
  if (!first) return line;
  if (!first.text.startsWith(" ")) return { ...line, tint: line.tint ?? "selected" };
  const bar = { text: "│", width: 1, tone: "accent" } as const;
  const margin = first.text.slice(1);
  return {
    ...line,
    spans: [bar, ...(margin === "" ? [] : [{ ...first, text: margin, width: first.width - 1 }]), ...rest],
  };
}
