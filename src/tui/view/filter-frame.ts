/** Where the parts of a list with a line to type into stand, by how much room there is. Pure. */
import type { TextField } from "../input/text-field.ts";
import { safeRow } from "../layout/plain-text.ts";
import type { Measure } from "../layout/width.ts";
import { EMPTY_LINE, type Line } from "../line.ts";
import { fieldLeft, fieldLine, fieldWidth } from "./field-line.ts";
import type { Area, Layer } from "./layer.ts";
import { type ListState, listLines } from "./list.ts";
import { fittedLine, isCompact, sides, titleRule } from "./row.ts";

export const MAX_ROWS_ABOVE = 8;

type Part = "title" | "gap" | "field" | "rule" | "list" | "hint";

export interface FrameWish {
  readonly place: Layer["place"];
  readonly isFiltered: boolean;
  readonly area: Area;
}

/** From the top. The list comes first, then the line to type into, then what explains. */
function partsFor({ place, isFiltered, area: { height } }: FrameWish): readonly Part[] {
  const field: readonly Part[] = isFiltered && height > 1 ? ["field"] : [];
  if (height < 4) return [...field, "list"];
  if (place === "above") return ["title", ...field, "list"];
  if (height < 12) return ["title", ...field, "list"];
  return ["title", "gap", ...field, "rule", "list", "gap", "hint"];
}

export interface FilterFrame {
  readonly parts: readonly Part[];
  readonly listTop: number;
  readonly listHeight: number;
  /** Row of the line to type into, and the cells in front of it. */
  readonly field?: { readonly y: number; readonly x: number; readonly width: number };
}

export function filterFrame(wish: FrameWish): FilterFrame {
  const { width, height } = wish.area;
  const parts = partsFor(wish);
  const rest = Math.max(0, height - (parts.length - 1));
  const y = parts.indexOf("field");
  const x = fieldLeft(width);
  return {
    parts,
    listTop: parts.indexOf("list"),
    listHeight: wish.place === "full" ? rest : Math.min(MAX_ROWS_ABOVE, rest),
    ...(y !== -1 && { field: { y, x, width: fieldWidth(width) } }),
  };
}

export interface FilterWords {
  readonly title: string;
  readonly hint: string;
  /** In place of a list without rows. */
  readonly none: string;
  readonly cutAt?: "start" | "end" | undefined;
}

export interface FilterDrawing {
  readonly wish: FrameWish;
  readonly words: FilterWords;
  readonly state: ListState;
  readonly field: TextField;
  readonly measure: Measure;
}

export function filterLines(drawing: FilterDrawing): readonly Line[] {
  const { wish } = drawing;
  const frame = filterFrame(wish);
  return frame.parts.flatMap((part) => DRAW[part](drawing, frame)).slice(0, wish.area.height);
}

const DRAW: Readonly<Record<Part, (drawing: FilterDrawing, frame: FilterFrame) => readonly Line[]>> = {
  title: ({ wish: { place, area }, words, state, measure }) => [
    place === "full"
      ? heading(words.title, state, { area, measure })
      : titleRule(safeRow(words.title), area.width, measure),
  ],
  gap: () => [EMPTY_LINE],
  rule: ({ wish: { area }, measure }) => [
    fittedLine([{ tone: "rule", text: "─".repeat(area.width) }], area.width, measure),
  ],
  field: ({ field, measure }, { field: place }) =>
    place ? [fieldLine(field.line(place.width, measure).line, place.x)] : [],
  hint: ({ wish: { area }, words, measure }) => [
    fittedLine([{ tone: "muted", text: ` ${words.hint}` }], area.width, measure),
  ],
  list,
};

function list({ wish: { place, area }, words, state, measure }: FilterDrawing, { listHeight }: FilterFrame) {
  const { width } = area;
  const isFull = place === "full";
  const cutAt = words.cutAt ?? "end";
  const rows = listLines(state, { width, height: listHeight, measure, cutAt, showsCount: !isFull });
  const none =
    rows.length === 0 && listHeight > 0
      ? [fittedLine([{ tone: "muted", text: `${isCompact(width) ? "" : "  "}  ${words.none}` }], width, measure)]
      : [];
  const lines = [...rows, ...none];
  const padding = isFull ? Array.from({ length: listHeight - lines.length }, () => EMPTY_LINE) : [];
  return [...lines, ...padding];
}

interface HeadingRoom {
  readonly area: Area;
  readonly measure: Measure;
}

function heading(
  title: string,
  { rows, selected, total = rows.length }: ListState,
  { area, measure }: HeadingRoom,
): Line {
  const count = total === 0 ? "" : `${selected + 1} of ${total.toLocaleString("en")} `;
  const left = [{ tone: "fg" as const, bold: true as const, text: ` ${safeRow(title)}` }];
  return sides(left, [{ tone: "muted", text: count }], { width: area.width, measure });
}
