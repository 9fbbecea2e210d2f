/** What a command printed or a tool answered, below its card: the newest lines, an excerpt, or all that is kept. */
import type { Line, Tone } from "../line.ts";
import { bodyMargin, roomOf, row } from "./margin.ts";
import { boundedLine, leftOut, safeText, withoutTabs } from "./plain-text.ts";
import type { LayoutContext } from "./types.ts";
import { wrapPieces } from "./wrap.ts";

export interface OutputOptions {
  readonly tone: Tone;
  /** Of the output there is more than was kept. */
  readonly isCut?: boolean | undefined;
  /** Kept is the end, so what is missing came before. */
  readonly isTail?: boolean;
}

const linesOf = (output: string): readonly string[] => {
  const text = safeText(output).replace(/\s+$/, "");
  return text === "" ? [] : text.split("\n");
};

/** The last lines, each cut to a row. */
export function tailRows(output: string, most: number, context: LayoutContext, tone: Tone): readonly Line[] {
  return linesOf(output)
    .filter((line) => line.trim() !== "")
    .slice(-most)
    .map((line) => row([{ tone, text: shownPart(line, context) }], bodyMargin(context), context));
}

/** As much of a line as can reach the screen's right end. */
const shownPart = (line: string, { width, measure }: LayoutContext): string =>
  withoutTabs(line.slice(0, width * 4 + 64), measure);

/** The last lines, and how many stand before them. */
export function excerptRows(output: string, most: number, context: LayoutContext, options: OutputOptions) {
  const lines = linesOf(output);
  const shown = lines.slice(-most);
  const before = lines.length - shown.length;
  const isMore = before > 0 || options.isCut === true;
  return [
    ...(isMore ? [hint(before > 0 ? `… ${counted(before)} before` : "… more before", context)] : []),
    ...shown.map((line) => row([{ tone: options.tone, text: shownPart(line, context) }], bodyMargin(context), context)),
  ];
}

/** Everything that is kept, wrapped, and where the rest is. */
export function wholeRows(output: string, context: LayoutContext, { tone, isCut, isTail }: OutputOptions) {
  const margin = bodyMargin(context);
  const options = { width: roomOf(context), measure: context.measure, first: margin, rest: margin };
  const rows = linesOf(output).flatMap((line) => {
    const { text, left } = boundedLine(line);
    const note = left > 0 ? leftOut(left) : "";
    return wrapPieces(
      [
        { tone, text: withoutTabs(text, context.measure) },
        { tone: "faint", text: note },
      ],
      options,
    );
  });
  const rest = isCut
    ? [hint(isTail ? "… what came before is in the full output" : "… more in the full output", context)]
    : [];
  return isTail ? [...rest, ...rows] : [...rows, ...rest];
}

export const hint = (text: string, context: LayoutContext): Line =>
  row([{ tone: "faint", text }], bodyMargin(context), context);

export const counted = (lines: number): string => `${lines.toLocaleString("en")} ${lines === 1 ? "line" : "lines"}`;
