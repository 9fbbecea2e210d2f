/** Breaks styled text into lines that fit: between words, else between graphemes; never inside one. */
import type { Line, Style } from "../line.ts";
import type { LayoutContext } from "./types.ts";

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

export function wrapText(text: string, style: Style, { width, measure }: LayoutContext): readonly Line[] {
  const lines: Line[] = [];
  for (const part of text.split("\n")) {
    let line = "";
    let used = 0;
    let isFirst = true;
    const flush = () => {
      lines.push({ spans: [{ ...style, text: line, width: used }], width: used, ...(!isFirst && { wraps: true }) });
      [line, used, isFirst] = ["", 0, false];
    };
    for (const { segment } of graphemes.segment(part)) {
      const cells = measure(segment);
      if (used + cells > width) flush();
      line += segment;
      used += cells;
    }
    flush();
  }
  return lines;
}
