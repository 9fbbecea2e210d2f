/** An item as styled lines. Pure: the transcript decides when, the theme decides how it looks. */
import type { Line, Style } from "../line.ts";
import type { Item } from "../model/items.ts";
import type { LayoutContext } from "./types.ts";
import { wrapText } from "./wrap.ts";

/** Ends without a blank line; the blank line that separates items comes first where one is due. */
export function layoutItem(item: Item, context: LayoutContext): readonly Line[] {
  const said = (text: string, style: Style) => wrapText(text, style, context);
  switch (item.kind) {
    case "user":
      return said(`▌ ${item.text}`, { tone: "you", bold: true });
    case "answer":
      return said(item.text, { tone: "fg" });
    case "thinking":
      return said("thinking", { tone: "muted" });
    case "call":
      return said(`  ${item.state} ${item.name} ${item.summary ?? ""}`, { tone: "muted" });
    case "shell":
      return said(`$ ${item.command}`, { tone: "fg" });
    case "notice":
      return said(item.text, { tone: item.tone });
    case "outcome":
      return said(item.detail, { tone: item.isDone ? "ok" : "error" });
    case "divider":
      return said(item.text, { tone: "faint" });
    case "note":
      return said(item.text, { tone: "muted" });
    default:
      item satisfies never;
      return [];
  }
}
