/**
 * The search in the transcript: over what items say, folded or not, and not over rows. It jumps to the nearest match at once
 * and counts the others in slices. What still streams is marked where it is seen, and counted when it is settled.
 */
import type { Line } from "../../line.ts";
import type { Column, Spot } from "./column.ts";
import type { Changes } from "./contents.ts";
import { createSearchIndex, type SearchIndex } from "./search-index.ts";
import { markMatches, matchFinder, shownAs } from "./search-marks.ts";
import { type Pattern, patternOf } from "./search-pattern.ts";
import type { Viewport } from "./viewport.ts";
import type { VisibleRow } from "./walk.ts";

export interface SearchStatus {
  readonly query: string;
  /** Of the current match, from 1; undefined while it is not known, or there is none. */
  readonly at: number | undefined;
  /** So far, as long as it is not complete. */
  readonly total: number;
  readonly isComplete: boolean;
  /** Not all of it was there to be searched. */
  readonly isPart?: true;
}

export interface Search {
  /** Jumps to the newest match at or above the end of what is seen, else to the first below. Empty: nothing is searched for. */
  find(query: string): void;
  /** To the next match towards the end, or with -1 towards the beginning; around at the ends. */
  move(by: 1 | -1): void;
  /** Goes on counting, for at most a few milliseconds. True: it read something; draw, and call it again when there is time. */
  readOn(): boolean;
  /** Undefined: nothing is searched for. */
  status(): SearchStatus | undefined;
  clear(): void;
}

/** For the transcript, which owns it. */
export interface OwnedSearch extends Search {
  updated(changes: Changes): void;
  mark(row: VisibleRow, line: Line): Line;
}

interface SearchParts {
  readonly column: Column;
  readonly viewport: Viewport;
  /** Unfolds what stands in a slot. */
  readonly unfold: (slot: number) => void;
}

/** In one slice: one or two milliseconds. */
const SLICE_CHARS = 256 * 1024;

export function createSearch(parts: SearchParts): OwnedSearch {
  let run: SearchRun | undefined;
  /** Where the user was when the search began; typing on searches from there again. */
  let origin: number | undefined;
  return {
    find(query) {
      const pattern = patternOf(query);
      origin ??= parts.viewport.visible().at(-1)?.slot ?? 0;
      run = pattern && createRun(parts, pattern, origin);
      run?.readOn();
    },
    move(by) {
      run?.move(by);
      origin = run?.slot() ?? origin;
    },
    readOn: () => run?.readOn() ?? false,
    status: () => run?.status(),
    clear() {
      run = undefined;
      origin = undefined;
    },
    updated(changes) {
      if (changes.isOther) [run, origin] = [undefined, undefined];
      if (origin !== undefined) origin = Math.max(0, origin - changes.givenUp.length);
      run?.updated(changes);
    },
    mark: (row, line) => run?.mark(row, line) ?? line,
  };
}

type SearchRun = ReturnType<typeof createRun>;

/** A match by its item, and which of the item's matches it is. */
interface Match {
  readonly slot: number;
  readonly nth: number;
}

/** A match that is looked for: in the slots behind `from`, and then elsewhere. */
interface Seek {
  readonly from: number;
  readonly by: 1 | -1;
  readonly orElse?: Seek;
}

function createRun({ column, viewport, unfold }: SearchParts, pattern: Pattern, origin: number) {
  const { items } = column.contents;
  const index = createSearchIndex(items, pattern, origin);
  const measure = () => column.view().measure;
  const matchesIn = matchFinder(pattern, measure);
  let current: (Match & Located) | undefined;
  let seek: Seek | undefined = { from: origin + 1, by: -1, orElse: { from: origin, by: 1 } };

  function show(match: Match): void {
    unfold(match.slot);
    const at = located(column, pattern, match);
    current = { ...match, ...at };
    const found = matchesIn(column.lines(at.spot));
    const row = found.rowOf(shownAs(at.nthInSource, at.inSource, found.count) ?? 0);
    const isSeen = viewport.visible().some((seen) => isSameSpot(seen, at.spot) && seen.row === row);
    if (!isSeen) viewport.show({ ...at.spot, row }, Math.floor(viewport.height() / 3));
  }
  function settle(): void {
    const found = sought(index, seek);
    if (found === "later") return;
    seek = undefined;
    if (found) show(found);
  }

  return {
    slot: () => current?.slot,
    move(by: 1 | -1): void {
      if (!current) return;
      const nth = current.nth + by;
      if (nth >= 0 && nth < index.count(current.slot)) show({ slot: current.slot, nth });
      else seek = { from: current.slot, by, orElse: { from: by === 1 ? -1 : items.length, by } };
      settle();
    },
    readOn(): boolean {
      const isNew = index.read(SLICE_CHARS);
      settle();
      return isNew;
    },
    status(): SearchStatus {
      const before = current && index.before(current.slot);
      const at = current && before !== undefined ? before + current.nth + 1 : undefined;
      const found = { query: pattern.query, at, total: index.total(), isComplete: index.isComplete() };
      return column.contents.isPart() ? { ...found, isPart: true } : found;
    },
    updated({ givenUp, replaced, from }: Changes): void {
      index.shift(givenUp.length);
      current = current && movedUp(current, givenUp.length);
      seek = seek && seekMovedUp(seek, givenUp.length);
      for (const { slot } of replaced) index.refresh(slot);
      index.grown(from);
      const { slot = -1, nth = 0 } = current ?? {};
      if (!current || !replaced.some((change) => change.slot === slot)) return;
      const count = index.count(slot);
      const match = { slot, nth: Math.min(nth, count - 1) };
      current = count > 0 ? { ...match, ...located(column, pattern, match) } : undefined;
    },
    mark(row: VisibleRow, line: Line): Line {
      const found = matchesIn(column.lines(row));
      const here = current && isSameSpot(current.spot, row) ? current : undefined;
      const shown = here && shownAs(here.nthInSource, here.inSource, found.count);
      return markMatches(line, found.inRow(row.row), { measure: measure(), current: shown });
    },
  };
}

/** Undefined: there is none. Later: too little was read to tell. */
function sought(index: SearchIndex, seek: Seek | undefined): Match | undefined | "later" {
  if (!seek) return undefined;
  const { from, by, orElse } = seek;
  const slot = index.next(from, by);
  if (slot !== undefined) return { slot, nth: by === 1 ? 0 : index.count(slot) - 1 };
  return index.isKnown(from, by) ? sought(index, orElse) : "later";
}

/** Where a match stands: in which section of its item, and which of the section's matches in the source it is. */
interface Located {
  readonly spot: Spot;
  readonly nthInSource: number;
  readonly inSource: number;
}

function located(column: Column, pattern: Pattern, { slot, nth }: Match): Located {
  const last = column.sections(slot) - 1;
  let left = nth;
  for (let section = 0; ; section++) {
    const spot = { slot, section };
    const inSource = pattern.count(column.source(spot));
    if (left < inSource || section >= last) return { spot, nthInSource: left, inSource };
    left -= inSource;
  }
}

/** Undefined: it is held no more. */
function movedUp(current: Match & Located, by: number): (Match & Located) | undefined {
  if (by === 0) return current;
  const slot = current.slot - by;
  return slot < 0 ? undefined : { ...current, slot, spot: { ...current.spot, slot } };
}

const seekMovedUp = ({ from, by, orElse }: Seek, slots: number): Seek => ({
  from: Math.max(-1, from - slots),
  by,
  ...(orElse && { orElse: seekMovedUp(orElse, slots) }),
});

const isSameSpot = (a: Spot, b: Spot): boolean => a.slot === b.slot && a.section === b.section;
