/** The whole screen as lines, from its parts: what stands where at which size. Pure. */
import { EMPTY_LINE, type Line } from "../line.ts";
import type { Area } from "./layer.ts";

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface ScreenFrame {
  /** As many as the screen is high. */
  readonly rows: readonly Line[];
  /** Where the composer stands; undefined while something covers it. */
  readonly composer?: Rect;
  readonly hasComposerCursor: boolean;
  /** Where the cursor stands when it is not the composer's. */
  readonly cursor?: { readonly x: number; readonly y: number };
}

export interface FrameParts {
  readonly size: Area;
  readonly header: Line;
  readonly status: Line;
  /** Called once, with the room that is left for it. */
  readonly transcript: (area: Area) => readonly Line[];
  readonly composerRows: number;
}

export function composeFrame({ size, header, status, transcript, composerRows }: FrameParts): ScreenFrame {
  const { width, height } = size;
  const room = Math.max(0, height - composerRows - 4);
  const lines = transcript({ width, height: room });
  const rule: Line = { spans: [{ text: "─".repeat(width), width, tone: "rule" }], width };
  const padding = Array.from({ length: Math.max(0, room - lines.length) }, () => EMPTY_LINE);
  const composer = Array.from({ length: composerRows }, () => EMPTY_LINE);
  return {
    rows: [header, ...padding, ...lines, rule, ...composer, rule, status],
    composer: { x: 3, y: room + 2, width: Math.max(1, width - 4), height: composerRows },
    hasComposerCursor: true,
  };
}
