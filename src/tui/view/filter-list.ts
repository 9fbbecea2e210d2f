/**
 * A list that takes the keys: with a line to type into that narrows it, over the whole screen or above the composer. Palettes
 * of commands, questions, help and the picker of sessions are this with other rows.
 */
import { createTextField } from "../input/text-field.ts";
import { type Key, keyName } from "../key.ts";
import type { Measure } from "../layout/width.ts";
import { type FilterDrawing, type FilterFrame, filterFrame, filterLines, MAX_ROWS_ABOVE } from "./filter-frame.ts";
import type { Area, Layer } from "./layer.ts";
import { type ListState, listOf, moved, rowAt, selectedAt, selectedRow } from "./list.ts";
import type { ListRow } from "./list-row.ts";

export interface FilterListParts {
  readonly name: string;
  readonly place: Layer["place"];
  readonly title: string;
  readonly measure: () => Measure;
  /** For what is typed, after each key; must be quick. */
  readonly rowsFor: (text: string) => ListState;
  /** False: nothing is typed, and there is no line for it. */
  readonly isFiltered: boolean;
  readonly placeholder?: string;
  /** What is typed at first. */
  readonly text?: string;
  /** What the keys do, at the end of a whole screen. */
  readonly hint: string;
  /** In place of a list without rows. */
  readonly none: () => string;
  readonly cutAt?: "start" | "end";
  readonly onChoose: (row: ListRow) => void;
  readonly onClose: () => void;
  readonly onChange: () => void;
  /** What is typed has changed; `rowsFor` is asked for it next. */
  readonly onText?: (text: string) => void;
}

export interface FilterList extends Layer {
  /** The rows are asked for again; the same one stays selected when it is still there. */
  refresh(): void;
}

/** What leaves a list although it is not its business: the shell, a fresh paint, the mouse. */
const PASSED: ReadonlySet<string> = new Set(["ctrl+z", "ctrl+l", "f12"]);
const CLOSING: ReadonlySet<string> = new Set(["escape", "ctrl+c"]);
const CHOOSING: ReadonlySet<string> = new Set(["enter", "tab"]);

export function createFilterList(parts: FilterListParts): FilterList {
  const field = createTextField({ initial: parts.text ?? "", placeholder: parts.placeholder ?? "" });
  const holder: Holder = {
    state: parts.rowsFor(field.text()),
    listHeight: MAX_ROWS_ABOVE,
    listTop: 0,
  };
  const frame = (area: Area): FilterFrame => filterFrame({ ...parts, area });
  const drawing = (area: Area): FilterDrawing => ({
    wish: { ...parts, area },
    words: { ...parts, none: parts.none() },
    state: holder.state,
    field,
    measure: parts.measure(),
  });
  function typed(use: () => void): void {
    if (!parts.isFiltered) return;
    const before = field.text();
    use();
    if (field.text() !== before) {
      parts.onText?.(field.text());
      holder.state = parts.rowsFor(field.text());
    }
    parts.onChange();
  }
  return {
    name: parts.name,
    place: parts.place,
    rows(area) {
      const { listHeight, listTop } = frame(area);
      Object.assign(holder, { listHeight, listTop });
      return filterLines(drawing(area));
    },
    cursor(area) {
      const { field: place } = frame(area);
      return place && { x: place.x + field.line(place.width, parts.measure()).cursor, y: place.y };
    },
    key: (key) => keyed(key, { parts, holder, type: () => typed(() => field.key(key)) }),
    paste(text) {
      typed(() => field.paste(text));
      return true;
    },
    ...pointing(parts, holder),
    refresh() {
      const chosen = selectedRow(holder.state)?.value;
      const next = parts.rowsFor(field.text());
      const same = next.rows.findIndex(({ value }) => value === chosen);
      holder.state = same === -1 ? next : selectedAt(next, same, holder.listHeight);
      parts.onChange();
    },
  };
}

/** What changes while the list is there. */
interface Holder {
  state: ListState;
  /** As it was drawn last. */
  listHeight: number;
  listTop: number;
}

interface Keyed {
  readonly parts: FilterListParts;
  readonly holder: Holder;
  readonly type: () => void;
}

/** Everything is consumed: what is typed here is meant for nobody else. */
function keyed(key: Key, { parts, holder, type }: Keyed): boolean {
  const name = keyName(key);
  if (PASSED.has(name)) return false;
  const next = moved(holder.state, name, holder.listHeight);
  if (CLOSING.has(name)) parts.onClose();
  else if (CHOOSING.has(name)) choose(parts, holder);
  else if (!next) type();
  else {
    holder.state = next;
    parts.onChange();
  }
  return true;
}

function choose({ onChoose }: FilterListParts, { state }: Holder): void {
  const row = selectedRow(state);
  if (row && !row.isDim) onChoose(row);
}

function pointing(parts: FilterListParts, holder: Holder): Required<Pick<Layer, "click" | "wheel">> {
  return {
    click(_x, y) {
      const row = rowAt(holder.state, y - holder.listTop, {
        height: holder.listHeight,
        showsCount: parts.place === "above",
      });
      if (row === undefined) return true;
      holder.state = { ...holder.state, selected: row };
      choose(parts, holder);
      return true;
    },
    wheel(rows) {
      holder.state = selectedAt(holder.state, holder.state.selected + rows, holder.listHeight);
      parts.onChange();
      return true;
    },
  };
}

/** Rows that are the same whatever is typed. */
export const fixedRows = (rows: readonly ListRow[], current?: string): ListState =>
  listOf(rows, {
    selected: Math.max(
      0,
      rows.findIndex(({ value }) => value === current),
    ),
  });
