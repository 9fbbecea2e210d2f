/**
 * What one item is laid out from: a sheet of one section, or of many where the text is long, so that a part that is on the
 * screen costs that part only. Sheets of blocks that still grow are in `live-sheet.ts`.
 */
import type { Markdown } from "../../layout/markdown.ts";
import type { LayoutContext } from "../../layout/types.ts";
import type { Line } from "../../line.ts";
import type { Item, LiveBlock } from "../../model/items.ts";
import { createTextSections, type TextSection } from "./text-sections.ts";

/** How layout is done; a test may count what it is asked for. */
export interface Layout {
  readonly item: (item: Item, context: LayoutContext) => readonly Line[];
  readonly live: (block: Pick<LiveBlock, "kind" | "name" | "what">, context: LayoutContext) => Markdown;
}

export interface Section {
  /** Nothing is added to it any more: the same context gives the same lines. */
  readonly isFinal: boolean;
  /** It is all of this item. */
  readonly whole?: Item;
  /** Of one that is a part: its source. */
  readonly text?: string;
  layOut(context: LayoutContext): readonly Line[];
}

export interface Sheet {
  /** At least one. */
  readonly sections: readonly Section[];
}

/** Answers longer than this are laid out section by section. */
const LONG_CHARS = 8 * 1024;

export function itemSheet(item: Item, layout: Layout): Sheet {
  if (item.kind !== "answer" || item.text.length < LONG_CHARS) {
    return { sections: [{ isFinal: true, whole: item, layOut: (context) => layout.item(item, context) }] };
  }
  const texts = createTextSections();
  texts.push(item.text);
  const sections = texts.list.map((section, at) => ({
    isFinal: true,
    text: section.text,
    layOut: (context: LayoutContext) => {
      const lines = layOutSection(section, layout, context);
      const isEnd = item.isPartial && at === texts.list.length - 1;
      // What is said of it as a whole stands behind its last line.
      return isEnd ? [...lines, ...layout.item({ ...item, text: "" }, { ...context, follows: undefined })] : lines;
    },
  }));
  return { sections };
}

export function layOutSection(section: TextSection, layout: Layout, context: LayoutContext): readonly Line[] {
  const styler = beginSection(section, layout, context);
  return [...styler.push(section.text), ...styler.end()];
}

/** A styler that has read what it must know of the text before the section. */
export function beginSection({ prime }: TextSection, layout: Layout, context: LayoutContext): Markdown {
  const styler = layout.live({ kind: "answer" }, context);
  if (prime !== "") styler.push(prime);
  return styler;
}
