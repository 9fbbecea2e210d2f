/** What an item says, as text: for the search, and for copying. Nothing in it can command a terminal. */
import { sanitize } from "../../../shared/index.ts";
import { closesFence, type Fence, openedFence } from "../../layout/markdown-line.ts";
import type { Item } from "../../model/items.ts";

/** All of it that can be shown, folded or not. */
export function textOfItem(item: Item): string {
  switch (item.kind) {
    case "user":
    case "answer":
    case "thinking":
    case "notice":
    case "note":
      return item.text;
    case "call":
      return lines([
        item.name,
        ...strings(item.input),
        item.summary,
        item.output,
        ...item.changes.map(({ path }) => path),
      ]);
    case "shell":
      return lines([item.command, item.output]);
    case "outcome":
      return lines([item.detail, ...item.changedFiles, ...item.checks.map(({ command }) => command), ...item.issues]);
    case "divider":
      return lines([item.text, item.about, item.detail]);
    default:
      item satisfies never;
      return "";
  }
}

/** What copying an item gives: the markdown as it was written, what a program printed. */
export function copyOfItem(item: Item): string {
  if (item.kind === "shell") return sanitize(lines([`$ ${item.command}`, item.output]));
  if (item.kind === "call" && item.output !== "") return sanitize(item.output);
  return sanitize(textOfItem(item));
}

/** What stands between the fences of the last code block, or undefined when there is none. One that is not closed counts. */
export function lastCodeBlock(markdown: string): string | undefined {
  let fence: Fence | undefined;
  let code: string[] = [];
  let found: string | undefined;
  for (const line of sanitize(markdown).split("\n")) {
    if (!fence) {
      fence = openedFence(line);
      code = [];
    } else if (closesFence(line, fence)) {
      found = code.join("\n");
      fence = undefined;
    } else code.push(line.slice(Math.min(fence.indent, line.length - line.trimStart().length)));
  }
  return fence ? code.join("\n") : found;
}

const lines = (parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== "").join("\n");

function strings(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(strings) : [];
}
