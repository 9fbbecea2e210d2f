/** Lines as text for a pager, a scrollback or a plain terminal: colours and attributes (SGR), and no other control sequence. */
import type { Line, Span, Tint } from "../line.ts";
import { type Color, type Look, lookOf, type Theme } from "./theme.ts";

/** Without a line break at its end. */
export function ansiLine(line: Line, theme: Theme): string {
  return line.spans.map((span) => ansiSpan(span, theme, line.tint)).join("");
}

function ansiSpan(span: Span, theme: Theme, tint: Tint | undefined): string {
  const codes = codesOf(lookOf(theme, span, tint));
  return codes.length === 0 ? span.text : `\x1b[${codes.join(";")}m${span.text}\x1b[0m`;
}

function codesOf({ color, background, bold, dim, italic, underline, strike, reverse }: Look): readonly string[] {
  const attributes: readonly (readonly [boolean | undefined, string])[] = [
    [bold, "1"],
    [dim, "2"],
    [italic, "3"],
    [underline, "4"],
    [reverse, "7"],
    [strike, "9"],
  ];
  return [
    ...attributes.flatMap(([isOn, code]) => (isOn ? [code] : [])),
    ...colorCodes(color, 30),
    ...colorCodes(background, 40),
  ];
}

/** `base`: 30 for the text, 40 for what lies behind it. */
function colorCodes(color: Color, base: 30 | 40): readonly string[] {
  if (color === "default") return [];
  if (typeof color === "string") {
    const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
    return [`${base + 8};2;${red};${green};${blue}`];
  }
  if (color < 8) return [String(base + color)];
  if (color < 16) return [String(base + 52 + color)];
  return [`${base + 8};5;${color}`];
}
