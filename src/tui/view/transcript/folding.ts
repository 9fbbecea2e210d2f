/** Folding and unfolding as it is seen: the head of what was folded stays where it is, as far as there is room below it. */
import { textOf } from "../../line.ts";
import type { Item } from "../../model/items.ts";
import type { Column } from "./column.ts";
import type { FoldKind, Folds } from "./folds.ts";
import type { Viewport } from "./viewport.ts";
import { rowsFrom } from "./walk.ts";

export interface Folding {
  /** False: it has one form only. */
  toggle(slot: number): boolean;
  unfold(slot: number): void;
  /** Says whether they are open now. */
  toggleAll(kind: FoldKind): boolean;
}

interface FoldingParts {
  readonly column: Column;
  readonly viewport: Viewport;
  readonly folds: Folds;
}

export function createFolding({ column, viewport, folds }: FoldingParts): Folding {
  const { contents } = column;

  function change(slot: number, isOpen: boolean): void {
    const id = contents.idAt(slot);
    const kind = (contents.items[slot] ?? contents.liveAt(slot)?.block)?.kind;
    if (id === undefined || kind === undefined) return;
    const rows = viewport.visible();
    const at = rows.findIndex((row) => row.slot === slot);
    const isHeadSeen = rows[at]?.section === 0 && rows[at].row === 0;
    folds.set({ id, kind }, isOpen);
    column.touch(slot);
    if (at === -1) return;
    const head = { slot, section: 0, row: 0 };
    const height = viewport.height();
    const own = rowsFrom(column, head, height).filter((row) => row.slot === slot).length;
    viewport.show(head, isHeadSeen ? Math.max(0, Math.min(at + height - rows.length, height - own)) : 0);
  }

  const canFold = (slot: number): boolean => {
    const item = contents.items[slot];
    if (!item) return contents.liveAt(slot)?.block.kind === "thinking";
    return !UNFOLDED.has(item.kind) && formOf(column, slot, true) !== formOf(column, slot, false);
  };
  return {
    toggle(slot) {
      if (!canFold(slot)) return false;
      change(slot, !column.isOpen(slot));
      return true;
    },
    unfold(slot) {
      if (canFold(slot) && !column.isOpen(slot)) change(slot, true);
    },
    toggleAll(kind) {
      const isOpen = folds.toggleAll(kind);
      column.touchAll();
      return isOpen;
    },
  };
}

/** What is always shown as it is; it may be long. */
const UNFOLDED: ReadonlySet<Item["kind"]> = new Set(["answer", "note", "notice"]);

/** In one of its two forms, which may be the same. */
function formOf(column: Column, slot: number, isOpen: boolean): string {
  const lines = column.layOutOnce({ slot, section: 0 }, { ...column.view(), isOpen });
  return lines.map(textOf).join("\n");
}
