/**
 * The sheet of a block that streams. What came is laid out only when somebody looks, and each byte once: a styler goes on
 * where it stopped as long as width and folding stay.
 */
import { isBlankBefore } from "../../layout/item.ts";
import type { Markdown } from "../../layout/markdown.ts";
import type { LayoutContext } from "../../layout/types.ts";
import type { Line } from "../../line.ts";
import type { LiveBlock } from "../../model/items.ts";
import { beginSection, type Layout, layOutSection, type Section, type Sheet } from "./sheets.ts";
import { createTextSections, type TextSection, type TextSections } from "./text-sections.ts";

export interface LiveSheet extends Sheet {
  /** The block as it is now; of the same object only the new pieces are read. */
  update(block: LiveBlock): void;
}

export function liveSheet(first: LiveBlock, layout: Layout): LiveSheet {
  let block = first;
  let reader = first.kind === "answer" ? answerReader(layout) : pieceReader(first, layout);
  let read = 0;
  function readOn(): void {
    for (; read < block.pieces.length; read++) reader.push(block.pieces[read] ?? "");
  }
  readOn();
  return {
    get sections() {
      return reader.sections;
    },
    update(next) {
      if (next !== block) {
        const added = next.kind === "answer" ? reader.missingOf(next.pieces) : undefined;
        if (added === undefined) {
          reader = next.kind === "answer" ? answerReader(layout) : pieceReader(next, layout);
          read = 0;
        } else {
          reader.push(added);
          read = next.pieces.length;
        }
        block = next;
      }
      readOn();
    },
  };
}

interface Reader extends Sheet {
  push(text: string): void;
  /** What these pieces have behind what was read; undefined when they are another text. */
  missingOf(pieces: readonly string[]): string | undefined;
}

function answerReader(layout: Layout): Reader {
  const texts = createTextSections();
  const sections: Section[] = [];
  const grow = () => {
    for (let at = sections.length; at < texts.list.length; at++) {
      const text = texts.list[at];
      if (text) sections.push(growingSection(text, () => at < texts.list.length - 1, layout));
    }
  };
  grow();
  return {
    sections,
    push(text) {
      texts.push(text);
      grow();
    },
    missingOf: (pieces) => behind(texts, pieces.join("")),
  };
}

function behind({ list }: TextSections, whole: string): string | undefined {
  let at = 0;
  for (const { text } of list) {
    if (!whole.startsWith(text, at)) return undefined;
    at += text.length;
  }
  return whole.slice(at);
}

interface Styling {
  readonly context: LayoutContext;
  readonly styler: Markdown;
  /** Those that are final. */
  readonly lines: Line[];
  read: number;
  /** The same as long as nothing comes: what is found in lines is known by them. */
  shown: readonly Line[] | undefined;
}

const begun = (context: LayoutContext, styler: Markdown): Styling => ({
  context,
  styler,
  lines: [],
  read: 0,
  shown: undefined,
});

function push(styling: Styling, text: string): void {
  styling.lines.push(...styling.styler.push(text));
  styling.shown = undefined;
}

function shownLines(styling: Styling): readonly Line[] {
  styling.shown ??= [...styling.lines, ...styling.styler.tail()];
  return styling.shown;
}

function growingSection(section: TextSection, isFinal: () => boolean, layout: Layout): Section {
  let styling: Styling | undefined;
  return {
    get isFinal() {
      return isFinal();
    },
    layOut(context) {
      const isEnded = isFinal();
      if (styling && !isSame("answer", styling.context, context)) styling = undefined;
      if (isEnded && !styling) return layOutSection(section, layout, context);
      styling ??= begun(context, beginSection(section, layout, context));
      const { styler, lines } = styling;
      if (styling.read < section.text.length) push(styling, section.text.slice(styling.read));
      styling.read = section.text.length;
      if (!isEnded) return shownLines(styling);
      // Its lines are in the cache from now on.
      styling = undefined;
      return [...lines, ...styler.end()];
    },
  };
}

/** Thinking and calls: one section, for they are folded or short. */
function pieceReader(block: LiveBlock, layout: Layout): Reader {
  const pieces: string[] = [];
  let styling: Styling | undefined;
  const section: Section = {
    isFinal: false,
    layOut(context) {
      if (!styling || !isSame(block.kind, styling.context, context)) {
        styling = begun(context, layout.live(block, context));
      }
      for (; styling.read < pieces.length; styling.read++) push(styling, pieces[styling.read] ?? "");
      return shownLines(styling);
    },
  };
  return { sections: [section], push: (text) => pieces.push(text), missingOf: () => undefined };
}

/** What stands before a block decides on its blank line only. */
function isSame(kind: LiveBlock["kind"], a: LayoutContext, b: LayoutContext): boolean {
  return (
    a.width === b.width &&
    a.measure === b.measure &&
    a.isOpen === b.isOpen &&
    a.isCompact === b.isCompact &&
    isBlankBefore({ kind }, a) === isBlankBefore({ kind }, b)
  );
}
