/** One row of a list as a line: the mark, the label with what matched, the second column, and the detail at the right. */
import { safeRow } from "../layout/plain-text.ts";
import type { Piece } from "../layout/span.ts";
import type { Measure } from "../layout/width.ts";
import type { Line } from "../line.ts";
import { cut, fittedLine, isCompact, marked, shifted, sides } from "./row.ts";

export interface ListRow {
  readonly value: string;
  readonly label: string;
  /** Offsets in `label` that matched what was typed. */
  readonly matched?: readonly number[];
  /** Behind the label, such as what may follow a command. */
  readonly suffix?: string;
  /** In a second column. */
  readonly about?: string;
  /** At the right. */
  readonly detail?: string;
  /** Headed once, above the first of neighbours that name the same. */
  readonly group?: string;
  /** Not usable now. */
  readonly isDim?: boolean;
  /** What is chosen at present. */
  readonly isCurrent?: boolean;
  /** A second line below it, with what matched in it. */
  readonly below?: { readonly text: string; readonly matched: readonly number[] };
}

export interface ListRoom {
  readonly width: number;
  readonly height: number;
  readonly measure: Measure;
  /** Which end of a label goes when it is too long. */
  readonly cutAt?: "start" | "end";
  /** A line at the end says which of how many it is, when not all are seen. */
  readonly showsCount?: boolean;
}

const margin = (width: number): string => (isCompact(width) ? "" : "  ");
const MARK = "› ";

/** How wide the first column is: only as wide as what stands in it, so that the second is near. */
export function labelColumn(rows: readonly ListRow[], { width, measure }: ListRoom): number | undefined {
  if (isCompact(width) || !rows.some(({ about }) => about)) return undefined;
  const longest = Math.max(...rows.map((row) => measure(wholeLabel(row))));
  return Math.min(longest, Math.floor(width * 0.4));
}

const wholeLabel = ({ label, suffix = "" }: ListRow): string => safeRow(label + suffix);

export interface DrawnRow extends ListRoom {
  readonly labelCells: number | undefined;
  readonly isSelected: boolean;
}

export function rowLine(row: ListRow, room: DrawnRow): Line {
  const { width, measure, isSelected, labelCells } = room;
  const detail = detailOf(row, room);
  const used = margin(width).length + MARK.length;
  const rest = width - used - (detail === "" ? 1 : measure(detail) + 4);
  const left: Piece[] = [
    { tone: "fg", text: margin(width) },
    isSelected ? { tone: "accent", bold: true, text: MARK } : { tone: "fg", text: "  " },
    ...labelPieces(row, Math.max(1, labelCells ?? rest), room),
    ...(labelCells === undefined ? [] : aboutPieces(row, { labelCells, rest: rest - labelCells, measure })),
  ];
  const right: Piece[] = detail === "" ? [] : [{ tone: "muted", text: `${detail} ` }];
  return sides(left, right, { width, measure, ...(isSelected && { tint: "selected" as const }) });
}

/** The detail, unless it would leave less than half of the row to what it is about. */
function detailOf({ detail = "" }: ListRow, { width, measure }: DrawnRow): string {
  const text = safeRow(detail);
  return isCompact(width) || measure(text) > width / 2 ? "" : text;
}

function labelPieces(
  row: ListRow,
  cells: number,
  { width, measure, cutAt = "end", isSelected }: DrawnRow,
): readonly Piece[] {
  const clean = safeRow(row.label);
  const ending = row.isCurrent && !isCompact(width) ? " ●" : "";
  const label = cut(clean, Math.max(1, cells - ending.length), { measure, at: cutAt });
  const matched = clean === row.label ? shifted(row.matched ?? [], clean, label) : [];
  const pieces = marked(label, matched, {
    tone: row.isDim ? "muted" : "fg",
    ...(isSelected && { bold: true as const }),
  });
  const left = cells - measure(label) - ending.length;
  const suffix = cut(safeRow(row.suffix ?? ""), Math.max(0, left), { measure });
  return [...pieces, { tone: "muted", text: suffix }, { tone: "ok", text: ending }];
}

interface AboutRoom {
  readonly labelCells: number;
  readonly rest: number;
  readonly measure: Measure;
}

function aboutPieces(row: ListRow, { labelCells, rest, measure }: AboutRoom): readonly Piece[] {
  const { about = "", isDim } = row;
  if (about === "" || rest < 4) return [];
  const padding = labelCells - Math.min(labelCells, measure(wholeLabel(row)));
  return [
    { tone: "fg", text: " ".repeat(padding + 2) },
    { tone: isDim ? "faint" : "muted", text: cut(safeRow(about), rest - 2, { measure }) },
  ];
}

export const headingLine = ({ group = "" }: ListRow, { width, measure }: ListRoom): Line =>
  fittedLine([{ tone: "muted", text: `${margin(width)}${safeRow(group)}` }], width, measure);

export function belowLine({ below }: ListRow, { width, measure }: ListRoom): Line {
  const { text = "", matched = [] } = below ?? {};
  const clean = safeRow(text);
  const pieces = marked(clean, clean === text ? matched : [], { tone: "muted" });
  return fittedLine([{ tone: "fg", text: `${margin(width)}    ` }, ...pieces], width, measure);
}
