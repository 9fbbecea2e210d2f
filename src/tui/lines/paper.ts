/**
 * What has been written and where the cursor stands: lines below each other, and a prompt behind the last of them. A prompt that
 * is written over is written again by whoever asks for it.
 */
import { noticeLines } from "../layout/happenings.ts";
import type { LayoutContext } from "../layout/types.ts";
import { measureBy } from "../layout/width.ts";
import { EMPTY_LINE, type Line, textOf } from "../line.ts";
import type { NoticeItem } from "../model/items.ts";
import { spellOut } from "../spelling.ts";
import { ansiLine } from "../view/ansi.ts";
import { type ThemeMode, themeOf } from "../view/theme.ts";
import type { LineTerminal } from "./port.ts";

export type WordsTone = NoticeItem["tone"];

export interface Paper {
  readonly context: () => LayoutContext;
  lines(lines: readonly Line[]): void;
  /** A sentence of the program's own. */
  words(text: string, tone?: WordsTone): void;
  /** Stays until something else is written; nothing when it stands there already. `isApart`: behind an empty line. */
  prompt(text: string, options?: { readonly isApart?: boolean }): void;
  /** A line was entered. `isHidden`: nobody saw what it says, and nobody shall. */
  typed(text: string, options?: { readonly isHidden?: boolean }): void;
  /** Something that is not from here may stand behind the prompt, such as a ^C: what follows begins on a new line. */
  disturbed(): void;
  setMode(mode: ThemeMode): void;
  /** Leaves no prompt behind which a shell would write its own. */
  end(): void;
}

const MAX_COLUMNS = 100;
const MIN_COLUMNS = 20;

export function createPaper({ write, columns, look, isEchoed }: LineTerminal): Paper {
  const measure = measureBy("unicode");
  let theme = themeOf(look.mode, look.depth);
  /** What stands behind the last line feed. */
  let open: string | undefined;
  let isBlankBefore = true;
  const context = (): LayoutContext => ({
    width: Math.max(MIN_COLUMNS, Math.min(MAX_COLUMNS, columns())),
    measure,
    isOpen: false,
    isCompact: false,
  });
  // Attributes are control sequences as well: without colours there is only text.
  const styled = (line: Line): string => (look.depth === "none" ? textOf(line).trimEnd() : ansiLine(line, theme));
  function lines(all: readonly Line[]): void {
    const [first] = all;
    if (!first) return;
    const from = isBlankBefore && first.spans.length === 0 ? 1 : 0;
    const texts = all.slice(from).map(styled);
    if (texts.length === 0) return;
    write(`${open === undefined ? "" : "\n"}${texts.join("\n")}\n`);
    open = undefined;
    isBlankBefore = all.at(-1)?.spans.length === 0;
  }
  return {
    context,
    lines,
    words: (text, tone = "muted") => lines(noticeLines({ tone, text }, context())),
    prompt(text, { isApart = false } = {}) {
      if (open === text) return;
      if (isApart) lines([EMPTY_LINE]);
      write(`${open === undefined ? "" : "\n"}${text}`);
      open = text;
    },
    typed(text, { isHidden = false } = {}) {
      if (isHidden) write("\n");
      else if (!isEchoed && open !== undefined) write(`${spellOut(text)}\n`);
      open = undefined;
      isBlankBefore = false;
    },
    disturbed() {
      if (isEchoed) open = "";
    },
    setMode(mode) {
      theme = themeOf(mode, look.depth);
    },
    end() {
      if (open !== undefined) write("\n");
      open = undefined;
    },
  };
}
