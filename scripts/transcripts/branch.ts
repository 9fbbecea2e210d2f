/** A log that is a tree: which of its entries lead to its newest one. The rest was given up, and is counted. */
import type { Tally } from "./types.ts";

export interface Linked {
  readonly id: string;
  /** Null or absent at the root. */
  readonly parent?: string | undefined;
}

/**
 * The ids on the way from the last entry to the root. Where a parent is not in the file, the line before stands in for it,
 * for files are cut and written over.
 */
export function pathToNewest(entries: readonly Linked[], tally: Tally): ReadonlySet<string> {
  const place = new Map(entries.map(({ id }, at) => [id, at]));
  const path = new Set<string>();
  for (let at = entries.length - 1; at >= 0; ) {
    const entry = entries[at];
    if (!entry || path.has(entry.id)) break; // a ring would have no end
    path.add(entry.id);
    if (entry.parent === undefined) break;
    const above = place.get(entry.parent);
    if (above === undefined) tally.add("entries whose parent is not in the file, taken to follow the line before");
    at = above ?? at - 1;
  }
  return path;
}
