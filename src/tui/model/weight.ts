/** How much an item holds, counted in characters of text. */
import type { Item } from "./items.ts";

/** For the object itself. */
const ITEM_CHARS = 256;
/** For each value within it. */
const VALUE_CHARS = 16;

/** An input may be nested as deeply as somebody likes: it is walked without recursion. */
export function weightOf(item: Item): number {
  const left: unknown[] = [item];
  let chars = ITEM_CHARS;
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === "string") chars += value.length;
    else if (typeof value === "object" && value !== null) {
      for (const part of Object.values(value)) {
        chars += VALUE_CHARS;
        left.push(part);
      }
    }
  }
  return chars;
}
