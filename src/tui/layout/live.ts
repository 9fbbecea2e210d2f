/** A block that streams as styled lines: the same lines that its settled item will have, as far as it has come. */
import type { Line } from "../line.ts";
import type { LiveBlock } from "../model/items.ts";
import { createMarkdown, type Markdown } from "./markdown.ts";
import type { LayoutContext } from "./types.ts";

/**
 * Give it the pieces of a live block, each once, in their order: `push` answers with the lines that are final, `tail` with what
 * follows them for now. A new width, or folding and unfolding, needs a new one. Margins and the blank line before it are
 * included, so nothing has to be put around it.
 */
export function createLive(block: Pick<LiveBlock, "kind" | "name">, context: LayoutContext): Markdown {
  if (block.kind === "answer") return createMarkdown(context);
  const line: Line = {
    spans: [{ text: block.kind, width: block.kind.length, tone: "muted" }],
    width: block.kind.length,
  };
  return { push: () => [], tail: () => [line], end: () => [line] };
}
