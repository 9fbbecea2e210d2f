/**
 * The one list of palettes, pickers and help: rows of which one is selected, in a window that scrolls no more than it must.
 * Pure: a state and a room give lines, a key gives the next state.
 */
import type { Line } from "../line.ts";
import { belowLine, headingLine, type ListRoom, type ListRow, labelColumn, rowLine } from "./list-row.ts";
import { sides } from "./row.ts";

export interface ListState {
  readonly rows: readonly ListRow[];
  /** -1: none. */
  readonly selected: number;
  /** The line, headings counted, at which the window began when a key moved it last. */
  readonly top: number;
  /** There are so many, of which `rows` are the best. */
  readonly total?: number;
}

export const listOf = (
  rows: readonly ListRow[],
  { selected = 0, total }: { readonly selected?: number; readonly total?: number } = {},
): ListState => ({
  rows,
  selected: Math.min(Math.max(-1, selected), rows.length - 1),
  top: 0,
  ...(total !== undefined && { total }),
});

export const selectedRow = ({ rows, selected }: ListState): ListRow | undefined => rows[selected];

/** Undefined: not a key of lists. `height` is that of the room that was drawn last. */
export function moved(state: ListState, keyName: string, height: number): ListState | undefined {
  const { rows, selected } = state;
  const page = Math.max(1, height - 1);
  const target = TARGETS.get(keyName)?.({ selected, last: rows.length - 1, page });
  if (target === undefined) return undefined;
  return selectedAt(state, target, height);
}

/** Scrolls no more than it must. */
export function selectedAt(state: ListState, target: number, height: number): ListState {
  const selected = Math.max(Math.min(target, state.rows.length - 1), Math.min(0, state.rows.length - 1));
  const { lines, blockOf } = outline(state.rows);
  return { ...state, selected, top: windowTop(state.top, blockOf(selected), { lines, height }) };
}

interface Stand {
  readonly selected: number;
  readonly last: number;
  readonly page: number;
}

const up = ({ selected, last }: Stand) => (selected <= 0 ? last : selected - 1);
const down = ({ selected, last }: Stand) => (selected >= last ? 0 : selected + 1);
const TARGETS: ReadonlyMap<string, (stand: Stand) => number> = new Map([
  ["up", up],
  ["ctrl+p", up],
  ["down", down],
  ["ctrl+n", down],
  ["pageup", ({ selected, page }) => Math.max(0, selected - page)],
  ["pagedown", ({ selected, page, last }) => Math.min(last, selected + page)],
  ["home", () => 0],
  ["end", ({ last }) => last],
]);

/** A row with the heading above it and the line below it. */
interface Block {
  readonly first: number;
  /** The line of the row itself. */
  readonly row: number;
  readonly height: number;
}

interface Outline {
  readonly lines: number;
  readonly blockOf: (row: number) => Block;
}

const headsGroup = (rows: readonly ListRow[], at: number): boolean =>
  rows[at]?.group !== undefined && rows[at].group !== rows[at - 1]?.group;
const rowHeight = (rows: readonly ListRow[], at: number): number =>
  1 + (headsGroup(rows, at) ? 1 : 0) + (rows[at]?.below ? 1 : 0);

function outline(rows: readonly ListRow[]): Outline {
  const firsts: number[] = [];
  let lines = 0;
  for (let at = 0; at < rows.length; at++) {
    firsts.push(lines);
    lines += rowHeight(rows, at);
  }
  return {
    lines,
    blockOf(at) {
      const first = firsts[at] ?? 0;
      return { first, row: first + (headsGroup(rows, at) ? 1 : 0), height: at < 0 ? 1 : rowHeight(rows, at) };
    },
  };
}

/** Where the window begins so that the block is in it. */
function windowTop(top: number, { first, row, height: size }: Block, room: { lines: number; height: number }): number {
  const within = Math.min(Math.max(top, first + size - room.height), first);
  const withRow = Math.max(within, row - room.height + 1);
  return Math.max(0, Math.min(withRow, room.lines - room.height));
}

interface Window {
  readonly top: number;
  readonly height: number;
  readonly hasCount: boolean;
}

function windowOf({ rows, selected, top, total = rows.length }: ListState, { height, showsCount }: WindowRoom): Window {
  const { lines, blockOf } = outline(rows);
  const hasCount = showsCount === true && height > 2 && (lines > height || total > rows.length);
  const left = hasCount ? height - 1 : height;
  return { top: windowTop(top, blockOf(selected), { lines, height: left }), height: left, hasCount };
}

type WindowRoom = Pick<ListRoom, "height" | "showsCount">;

/** At most `height` lines; fewer when there are not so many. */
export function listLines(state: ListState, room: ListRoom): readonly Line[] {
  const { rows, selected, total = rows.length } = state;
  const window = windowOf(state, room);
  const shown = visible(state, window);
  const labelCells = labelColumn(
    shown.flatMap(({ row, part }) => (part === "row" ? [row] : [])),
    room,
  );
  const drawn = shown.map(({ row, part, isSelected }) => {
    if (part === "heading") return headingLine(row, room);
    return part === "row" ? rowLine(row, { ...room, labelCells, isSelected }) : belowLine(row, room);
  });
  if (!window.hasCount) return drawn;
  const count = `${selected + 1} of ${total.toLocaleString("en")}`;
  return [...drawn, sides([{ tone: "fg", text: "" }], [{ tone: "muted", text: `${count} ` }], room)];
}

interface Shown {
  readonly row: ListRow;
  readonly part: "heading" | "row" | "below";
  readonly isSelected: boolean;
}

/** Walks only as far as the window reaches. */
function visible({ rows, selected }: ListState, { top, height }: { top: number; height: number }): readonly Shown[] {
  const found: Shown[] = [];
  let line = 0;
  for (let at = 0; at < rows.length && line < top + height; at++) {
    const row = rows[at];
    if (!row) break;
    const parts: Shown["part"][] = [...(headsGroup(rows, at) ? (["heading"] as const) : []), "row"];
    if (row.below) parts.push("below");
    for (const part of parts) {
      if (line >= top && line < top + height) found.push({ row, part, isSelected: at === selected });
      line++;
    }
  }
  return found;
}

/** Which row is at this line of what was drawn. */
export function rowAt(state: ListState, y: number, room: WindowRoom): number | undefined {
  const found = visible(state, windowOf(state, room))[y];
  return found?.part === "heading" || !found ? undefined : state.rows.indexOf(found.row);
}
