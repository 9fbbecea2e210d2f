/** Items in few words, for tests that say: given these events, then this is shown. */
import type { Item } from "../../src/tui/model/items.ts";

/** The items in few words. */
export const told = (items: readonly Item[]) => items.map(inWords);
function inWords(item: Item): string {
  switch (item.kind) {
    case "call":
      return `${item.state} ${item.name}${item.output === "" ? "" : `: ${item.output}`}`;
    case "shell":
      return `$ ${item.command} → ${item.exitCode}`;
    case "user":
      return `${item.isSteering ? "steers" : "says"}: ${item.text}`;
    case "answer":
      return `${item.isPartial ? "partial" : "answer"}: ${item.text}`;
    case "thinking":
      return item.isRedacted ? "redacted" : `thinks: ${item.text}`;
    case "outcome":
      return `${item.isDone ? "done" : "failed"}: ${item.detail}${item.changedFiles.join()}`;
    case "divider":
      return `— ${[item.text, ...(item.about === undefined ? [] : [item.about])].join(", ")} (${item.detail ?? ""})`;
    default:
      return `${item.kind}: ${item.text}`;
  }
}
