/**
 * The whole screen as lines, from its parts: what stands where at which size. Pure. What does not fit is left out in the order
 * of its worth: first the header, then the rules, then the transcript; the composer and one line of status stay to the last.
 */
import { EMPTY_LINE, type Line } from "../line.ts";
import { fieldLeft, fieldLine, fieldWidth } from "./field-line.ts";
import type { Area, Layer } from "./layer.ts";
import { isCompact } from "./row.ts";

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface ScreenFrame {
  /** As many as the screen is high. */
  readonly rows: readonly Line[];
  /** Where the composer stands; undefined while something covers it. */
  readonly composer?: Rect;
  readonly hasComposerCursor: boolean;
  /** Where the cursor stands when it is not the composer's. */
  readonly cursor?: Point;
  /** Where the transcript stands; for the mouse. */
  readonly transcript?: Rect;
  /** Where each layer stands, for the mouse; and what room it was offered, of which it may have taken less. */
  readonly layers: readonly { readonly layer: Layer; readonly at: Rect; readonly offered: Area }[];
}

export interface FrameParts {
  readonly size: Area;
  readonly header: (width: number) => Line;
  readonly status: (width: number) => Line;
  /** Called at most once, with the room that is left for it; its lines stand at the bottom of the room. */
  readonly transcript: (area: Area) => readonly Line[];
  /** Stand between transcript and composer, from the top. */
  readonly chips: (width: number) => readonly Line[];
  /** Lies over the end of the last row of the transcript, which it is given. */
  readonly pill: (width: number, under: Line) => Line | undefined;
  /** The one that takes the whole screen. */
  readonly full: Layer | undefined;
  /** From the bottom of the stack; the newest stands lowest, next to the composer. */
  readonly above: readonly Layer[];
  /** How many rows the draft takes at this width. */
  readonly composerRows: (width: number) => number;
}

/** What there is room for; the numbers are the breakpoints of docs/TUI_DESIGN.md. */
interface Shape {
  readonly hasHeader: boolean;
  readonly hasRules: boolean;
}

const MOST_COMPOSER_ROWS = 10;

function shapeOf({ width, height }: Area): Shape {
  return { hasHeader: !isCompact(width) && height >= 12, hasRules: !isCompact(width) && height >= 8 };
}

export function composeFrame(parts: FrameParts): ScreenFrame {
  const { full, size } = parts;
  if (full) return fullFrame(full, size);
  const { width, height } = size;
  const shape = shapeOf(size);
  const composerHeight = composerRowsIn(parts);
  const status = height > 1 ? [parts.status(width)] : [];
  const fixed = composerHeight + status.length + (shape.hasHeader ? 1 : 0) + (shape.hasRules ? 2 : 0);
  const chips = height - fixed >= 4 ? parts.chips(width).slice(0, Math.floor((height - fixed) / 3)) : [];
  const over = layersAbove(parts.above, { width, height: Math.max(0, height - fixed - chips.length) });
  const room = Math.max(0, height - fixed - chips.length - over.rows.length);
  const top: Line[] = shape.hasHeader ? [parts.header(width)] : [];
  const transcriptAt = { x: 0, y: top.length, width, height: room };
  const rule = shape.hasRules ? [ruleLine(width)] : [];
  const before = [...top, ...transcriptRows(parts, transcriptAt), ...chips, ...over.rows, ...rule];
  const composer = {
    x: fieldLeft(width),
    y: before.length,
    width: fieldWidth(width),
    height: composerHeight,
  };
  const rows = [...before, ...promptRows(width, composerHeight), ...rule, ...status];
  const firstLayerRow = top.length + room + chips.length;
  const layers = over.placed.map(({ layer, offered, from, lines }) => ({
    layer,
    offered,
    at: { x: 0, y: firstLayerRow + from, width, height: lines },
  }));
  const cursor = cursorIn(layers);
  return {
    rows: rows.slice(Math.max(0, rows.length - height)),
    ...(composer.y + composerHeight <= height && { composer }),
    hasComposerCursor: cursor === undefined,
    ...(cursor && { cursor }),
    transcript: transcriptAt,
    layers,
  };
}

function fullFrame(layer: Layer, offered: Area): ScreenFrame {
  const { height } = offered;
  const layers = [{ layer, offered, at: { x: 0, y: 0, ...offered } }];
  const cursor = cursorIn(layers);
  const rows = padded(layer.rows(offered).slice(0, height), height, "below");
  return { rows, hasComposerCursor: false, ...(cursor && { cursor }), layers };
}

const composerRowsIn = ({ size, composerRows }: FrameParts): number => {
  const most = Math.max(1, Math.min(MOST_COMPOSER_ROWS, Math.floor(size.height / 3)));
  return Math.min(most, Math.max(1, composerRows(fieldWidth(size.width))));
};

interface Over {
  readonly rows: readonly Line[];
  readonly placed: readonly Placed[];
}

interface Placed {
  readonly layer: Layer;
  readonly offered: Area;
  readonly from: number;
  readonly lines: number;
}

/** The newest gets its room first, for it is what the keys go to. */
function layersAbove(above: readonly Layer[], { width, height }: Area): Over {
  let left = height;
  const drawn = above.toReversed().map((layer) => {
    const offered = { width, height: left };
    const rows = layer.rows(offered).slice(0, left);
    left -= rows.length;
    return { layer, offered, rows };
  });
  const rows: Line[] = [];
  const placed: Placed[] = [];
  for (const { layer, offered, rows: lines } of drawn.toReversed()) {
    placed.push({ layer, offered, from: rows.length, lines: lines.length });
    rows.push(...lines);
  }
  return { rows, placed };
}

function transcriptRows({ transcript, pill }: FrameParts, { width, height }: Rect): readonly Line[] {
  if (height === 0) return [];
  const rows = padded(transcript({ width, height }).slice(-height), height, "above");
  const note = pill(width, rows.at(-1) ?? EMPTY_LINE);
  return note ? [...rows.slice(0, -1), note] : rows;
}

function padded(lines: readonly Line[], height: number, where: "above" | "below"): readonly Line[] {
  const missing = Array.from({ length: Math.max(0, height - lines.length) }, () => EMPTY_LINE);
  return where === "above" ? [...missing, ...lines] : [...lines, ...missing];
}

const ruleLine = (width: number): Line => ({ spans: [{ text: "─".repeat(width), width, tone: "rule" }], width });

function promptRows(width: number, count: number): readonly Line[] {
  return [fieldLine(EMPTY_LINE, fieldLeft(width)), ...Array.from({ length: count - 1 }, () => EMPTY_LINE)];
}

/** Of the newest layer that wants it. */
function cursorIn(layers: ScreenFrame["layers"]): Point | undefined {
  for (const { layer, at, offered } of layers.toReversed()) {
    const point = at.height > 0 ? layer.cursor?.(offered) : undefined;
    if (point) return { x: Math.min(at.x + point.x, at.width - 1), y: at.y + Math.min(point.y, at.height - 1) };
  }
  return undefined;
}
