/** Lists that have an end: what is left out of one is told in its place. */
import { bytePrefix } from "../../shared/index.ts";

/** More entries than this no list of a checkpoint has. */
export const MAX_ENTRIES = 200;

/** Which end of a list is dropped first: of what happened the oldest, of what is to be done the last. */
export type Dropped = "first" | "last";

export const gapText = (count: number): string => `[… ${count} more left out …]`;

const GAP = /^\[… (\d+) more left out …\]$/;
/** How many entries the text stands for; 0 when it is an entry itself. Of an earlier checkpoint a gap says nothing any more. */
export const gapCount = (text: string): number => Number(GAP.exec(text)?.[1] ?? 0);
export const isGap = (text: string): boolean => gapCount(text) > 0;

/** The list with at most `max` entries, one of which tells what is missing. */
export function limited<T>(
  list: readonly T[],
  {
    max = MAX_ENTRIES,
    drop,
    gap,
  }: { readonly max?: number; readonly drop: Dropped; readonly gap: (text: string) => T },
): readonly T[] {
  if (list.length <= max) return list;
  const note = gap(gapText(list.length - max + 1));
  return drop === "first" ? [note, ...list.slice(list.length - max + 1)] : [...list.slice(0, max - 1), note];
}

/** At most `bytes` of it, the cut marked. */
export function cutText(text: string, bytes: number): string {
  const kept = bytePrefix(text, bytes);
  return kept === text ? text : `${bytePrefix(text, Math.max(0, bytes - CUT_BYTES))}${CUT}`;
}
const CUT = " […]";
const CUT_BYTES = 6;

/** On one line. */
export const oneLine = (text: string, bytes: number): string => cutText(text.replace(/\s+/g, " ").trim(), bytes);
