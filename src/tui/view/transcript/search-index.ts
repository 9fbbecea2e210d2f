/**
 * How often each item holds what is searched for. Items are read in slices of so many characters, from where the reader is
 * towards the beginning and then to the end, so that the nearest match is known first and no frame waits for the rest.
 */
import type { Item } from "../../model/items.ts";
import { textOfItem } from "./item-text.ts";
import type { Pattern } from "./search-pattern.ts";

export interface SearchIndex {
  /** Reads on; false: everything was read before. */
  read(chars: number): boolean;
  /** An item was replaced. */
  refresh(slot: number): void;
  /** The first so many items are gone. */
  shift(slots: number): void;
  /** Items were added behind these; they are read at once when all before them was. */
  grown(from: number): void;
  count(slot: number): number;
  total(): number;
  isComplete(): boolean;
  /** Of all items before this one; undefined as long as some of them were not read. */
  before(slot: number): number | undefined;
  /** The next slot in this direction that holds a match; undefined: none that was read does. */
  next(slot: number, by: 1 | -1): number | undefined;
  /** Whether all behind this slot in this direction was read. */
  isKnown(slot: number, by: 1 | -1): boolean;
}

export function createSearchIndex(items: readonly Item[], pattern: Pattern, start: number): SearchIndex {
  const counts = new Map<number, number>();
  /** Read are all slots above `low` and below `high`. */
  let low = Math.min(start, items.length - 1);
  let high = low + 1;
  let total = 0;

  /** Answers with how many characters it took. */
  function readItem(slot: number): number {
    const item = items[slot];
    const text = item ? textOfItem(item) : "";
    const count = pattern.count(text);
    total += count - (counts.get(slot) ?? 0);
    if (count > 0) counts.set(slot, count);
    else counts.delete(slot);
    return text.length + ITEM_CHARS;
  }
  const isComplete = () => low < 0 && high >= items.length;

  return {
    read(chars) {
      const isNew = !isComplete();
      for (let left = chars; left > 0 && !isComplete(); ) left -= readItem(low >= 0 ? low-- : high++);
      return isNew;
    },
    refresh(slot) {
      if (slot > low && slot < high) readItem(slot);
    },
    shift(slots) {
      if (slots === 0) return;
      const held = [...counts].filter(([slot]) => slot >= slots);
      counts.clear();
      total = 0;
      for (const [slot, count] of held) {
        counts.set(slot - slots, count);
        total += count;
      }
      [low, high] = [Math.max(-1, low - slots), Math.max(0, high - slots)];
    },
    grown(from) {
      while (high >= from && high < items.length) readItem(high++);
    },
    count: (slot) => counts.get(slot) ?? 0,
    total: () => total,
    isComplete,
    before(slot) {
      if (low >= 0) return undefined;
      let sum = 0;
      for (const [at, count] of counts) if (at < slot) sum += count;
      return sum;
    },
    next(slot, by) {
      for (let at = slot + by; at > low && at < high; at += by) if (counts.has(at)) return at;
      return undefined;
    },
    isKnown: (slot, by) => (by === 1 ? high >= items.length && slot >= low : low < 0 && slot <= high),
  };
}

/** What looking at an item costs beside its text. */
const ITEM_CHARS = 64;
