/** The states of markdown from line to line: text, a fence, a table. Complete lines go in; lines that are final come out. */
import { EMPTY_LINE, type Line, type Span } from "../line.ts";
import { createLexer, type Lexer, type OpenBlock } from "./code.ts";
import { closesFence, type Fence, openedFence, styledLine } from "./markdown-line.ts";
import { boundedLine, leftOut, MAX_LINE_CHARS, settled, withoutTabs } from "./plain-text.ts";
import {
  type Align,
  alignments,
  isRowLike,
  layoutTable,
  MAX_TABLE_ROWS,
  plainRow,
  type TableContext,
} from "./table.ts";
import type { LayoutContext } from "./types.ts";
import type { Measure } from "./width.ts";
import { wrapPieces } from "./wrap.ts";

export type MarkdownContext = Pick<LayoutContext, "width" | "measure"> & {
  /** Before every line that is not empty. */
  readonly prefix?: readonly Span[];
};

export interface RawLine {
  /** Free of escape sequences; of a very long line only what can be shown of it. */
  readonly text: string;
  readonly length: number;
}

export interface Styler {
  line(raw: RawLine): readonly Line[];
  end(): readonly Line[];
  /** One that goes on from here without changing this. */
  fork(): Styler;
}

interface OpenFence extends Fence {
  readonly lexer: Lexer;
  readonly open: OpenBlock | undefined;
}

interface Table {
  readonly rows: readonly string[];
  /** Undefined: only the header was seen, if it is one. */
  readonly aligns: readonly Align[] | undefined;
  /** It had more rows than are aligned; the others are shown as they come. */
  readonly isLong: boolean;
}

interface State {
  readonly fence: OpenFence | undefined;
  readonly table: Table | undefined;
  /** A blank line stands before what follows, if anything does. */
  readonly isBlankDue: boolean;
  readonly hasBegun: boolean;
}

const INITIAL: State = { fence: undefined, table: undefined, isBlankDue: false, hasBegun: false };

const CODE_INDENT: Span = { text: "  ", width: 2, tone: "fg" };

export function createStyler(given: MarkdownContext, from: State = INITIAL): Styler {
  const context: TableContext = { ...given, prefix: given.prefix ?? [] };
  let state = from;

  function change(changes: Partial<State>): readonly Line[] {
    state = { ...state, ...changes };
    return [];
  }

  function emit(lines: readonly Line[]): readonly Line[] {
    if (lines.length === 0) return lines;
    const isBlankDue = state.isBlankDue && state.hasBegun;
    change({ isBlankDue: false, hasBegun: true });
    return isBlankDue ? [EMPTY_LINE, ...lines] : lines;
  }

  function code(text: string, note: string, fence: OpenFence): readonly Line[] {
    if (closesFence(text, fence)) return change({ fence: undefined });
    const { pieces, open } = fence.lexer(withoutIndent(text, fence.indent), fence.open);
    change({ fence: { ...fence, open } });
    if (pieces.length === 0) return emit([EMPTY_LINE]);
    const prefix = [...context.prefix, CODE_INDENT];
    const noted = note ? [...pieces, { tone: "muted", text: note } as const] : pieces;
    return emit(wrapPieces(noted, { ...context, first: prefix, rest: prefix }));
  }

  /** Undefined: the line is no part of the table, which is over. */
  function row(text: string, table: Table): readonly Line[] | undefined {
    const { rows, aligns, isLong } = table;
    if (!aligns) {
      const set = alignments(text, rows[0] ?? "");
      return set ? change({ table: { ...table, aligns: set } }) : undefined;
    }
    if (!isRowLike(text)) return undefined;
    if (isLong) return emit(plainRow(text, false, context));
    if (rows.length <= MAX_TABLE_ROWS) return change({ table: { ...table, rows: [...rows, text] } });
    const lines = endTable(table);
    change({ table: { ...table, rows: [], isLong: true } });
    return [...lines, ...plainRow(text, false, context)];
  }

  function endTable({ rows, aligns }: Table): readonly Line[] {
    change({ table: undefined });
    return emit(aligns ? layoutTable(rows, aligns, context) : rows.flatMap((text) => styledLine(text, context)));
  }

  function styled(text: string, note: string): readonly Line[] {
    if (text.trim() === "") return change({ isBlankDue: true });
    const fence = openedFence(text);
    if (fence) {
      change({ fence: { ...fence, lexer: createLexer(fence.language), open: undefined } });
      if (fence.language === "") return [];
      const label = { tone: "faint", text: fence.language } as const;
      return emit(wrapPieces([label], { ...context, first: [...context.prefix, CODE_INDENT] }));
    }
    if (isRowLike(text) && !note) return change({ table: { rows: [text], aligns: undefined, isLong: false } });
    return emit(styledLine(text, { ...context, note }));
  }

  return {
    line(raw) {
      const { text, note } = shown(raw, context.measure);
      if (state.fence) return code(text, note, state.fence);
      if (!state.table) return styled(text, note);
      const lines = row(text, state.table);
      if (lines) return lines;
      return [...endTable(state.table), ...styled(text, note)];
    },
    end: () => (state.table ? endTable(state.table) : []),
    fork: () => createStyler(given, state),
  };
}

/** What is shown of a line, and what is said of the rest. */
function shown(raw: RawLine, measure: Measure): { readonly text: string; readonly note: string } {
  const { text } = boundedLine(settled(raw.text));
  const note = raw.length > MAX_LINE_CHARS ? leftOut(raw.length - text.length) : "";
  return { text: withoutTabs(text, measure), note };
}

function withoutIndent(text: string, indent: number): string {
  let from = 0;
  while (from < indent && text[from] === " ") from++;
  return text.slice(from);
}
