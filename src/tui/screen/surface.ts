/** The one renderable that paints everything but the composer: lines, span by span, at the cells they were measured for. */
import { type OptimizedBuffer, Renderable, type RenderContext } from "@opentui/core";
import type { Line } from "../line.ts";
import type { Palette } from "./palette.ts";

export interface SurfaceParts {
  readonly palette: () => Palette;
  readonly rows: () => readonly Line[];
}

export class Surface extends Renderable {
  private readonly parts: SurfaceParts;

  constructor(context: RenderContext, parts: SurfaceParts) {
    super(context, { position: "absolute", left: 0, top: 0, width: "100%", height: "100%" });
    this.parts = parts;
  }

  /** Every cell is written, so that those without text are in the terminal's colours too and not in the library's. */
  protected override renderSelf(buffer: OptimizedBuffer): void {
    const rows = this.parts.rows();
    for (let y = 0; y < this.height; y++) this.paintRow(buffer, rows[y], y);
  }

  private paintRow(buffer: OptimizedBuffer, line: Line | undefined, y: number): void {
    const palette = this.parts.palette();
    let x = 0;
    for (const span of line?.spans ?? []) {
      if (x >= this.width) return;
      if (span.text === "") continue;
      const { color, background, attributes } = palette.paint(span, line?.tint);
      buffer.drawText(span.text, x, y, color, background, attributes);
      x += span.width;
    }
    if (x >= this.width) return;
    const { color, background, attributes } = palette.paint({ tone: "fg" }, line?.tint);
    buffer.drawText(" ".repeat(this.width - x), x, y, color, background, attributes);
  }
}
