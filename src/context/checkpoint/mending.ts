/**
 * YAML as models write it is often wrong in one way: a text on one line that needed quotes and has none. Such a line is quoted,
 * where its meaning is clear. What breaks off, or is wrong otherwise, stays wrong.
 */
import type { ErrorCode } from "yaml";

export interface Flaw {
  readonly code: ErrorCode;
  /** From 0. */
  readonly line: number;
}

/** A backtick or an asterisk at the beginning, a colon inside, words behind a quote or a bracket. */
const MENDABLE: readonly ErrorCode[] = [
  "BAD_SCALAR_START",
  "BLOCK_AS_IMPLICIT_KEY",
  "BAD_ALIAS",
  "UNEXPECTED_TOKEN",
  "MULTIPLE_ANCHORS",
  "MULTIPLE_TAGS",
];

/** Undefined when nothing can be done about it. The number of lines stays the same. */
export function mended(yaml: string, { code, line }: Flaw): string | undefined {
  if (code === "TAB_AS_INDENT") return /^\t/m.test(yaml) ? withoutTabs(yaml) : undefined;
  if (!MENDABLE.includes(code)) return undefined;
  const lines = yaml.split("\n");
  const quoted = quotedLine(lines[line] ?? "");
  return quoted === undefined ? undefined : lines.with(line, quoted).join("\n");
}

/** A line that begins with a tab cannot be text: that of a block is indented with spaces. */
const withoutTabs = (yaml: string): string => yaml.replace(/^[\t ]*\t/gm, (indent) => indent.replaceAll("\t", "  "));

const LINE = /^(\s*(?:- +)*(?:[A-Za-z_][\w-]*: +)?)(\S.*?)\s*$/;

function quotedLine(line: string): string | undefined {
  const [, before = "", text = ""] = LINE.exec(line) ?? [];
  if (text === "" || isQuoted(text)) return undefined;
  const inner = /^'.*'$/.test(text) ? text.slice(1, -1) : text;
  return before + JSON.stringify(inner);
}

function isQuoted(text: string): boolean {
  return /^"(?:[^"\\]|\\.)*"$/.test(text);
}
