/** Between cells of a line and units of its text. Both count from the line's beginning, decoration included. */
import { graphemesOf, type Measure, wholeIn } from "../../layout/width.ts";
import type { Line, Span, Style } from "../../line.ts";

/** The offset of the character that covers this cell; the text's length beyond its end. */
export function offsetAt(line: Line, cell: number, measure: Measure): number {
  let [offset, left] = [0, cell];
  for (const { text, width } of line.spans) {
    if (left < width) return offset + unitsIn(text, left, measure);
    left -= width;
    offset += text.length;
  }
  return offset;
}

/** Where the copied text of a line begins. */
export const copiedFrom = (line: Line, measure: Measure): number =>
  line.indent === undefined ? 0 : offsetAt(line, line.indent, measure);

function unitsIn(text: string, cells: number, measure: Measure): number {
  let [used, units] = [0, 0];
  for (const grapheme of graphemesOf(text)) {
    used += measure(grapheme);
    if (used > cells) return units;
    units += grapheme.length;
  }
  return text.length;
}

/** The line with the text between two offsets in another style; no grapheme of a span is torn. */
export function restyled(line: Line, range: TextRange, style: Partial<Style>, measure: Measure): Line {
  const spans: Span[] = [];
  let at = 0;
  for (const span of line.spans) {
    const part = { from: clamp(range.from - at, span.text.length), to: clamp(range.to - at, span.text.length) };
    at += span.text.length;
    if (part.from >= part.to) {
      spans.push(span);
      continue;
    }
    const { from, to } = wholeIn(span.text)(part);
    spans.push(...cutOut(span, 0, from, measure));
    for (const found of cutOut(span, from, to, measure)) spans.push({ ...found, ...style });
    spans.push(...cutOut(span, to, span.text.length, measure));
  }
  return { ...line, spans };
}

export interface TextRange {
  readonly from: number;
  readonly to: number;
}

function cutOut(span: Span, from: number, to: number, measure: Measure): readonly Span[] {
  if (from === 0 && to === span.text.length) return [span];
  const text = span.text.slice(from, to);
  return text === "" ? [] : [{ ...span, text, width: measure(text) }];
}

export const clamp = (value: number, most: number): number => Math.min(Math.max(value, 0), most);
