/** What is unfolded: by default what went wrong, else what the user opened, one by one or all of a kind. */
import type { Item, LiveBlock } from "../../model/items.ts";

/** Kinds that are opened and closed together. */
export type FoldKind = "details" | "thinking";

export interface Folds {
  isOpen(item: Item): boolean;
  isLiveOpen(block: LiveBlock): boolean;
  /** Of an item, or of a block by its key. */
  set(what: Pick<Item, "id" | "kind">, isOpen: boolean): void;
  /** Opens all of a kind, or closes it; what of it was opened one by one goes with it. Says whether they are open now. */
  toggleAll(kind: FoldKind): boolean;
  /** What streamed under one name has got another. */
  rename(from: string, to: string): void;
}

export function createFolds(): Folds {
  const chosen: Record<FoldKind, Map<string, boolean>> = { details: new Map(), thinking: new Map() };
  const all: Record<FoldKind, boolean> = { details: false, thinking: false };
  return {
    isOpen: (item) => chosen[kindOf(item.kind)].get(item.id) ?? (all[kindOf(item.kind)] || failed(item)),
    isLiveOpen: ({ key, kind }) => chosen[kindOf(kind)].get(key) ?? all[kindOf(kind)],
    set: ({ id, kind }, isOpen) => void chosen[kindOf(kind)].set(id, isOpen),
    toggleAll(kind) {
      all[kind] = !all[kind];
      chosen[kind].clear();
      return all[kind];
    },
    rename(from, to) {
      for (const ofKind of Object.values(chosen)) {
        const isOpen = ofKind.get(from);
        if (isOpen !== undefined) ofKind.set(to, isOpen);
        ofKind.delete(from);
      }
    },
  };
}

const kindOf = (kind: Item["kind"]): FoldKind => (kind === "thinking" ? "thinking" : "details");

const failed = (item: Item): boolean =>
  (item.kind === "call" && item.state === "failed") || (item.kind === "shell" && item.exitCode !== 0);
