/** What one line of markdown is, and how it looks: heading, list, quote, rule, text. Fences and tables span lines: see `markdown.ts`. */
import type { Line, Span, Style } from "../line.ts";
import { inlinePieces } from "./inline.ts";
import { MAX_TEXT_CELLS } from "./margin.ts";
import { blanks, lineOf, type Piece, spanOf, widthOf } from "./span.ts";
import type { Measure } from "./width.ts";
import { wrapPieces } from "./wrap.ts";

export interface LineContext {
  readonly width: number;
  readonly measure: Measure;
  /** Before every line: a margin, the bars of a quote. */
  readonly prefix: readonly Span[];
  /** Said at the end of a line that is not shown whole. */
  readonly note?: string;
}

export interface Fence {
  readonly mark: string;
  readonly indent: number;
  readonly language: string;
}

/** A backtick further on would end a piece of code that the others begin; behind tildes it may stand. */
const FENCE = /^( *)(`{3,}(?=[^`]*$)|~{3,})\s*(\S*)/;

export function openedFence(line: string): Fence | undefined {
  const match = FENCE.exec(line);
  return match ? { mark: match[2] ?? "", indent: match[1]?.length ?? 0, language: match[3] ?? "" } : undefined;
}

export function closesFence(line: string, { mark }: Fence): boolean {
  const bare = line.trim();
  return bare.length >= mark.length && bare === (mark[0] ?? "").repeat(bare.length);
}

const RULE = /^ {0,3}([-*_])( *\1){2,} *$/;
const HEADING = /^ {0,3}(#{1,6})(?= |$)/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( *)([-*+]|\d{1,9}[.)])( +)(.*)$/;
const TASK = /^\[([ xX])\] +/;

/** Quotes within quotes: more bars than this say no more. */
const MAX_PREFIXES = 8;

export function styledLine(line: string, context: LineContext, style: Style = { tone: "fg" }): readonly Line[] {
  const quote = QUOTE.exec(line);
  if (quote && context.prefix.length < MAX_PREFIXES) {
    const bar: Span = { text: "│ ", width: 2, tone: "rule" };
    return styledLine(
      line.slice(quote[0].length),
      { ...context, prefix: [...context.prefix, bar] },
      { ...style, tone: "muted" },
    );
  }
  if (RULE.test(line)) return [ruleLine(context)];
  const heading = HEADING.exec(line);
  if (heading) {
    const isHigh = (heading[1]?.length ?? 0) <= 2;
    return text(headingText(line.slice(heading[0].length)), { tone: isHigh ? "accent" : "fg", bold: true }, context);
  }
  const item = ITEM.exec(line);
  return item ? listItem(item, style, context) : indented(line, style, context);
}

/** Without the signs that may stand at its end as well. */
function headingText(content: string): string {
  const bare = content.trim();
  let end = bare.length;
  while (bare[end - 1] === "#") end--;
  return bare[end - 1] === " " ? bare.slice(0, end).trimEnd() : bare;
}

function ruleLine({ width, prefix }: LineContext): Line {
  const room = Math.max(1, Math.min(MAX_TEXT_CELLS, width - widthOf(prefix)));
  const cells = Math.min(width, room);
  const spans = widthOf(prefix) + cells <= width ? prefix : [];
  return lineOf([...spans, { text: "─".repeat(cells), width: cells, tone: "rule" }], {
    indent: widthOf(spans) + cells,
  });
}

/** Further lines hang below the text of the item. */
function listItem(
  [, indent = "", sign = "", blanks = " ", rest = ""]: RegExpExecArray,
  style: Style,
  context: LineContext,
) {
  const task = TASK.exec(rest);
  const isDone = task !== null && task[1] !== " ";
  const bullet = /\d/.test(sign) ? sign : "•";
  const marks: readonly Piece[] = [
    { tone: "fg", text: indent.slice(0, MAX_INDENT) },
    { tone: "accent", text: bullet },
    { tone: "fg", text: blanks.length > 4 ? " " : blanks },
    ...(task ? [{ tone: isDone ? "ok" : "muted", text: isDone ? "✓ " : "◌ " } as const] : []),
  ];
  return text(rest.slice(task?.[0].length ?? 0), style, { ...context, marks });
}

const MAX_INDENT = 16;

function indented(line: string, style: Style, context: LineContext): readonly Line[] {
  const blanks = /^ */.exec(line)?.[0] ?? "";
  return text(line.slice(blanks.length), style, {
    ...context,
    marks: [{ tone: "fg", text: blanks.slice(0, MAX_INDENT) }],
  });
}

interface TextContext extends LineContext {
  /** Before the first line; blanks as wide before the others. */
  readonly marks?: readonly Piece[];
}

function text(
  content: string,
  style: Style,
  { width, measure, prefix, note, marks = [] }: TextContext,
): readonly Line[] {
  const first = [...prefix, ...marks.filter((mark) => mark.text !== "").map((mark) => spanOf(mark, measure))];
  const rest = [...prefix, ...blanks(widthOf(first) - widthOf(prefix))];
  const pieces = [...inlinePieces(content, style), ...(note ? [{ tone: "muted", text: note } as const] : [])];
  const capped = Math.min(width, widthOf(prefix) + MAX_TEXT_CELLS);
  return wrapPieces(pieces, { width: capped, measure, first, rest });
}
