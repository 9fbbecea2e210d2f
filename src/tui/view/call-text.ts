/** All of a call, or of a command of the user's own, as text: what was asked for, and below it what came of it. */
import type { CallItem, ShellItem } from "../model/items.ts";

export function callText(item: CallItem | ShellItem, output: string): string {
  const asked = item.kind === "shell" ? `$ ${item.command}` : inputText(item.input);
  return [asked, output.replace(/\n+$/, "")].filter((part) => part !== "").join("\n\n");
}

/** A command stands as in a shell; every other field has its name, and text of several lines begins below it. */
function inputText(input: unknown): string {
  if (typeof input !== "object" || input === null) return input === undefined ? "" : JSON.stringify(input);
  return Object.entries(input)
    .map(([name, value]) => {
      const text = typeof value === "string" ? value.replace(/\n$/, "") : JSON.stringify(value);
      if (name === "command") return `$ ${text}`;
      return text.includes("\n") ? `${name}:\n${text.replace(/^/gm, "  ")}` : `${name}: ${text}`;
    })
    .join("\n");
}
