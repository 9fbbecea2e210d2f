/** A block that streams as styled lines: the same lines that its settled item will have, as far as it has come. */
import { EMPTY_LINE, type Line } from "../line.ts";
import type { LiveBlock } from "../model/items.ts";
import { oneLine, oneName } from "../spelling.ts";
import { isBlankBefore } from "./item.ts";
import { row, textMargin } from "./margin.ts";
import type { Markdown } from "./markdown.ts";
import { createAnswer, createThought } from "./said.ts";
import type { LayoutContext } from "./types.ts";

/**
 * Give it the pieces of a live block, each once, in their order: `push` answers with the lines that are final, `tail` with what
 * follows them for now. A new width, or folding and unfolding, needs a new one. Margins and the blank line before it are
 * included, so nothing has to be put around it.
 */
export function createLive(block: Pick<LiveBlock, "kind" | "name" | "what">, context: LayoutContext): Markdown {
  const lines = linesOf(block, context);
  return isBlankBefore(block, context) ? afterBlank(lines) : lines;
}

function linesOf({ kind, name = "", what = "" }: Pick<LiveBlock, "kind" | "name" | "what">, context: LayoutContext) {
  if (kind === "answer") return createAnswer(context);
  if (kind === "thinking") return createThought(context);
  const pieces = [
    { tone: "muted", text: "◌ " },
    { tone: "fg", text: oneName(name) },
    { tone: "muted", text: what === "" ? "" : ` ${oneLine(what)}` },
  ] as const;
  const lines = [row(pieces, textMargin(context), context)];
  return { push: () => [], tail: () => lines, end: () => lines };
}

function afterBlank(markdown: Markdown): Markdown {
  let isDue = true;
  const before = (lines: readonly Line[]) => (isDue && lines.length > 0 ? [EMPTY_LINE, ...lines] : lines);
  return {
    push(text) {
      const lines = before(markdown.push(text));
      if (lines.length > 0) isDue = false;
      return lines;
    },
    tail: () => before(markdown.tail()),
    end: () => before(markdown.end()),
  };
}
