/** Texts as rows that are laid out one by one: a plain one of any length, or markdown. */
import { layoutMarkdown } from "../../layout/markdown.ts";
import { safeText, withoutTabs } from "../../layout/plain-text.ts";
import type { Measure } from "../../layout/width.ts";
import { wrapPieces } from "../../layout/wrap.ts";
import { EMPTY_LINE, type Line, textOf } from "../../line.ts";
import { type Renumbering, sameRow } from "./scroller.ts";
import type { Searched } from "./search.ts";

export interface TextLook {
  readonly width: number;
  readonly measure: Measure;
}

export interface TextDocument extends Searched {
  /** Everything looks otherwise now, unless it gives nothing. */
  setLook(look: TextLook): Renumbering | undefined;
}

/** A line that is longer is several rows: what is looked at stays cheap, and nothing is left out. */
const MAX_ROW_CHARS = 4096;

/** Only the places of its lines are held beside the text; a row is made safe and wrapped when it is looked at. */
function plainDocument(text: string): TextDocument {
  const starts = startsOf(text);
  let look: TextLook = { width: 1, measure: (part) => part.length };
  // No escape sequence goes on behind a line's end, so that each line can be cleaned alone.
  const textOfRow = (row: number): string => {
    const [from = 0, to = text.length] = [starts[row], starts[row + 1]];
    return withoutTabs(safeText(text.slice(from, to).replace(/\r?\n$/, "")), look.measure);
  };
  return {
    count: () => starts.length,
    text: textOfRow,
    lines: (row) => wrapPieces([{ tone: "fg", text: textOfRow(row) }], look),
    setLook(next) {
      const isOther = next.width !== look.width || next.measure !== look.measure;
      look = next;
      return isOther ? sameRow : undefined;
    },
  };
}

function startsOf(text: string): readonly number[] {
  const starts: number[] = [];
  for (let at = 0; at < text.length; ) {
    starts.push(at);
    const found = text.indexOf("\n", at);
    const end = found < 0 ? text.length : found + 1;
    at = end - at > MAX_ROW_CHARS ? wholeCharacter(text, at + MAX_ROW_CHARS) : end;
  }
  return starts;
}

const wholeCharacter = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
};

/** Laid out as a whole for each width: for what a command says, not for megabytes. Its rows are lines: a place is a share of them. */
function markdownDocument(text: string): TextDocument {
  let look: TextLook | undefined;
  let lines: readonly Line[] = [];
  return {
    count: () => lines.length,
    text: (row) => textOf(lines[row] ?? EMPTY_LINE),
    lines: (row) => lines.slice(row, row + 1),
    setLook(next) {
      if (look?.width === next.width && look.measure === next.measure) return undefined;
      const before = lines.length;
      look = next;
      lines = layoutMarkdown(text, next);
      return (row) => (before === 0 ? 0 : Math.round((row * lines.length) / before));
    },
  };
}

/** More than this is shown as it is. */
const MAX_MARKDOWN_CHARS = 512 * 1024;

export const documentOf = (text: string, format: "markdown" | "plain"): TextDocument =>
  format === "markdown" && text.length <= MAX_MARKDOWN_CHARS ? markdownDocument(text) : plainDocument(text);
