/** The one renderable that paints everything but the composer: lines, span by span, at the cells they were measured for. */
import { type OptimizedBuffer, Renderable, type RenderContext, RGBA, TextAttributes } from "@opentui/core";
import type { Line, Span, Tint } from "../line.ts";
import type { Color, Theme } from "../view/theme.ts";

const CLEAR = RGBA.fromValues(0, 0, 0, 0);

export interface Palette {
  tone(span: Span): RGBA;
  tint(tint: Tint | undefined): RGBA;
}

const rgba = (color: Color): RGBA => (typeof color === "string" && color.startsWith("#") ? RGBA.fromHex(color) : CLEAR);

export function paletteOf({ tones, tints }: Theme): Palette {
  const tone = new Map(Object.entries(tones).map(([name, color]) => [name, rgba(color)]));
  const tint = new Map(Object.entries(tints).map(([name, color]) => [name, rgba(color)]));
  return { tone: (span) => tone.get(span.tone) ?? CLEAR, tint: (name) => (name && tint.get(name)) || CLEAR };
}

const attributesOf = ({ bold, dim, italic, underline, strike }: Span): number =>
  (bold ? TextAttributes.BOLD : 0) |
  (dim ? TextAttributes.DIM : 0) |
  (italic ? TextAttributes.ITALIC : 0) |
  (underline ? TextAttributes.UNDERLINE : 0) |
  (strike ? TextAttributes.STRIKETHROUGH : 0);

export class Surface extends Renderable {
  palette: Palette;
  private readonly lines: () => readonly Line[];

  constructor(context: RenderContext, parts: { readonly palette: Palette; readonly lines: () => readonly Line[] }) {
    super(context, { position: "absolute", left: 0, top: 0, width: "100%", height: "100%" });
    this.palette = parts.palette;
    this.lines = parts.lines;
  }

  protected override renderSelf(buffer: OptimizedBuffer): void {
    for (const [y, line] of this.lines().entries()) this.paint(buffer, line, y);
  }

  private paint(buffer: OptimizedBuffer, line: Line, y: number): void {
    if (line.tint) buffer.fillRect(0, y, this.width, 1, this.palette.tint(line.tint));
    let x = 0;
    for (const span of line.spans) {
      const back = this.palette.tint(span.tint ?? line.tint);
      buffer.drawText(span.text, x, y, this.palette.tone(span), back, attributesOf(span));
      x += span.width;
    }
  }
}
