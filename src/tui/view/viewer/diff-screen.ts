/** The screen of the diff viewer as lines: where list, diff and the lines around them stand at which size. */
import { linesPieces } from "../../layout/call-words.ts";
import { blanks, clippedMiddle, lineOf, type Piece } from "../../layout/span.ts";
import type { Measure } from "../../layout/width.ts";
import { EMPTY_LINE, type Line, type Span } from "../../line.ts";
import type { DiffFile } from "../../ports.ts";
import { spellOut } from "../../spelling.ts";
import type { Area } from "../layer.ts";
import { fittedLine, isCompact, sides, titleRule } from "../row.ts";
import { fileColumn } from "./file-column.ts";
import type { OpenFile } from "./open-file.ts";

const SPLIT_COLUMNS = 120;
/** With fewer, two columns hold no code, whoever wants them. */
const MIN_SPLIT_CELLS = 40;
const LIST_COLUMNS = 100;
const MIN_ROWS_WITH_CHROME = 6;
/** Title, the file's name, the line at the bottom. */
const CHROME_ROWS = 3;
/** Where the list begins. */
export const BODY_TOP = 2;

/** Whose a change is, in words. */
export const ATTRIBUTION = { khaelor: "by khaelor", you: "by you", both: "by khaelor and you" } as const;

const HINTS = "q close · n p hunk · ] [ file · s columns · y copy hunk · r request a change · / search";

export interface Sizes {
  readonly hasChrome: boolean;
  /** Of the diff and the list. */
  readonly height: number;
  /** 0: there is no list. */
  readonly listWidth: number;
  readonly width: number;
  readonly isSplit: boolean;
}

export function sizesOf({ width, height }: Area, files: number, chosen: boolean | undefined): Sizes {
  const hasChrome = height >= MIN_ROWS_WITH_CHROME;
  const listWidth = width >= LIST_COLUMNS && files > 1 ? Math.min(40, Math.floor(width * 0.28)) : 0;
  const room = Math.max(1, listWidth > 0 ? width - listWidth - DIVIDER.width : width);
  return {
    hasChrome,
    height: Math.max(1, hasChrome ? height - CHROME_ROWS : height),
    listWidth,
    width: room,
    isSplit: (chosen ?? width >= SPLIT_COLUMNS) && room >= MIN_SPLIT_CELLS,
  };
}

const DIVIDER: Span = { text: "│ ", width: 2, tone: "rule" };

export interface DiffScreen {
  readonly title: string;
  readonly files: readonly DiffFile[];
  readonly current: number;
  /** Undefined: there is no file. */
  readonly open: OpenFile | undefined;
  readonly measure: Measure;
}

export function diffScreen(screen: DiffScreen, sizes: Sizes, { width, height }: Area): readonly Line[] {
  const body = bodyLines(screen, sizes);
  if (!sizes.hasChrome) return body.slice(0, height);
  const { title, measure } = screen;
  const head = titleRule(spellOut(title), width, measure);
  return [head, fileLine(screen, width), ...body, bottomLine(screen, width)];
}

function fileLine({ files, current, measure }: DiffScreen, width: number): Line {
  const shown = files[current];
  if (!shown) return EMPTY_LINE;
  const number = files.length > 1 ? `${current + 1} of ${files.length} ` : "";
  const by = shown.by ? ` · ${ATTRIBUTION[shown.by]}` : "";
  const isNarrow = isCompact(width);
  const name = clippedMiddle(spellOut(shown.path), Math.max(1, width - (isNarrow ? 2 : 24)), measure);
  const facts: readonly Piece[] = isNarrow ? [] : [...linesPieces(shown), { tone: "muted", text: by }];
  const left: readonly Piece[] = [{ tone: "fg", bold: true, text: ` ${name}` }, ...facts];
  return sides(left, [{ tone: "muted", text: number }], { width, measure });
}

function bottomLine({ files, open, measure }: DiffScreen, width: number): Line {
  const typed = open?.search.field(width, measure);
  if (typed) return typed.line;
  const words = open?.search.words();
  const hints = words === undefined ? HINTS : `${words} · n N next, previous · esc clear`;
  const text = files.length === 0 ? "nothing changed · q close" : hints;
  return fittedLine([{ tone: "muted", text: ` ${spellOut(text)}` }], width, measure);
}

function bodyLines({ files, current, open, measure }: DiffScreen, sizes: Sizes): readonly Line[] {
  const { width, height, listWidth, isSplit } = sizes;
  const diff = open?.page(height, { width, measure, isSplit }) ?? [];
  const list = listWidth > 0 ? fileColumn({ files, current, width: listWidth, height, measure }) : [];
  return Array.from({ length: height }, (_, row) => {
    const right = diff[row] ?? EMPTY_LINE;
    return listWidth > 0 ? beside(list[row] ?? EMPTY_LINE, right, sizes) : right;
  });
}

/** The tint of the diff's line is of its half of the row only. */
function beside(left: Line, right: Line, { width, listWidth }: Sizes): Line {
  const { tint } = right;
  const rest = width - right.width;
  const filled: readonly Span[] = tint && rest > 0 ? [...right.spans, ...blanks(rest)] : right.spans;
  const spans = tint ? filled.map((span) => ({ ...span, tint: span.tint ?? tint })) : filled;
  return lineOf([...left.spans, ...blanks(listWidth - left.width), DIVIDER, ...spans], {
    indent: listWidth + DIVIDER.width + (right.indent ?? 0),
    ...(right.wraps && { wraps: true }),
    ...(right.gap !== undefined && { gap: right.gap }),
  });
}
