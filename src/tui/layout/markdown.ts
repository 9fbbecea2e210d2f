/**
 * Markdown as styled lines while it streams. A line is final at its line feed (a table at the line that follows it); only
 * what comes after is provisional. What a push costs follows from its own bytes, never from the length of the text.
 */
import { createSanitizer } from "../../shared/index.ts";
import type { Line } from "../line.ts";
import { createStyler, type MarkdownContext, type RawLine } from "./markdown-styler.ts";
import { MAX_LINE_CHARS } from "./plain-text.ts";

/** One text, from its first byte to its last, at one width. A new width needs a new one. */
export interface Markdown {
  /** Takes more raw text, cut anywhere, and gives the lines that became final with it, to be put behind those before. */
  push(text: string): readonly Line[];
  /** What stands behind the final lines for now. Laid out once for each push. */
  tail(): readonly Line[];
  /** Nothing more comes: gives what was provisional, in its final form. Call it once, and nothing after it. */
  end(): readonly Line[];
}

/** All pushes and the end together give what `layoutMarkdown` gives, however the text was cut. */
export function createMarkdown(context: MarkdownContext): Markdown {
  const sanitizer = createSanitizer();
  let styler = createStyler(context);
  let half = "";
  let rest = createRest();
  let tail: readonly Line[] | undefined;
  return {
    push(raw) {
      tail = undefined;
      const text = half + raw;
      half = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : "";
      const lines = sanitizer.push(half ? text.slice(0, -1) : text).split("\n");
      const out: Line[] = [];
      for (const [index, line] of lines.entries()) {
        if (index > 0) {
          out.push(...styler.line(rest.line()));
          rest = createRest();
        }
        rest.add(line);
      }
      return out;
    },
    tail() {
      if (tail) return tail;
      const provisional = styler.fork();
      tail = [...(rest.isEmpty() ? [] : provisional.line(rest.line())), ...provisional.end()];
      return tail;
    },
    end() {
      const lines = [...(rest.isEmpty() ? [] : styler.line(rest.line())), ...styler.end()];
      styler = createStyler(context);
      rest = createRest();
      tail = [];
      return lines;
    },
  };
}

/** A whole text in one go. */
export function layoutMarkdown(text: string, context: MarkdownContext): readonly Line[] {
  const markdown = createMarkdown(context);
  return [...markdown.push(text), ...markdown.end()];
}

const MAX_KEPT_CHARS = MAX_LINE_CHARS + 64;

/** A line that still grows: of one without an end no more is kept than is shown. */
function createRest() {
  let text = "";
  let length = 0;
  return {
    add(more: string) {
      length += more.length;
      if (text.length < MAX_KEPT_CHARS) text += more.slice(0, MAX_KEPT_CHARS - text.length);
    },
    line: (): RawLine => ({ text, length }),
    isEmpty: () => length === 0,
  };
}
