/**
 * Markdown as styled lines while it streams. A line is final at its line feed (a table at the line that follows it); only
 * what comes after is provisional. What a push costs follows from its own bytes, never from the length of the text.
 */
import type { Line } from "../line.ts";
import type { LayoutContext } from "./types.ts";
import { wrapText } from "./wrap.ts";

/** One text, from its first byte to its last, at one width. A new width needs a new one. */
export interface Markdown {
  /** Takes more raw text, cut anywhere, and gives the lines that became final with it, to be put behind those before. */
  push(text: string): readonly Line[];
  /** What stands behind the final lines for now. The same array until the next push. */
  tail(): readonly Line[];
  /** Nothing more comes: gives what was provisional, in its final form. Call it once, and nothing after it. */
  end(): readonly Line[];
}

/** `context.isOpen` and `context.follows` have no meaning here. All pushes and the end together give what `layoutMarkdown` gives. */
export function createMarkdown(context: LayoutContext): Markdown {
  let rest = "";
  return {
    push(text) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      return lines.flatMap((line) => wrapText(line, { tone: "fg" }, context));
    },
    tail: () => (rest === "" ? [] : wrapText(rest, { tone: "fg" }, context)),
    end() {
      return rest === "" ? [] : wrapText(rest, { tone: "fg" }, context);
    },
  };
}

/** A whole text in one go. */
export function layoutMarkdown(text: string, context: LayoutContext): readonly Line[] {
  const markdown = createMarkdown(context);
  return [...markdown.push(text), ...markdown.end()];
}
