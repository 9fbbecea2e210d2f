/** What is unfolded: by default what went wrong, else what the user opened, one by one or all of a kind. */
import type { Item, LiveBlock } from "../../model/items.ts";

/** Kinds that are opened and closed together. */
export type FoldKind = "details" | "thinking";

export interface Folds {
  isOpen(item: Item): boolean;
  isLiveOpen(block: LiveBlock): boolean;
  set(id: string, isOpen: boolean): void;
  /** Opens all of a kind, or closes it; what was opened one by one goes with it. Says whether they are open now. */
  toggleAll(kind: FoldKind): boolean;
  /** What streamed under one name has got another. */
  rename(from: string, to: string): void;
}

export function createFolds(): Folds {
  const chosen = new Map<string, boolean>();
  const all: Record<FoldKind, boolean> = { details: false, thinking: false };
  return {
    isOpen: (item) => chosen.get(item.id) ?? (all[kindOf(item.kind)] || failed(item)),
    isLiveOpen: ({ key, kind }) => chosen.get(key) ?? all[kindOf(kind)],
    set: (id, isOpen) => void chosen.set(id, isOpen),
    toggleAll(kind) {
      all[kind] = !all[kind];
      chosen.clear();
      return all[kind];
    },
    rename(from, to) {
      const isOpen = chosen.get(from);
      if (isOpen !== undefined) chosen.set(to, isOpen);
      chosen.delete(from);
    },
  };
}

const kindOf = (kind: Item["kind"]): FoldKind => (kind === "thinking" ? "thinking" : "details");

const failed = (item: Item): boolean =>
  (item.kind === "call" && item.state === "failed") || (item.kind === "shell" && item.exitCode !== 0);
