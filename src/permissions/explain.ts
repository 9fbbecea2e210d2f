/** Words for people: what an access would do. */
import type { Access } from "../shared/index.ts";

const MAX_SHOWN = 200;

export function descriptorOf(access: Access): string {
  switch (access.kind) {
    case "command":
      return `Run \`${shortened(access.command.trim())}\``;
    case "input":
      return `Type \`${shortened(access.text.trim())}\` into the process \`${shortened(access.command.trim())}\``;
    case "path":
      return `${access.op === "read" ? "Read" : "Write"} ${shortened(access.path)}`;
    case "loop":
      return access.call === undefined
        ? "Continue although the window fills up again and again"
        : `Continue although the same call was made again: ${shortened(access.call)}`;
  }
}

/** One line; control characters shown, so that nothing hides. */
function shortened(text: string): string {
  const lines = text.split("\n");
  const [first = ""] = lines;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const clean = first.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g, "�");
  if (clean.length > MAX_SHOWN) return `${clean.slice(0, MAX_SHOWN)}…`;
  return lines.length > 1 ? `${clean} … (${lines.length} lines)` : clean;
}
