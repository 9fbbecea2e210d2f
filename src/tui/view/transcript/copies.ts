/** What can be copied as a whole, always as it was written and never as it is laid out. */
import { sanitize } from "../../../shared/index.ts";
import type { Item } from "../../model/items.ts";
import { copyOfItem, lastCodeBlock } from "./item-text.ts";

export interface Copies {
  /** The newest answer, as markdown. */
  lastAnswer(): string | undefined;
  /** Counted from the newest, which is 1. */
  answer(back: number): string | undefined;
  /** Of the focused item its last code block, if it has one; else the newest of all answers. */
  codeBlock(): string | undefined;
  /** The focused item. */
  focused(): string | undefined;
}

export function createCopies(items: readonly Item[], focused: () => Item | undefined): Copies {
  function newest<T>(read: (text: string) => T | undefined): T | undefined {
    for (let slot = items.length - 1; slot >= 0; slot--) {
      const item = items[slot];
      const found = item?.kind === "answer" ? read(item.text) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return {
    lastAnswer: () => newest(asCopied),
    answer(back) {
      let left = back;
      return newest((text) => (--left === 0 ? asCopied(text) : undefined));
    },
    codeBlock() {
      const item = focused();
      const here = item && "text" in item ? lastCodeBlock(item.text) : undefined;
      return here ?? newest(lastCodeBlock);
    },
    focused() {
      const item = focused();
      return item && copyOfItem(item);
    },
  };
}

const asCopied = (text: string): string => sanitize(text).trim();
