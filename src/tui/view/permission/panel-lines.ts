/** How a question stands above the composer: its title, what it is about, why it asks, the answers. What is too long scrolls. */
import type { Measure } from "../../layout/width.ts";
import { wrapText } from "../../layout/wrap.ts";
import { EMPTY_LINE, type Line } from "../../line.ts";
import type { OpenQuestion } from "../../model/items.ts";
import type { Area } from "../layer.ts";
import { fittedLine, isCompact, titleRule } from "../row.ts";
import { type Answer, answersOf, keyLines } from "./keys.ts";
import { subjectLines } from "./subject.ts";
import { lastingWords, reasonsOf, titleOf } from "./words.ts";

export interface PanelShown {
  readonly question: OpenQuestion;
  /** How many questions wait, this one included. */
  readonly waiting: number;
  /** How far what it is about was scrolled. */
  readonly offset: number;
  readonly isAside: boolean;
  readonly isElsewhere: boolean;
  readonly measure: Measure;
  /** In place of the answers: the line that is typed into. */
  readonly reason?: Line;
}

export interface PanelLines {
  readonly lines: readonly Line[];
  /** How far it can be scrolled. */
  readonly scrollable: number;
  /** Those that can be given: what they mean is told. */
  readonly answers: readonly Answer[];
  /** The row of the line that is typed into. */
  readonly reasonRow: number | undefined;
}

/** What a question is about takes at most this part of the height, and one row in any case. */
const MOST_OF_HEIGHT = 0.4;

export function panelLines(shown: PanelShown, area: Area): PanelLines {
  const whole = linesWith(shown, area, { isLastingTold: true });
  return whole.isLastingTold ? whole : linesWith(shown, area, { isLastingTold: false });
}

interface Wanted {
  readonly isLastingTold: boolean;
}

function linesWith(shown: PanelShown, area: Area, wanted: Wanted): PanelLines & Wanted {
  const { question, measure, reason } = shown;
  const { width, height } = area;
  const answers = answersOf(question, wanted);
  const under = reason ? [reason, hintLine(width, measure)] : keyLines(answers, { ...shown, width });
  const subject = subjectLines(question, { width, measure });
  const hasTitle = height > under.length + 1;
  const spare = Math.max(1, height - under.length - (hasTitle ? 1 : 0)); // one row of the subject is always there
  const rows = Math.min(subject.length, Math.max(1, Math.floor(height * MOST_OF_HEIGHT)), spare);
  const about = aboutLines(question, { width, measure, rows: spare - rows });
  const scrollable = subject.length > rows ? subject.length - Math.max(1, rows - 1) : 0;
  const before = [
    ...(hasTitle ? [titleLine(shown, width)] : []),
    ...windowOf(subject, { rows, offset: Math.min(shown.offset, scrollable), width, measure }),
    ...about.lines,
    ...(spare > rows + about.lines.length ? [EMPTY_LINE] : []),
  ];
  const lines = [...before, ...under].slice(0, height).map((line) => clipped(line, width, measure));
  const reasonRow = reason ? Math.min(before.length, height - 1) : undefined;
  return { lines, scrollable, answers, reasonRow, isLastingTold: about.isLastingTold };
}

/** On the narrowest screens a sign may be wider than the row. */
const clipped = (line: Line, width: number, measure: Measure): Line =>
  line.width <= width ? line : fittedLine(line.spans, width, measure);

function titleLine({ question, waiting, measure, reason }: PanelShown, width: number): Line {
  const title = reason ? "Deny, and tell it why" : titleOf(question);
  return titleRule(waiting > 1 ? `${title} · 1 of ${waiting}` : title, width, measure);
}

const margin = (width: number): string => (isCompact(width) ? " " : "   ");

function hintLine(width: number, measure: Measure): Line {
  return fittedLine([{ tone: "muted", text: `${margin(width)}Enter denies · Esc back` }], width, measure);
}

interface AboutRoom {
  readonly width: number;
  readonly measure: Measure;
  readonly rows: number;
}

/** Sentences that fit as a whole. What a lasting yes would store has its room first. */
function aboutLines(
  question: OpenQuestion,
  { width, measure, rows }: AboutRoom,
): Wanted & { readonly lines: readonly Line[] } {
  const indent = [{ tone: "fg" as const, text: margin(width), width: margin(width).length }];
  const look = { width: Math.max(1, width - 1), measure, first: indent, rest: indent };
  const wrapped = (text: string) => wrapText(text, { tone: "muted" }, look);
  const lasting = wrapped(lastingWords(question) ?? "");
  const isLastingTold = question.suggestion !== undefined && lasting.length <= rows;
  let left = isLastingTold ? rows - lasting.length : rows;
  const lines: Line[] = [];
  for (const sentence of reasonsOf(question).map(wrapped)) {
    if (sentence.length > left) continue;
    lines.push(...sentence);
    left -= sentence.length;
  }
  const isWorthIt = isLastingTold || (lastingWords(question) !== undefined && lasting.length <= left);
  return { lines: isWorthIt ? [...lines, ...lasting] : lines, isLastingTold };
}

interface Window {
  readonly rows: number;
  readonly offset: number;
  readonly width: number;
  readonly measure: Measure;
}

/** The last row of a part says how much more there is: nothing is left out without a word. */
function windowOf(lines: readonly Line[], { rows, offset, width, measure }: Window): readonly Line[] {
  if (lines.length <= rows) return lines;
  const shown = lines.slice(offset, offset + Math.max(1, rows - 1));
  if (rows < 2) return [withMark(shown[0] ?? EMPTY_LINE, ` ↓${lines.length - offset - 1}`, width, measure)];
  const below = lines.length - offset - shown.length;
  const words = below > 0 ? `↓ ${below} more ${below === 1 ? "row" : "rows"}` : "the end";
  const where = offset > 0 ? `${words} · ${offset} above` : words;
  const note = fittedLine([{ tone: "warn", text: `${margin(width)}  ${where} · up/down` }], width, measure);
  return [...shown, note];
}

/** In a single row the mark takes the place of what would stand under it. */
function withMark(line: Line, mark: string, width: number, measure: Measure): Line {
  const kept = fittedLine(line.spans, Math.max(0, width - measure(mark)), measure);
  return {
    spans: [...kept.spans, { tone: "warn", text: mark, width: measure(mark) }],
    width: kept.width + measure(mark),
  };
}
