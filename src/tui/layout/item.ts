/** An item as styled lines. Pure: the transcript decides when, the theme decides how it looks. */
import { EMPTY_LINE, type Line } from "../line.ts";
import type { Item } from "../model/items.ts";
import { callLines, hasBody } from "./call.ts";
import { dividerLines, noticeLines, outcomeLines, shellLines } from "./happenings.ts";
import { answerLines, noteLines, thinkingLines, userLines } from "./said.ts";
import type { LayoutContext } from "./types.ts";

/** Ends without a blank line; the blank line that separates items comes first where one is due. */
export function layoutItem(item: Item, context: LayoutContext): readonly Line[] {
  const lines = linesOf(item, context);
  return lines.length > 0 && isBlankBefore(item, context) ? [EMPTY_LINE, ...lines] : lines;
}

function linesOf(item: Item, context: LayoutContext): readonly Line[] {
  switch (item.kind) {
    case "user":
      return userLines(item, context);
    case "answer":
      return answerLines(item, context);
    case "thinking":
      return thinkingLines(item, context);
    case "call":
      return callLines(item, context);
    case "shell":
      return shellLines(item, context);
    case "notice":
      return noticeLines(item, context);
    case "outcome":
      return outcomeLines(item, context);
    case "divider":
      return dividerLines(item, context);
    case "note":
      return noteLines(item, context);
    default:
      item satisfies never;
      return [];
  }
}

/** Lines of one kind of thing stand together; what is said stands apart. Where rows are few, only the user's words do. */
export function isBlankBefore({ kind }: Pick<Item, "kind">, { follows, isCompact }: LayoutContext): boolean {
  if (!follows) return false;
  if (isCompact) return kind === "user";
  return !(isOneLine(kind) && isOneLine(follows.kind)) || (follows.kind === "call" && hasBody(follows));
}

const isOneLine = (kind: Item["kind"]): boolean => kind === "call" || kind === "thinking" || kind === "notice";
