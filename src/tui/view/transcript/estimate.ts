/** How many rows an item will take, guessed from its size alone: for the place of a jump, until it is laid out. */
import type { Item } from "../../model/items.ts";

/** Lines are seldom full. */
const FILLED = 0.7;

export function estimateRows(item: Item, width: number, isOpen: boolean): number {
  switch (item.kind) {
    case "user":
    case "answer":
    case "note":
      return 1 + estimateTextRows(item.text.length, width);
    case "thinking":
      return isOpen ? 2 + estimateTextRows(item.text.length, width) : 1;
    case "call":
    case "shell":
      return isOpen ? 2 + estimateTextRows(item.output.length, width) : 1;
    case "notice":
      return 2;
    case "divider":
      return 2 + (isOpen ? estimateTextRows(item.detail?.length ?? 0, width) : 0);
    case "outcome":
      return 3 + item.checks.length + item.issues.length;
    default:
      item satisfies never;
      return 1;
  }
}

export const estimateTextRows = (chars: number, width: number): number =>
  Math.ceil(chars / Math.max(1, width * FILLED));
