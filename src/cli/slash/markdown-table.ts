/** Tables and code in the Markdown that commands answer with. Foreign text is cleaned by whoever shows it. */

type Cell = string | number;

/** Columns whose name ends in `:` are aligned to the right. */
export function markdownTable(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const line = (cells: readonly Cell[]) =>
    `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
  const names = head.map((name) => name.replace(/:$/, ""));
  const rule = head.map((name) => (name.endsWith(":") ? "---:" : "---"));
  return [line(names), line(rule), ...rows.map(line)].join("\n");
}

/** With as many backticks around it as the text does not have in a row. */
export function inCode(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line === "") return "";
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length));
  const ticks = "`".repeat(longest + 1);
  const gap = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${ticks}${gap}${line}${gap}${ticks}`;
}

/** A block of code as it stands. */
export function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n+$/, "")}\n${fence}`;
}
