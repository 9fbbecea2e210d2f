/** How often and how lately files were picked, in one number each that halves with time. Pure. */

export interface Access {
  /** As it was at `at`. */
  readonly score: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

export type Accesses = ReadonlyMap<string, Access>;

const HALF_LIFE_MS = 7 * 24 * 60 * 60 * 1000;
const MAX_ENTRIES = 1_000;

/** A clock that was set back makes nothing fresher than it is. */
export const weightOf = ({ score, at }: Access, now: number): number =>
  score * 2 ** -(Math.max(0, now - at) / HALF_LIFE_MS);

/** With this access counted; of too many the ones that weigh least are forgotten. */
export function accessed(accesses: Accesses, path: string, now: number): Accesses {
  const before = accesses.get(path);
  const next = new Map(accesses).set(path, { score: (before ? weightOf(before, now) : 0) + 1, at: now });
  if (next.size <= MAX_ENTRIES) return next;
  const heaviest = [...next].sort(([, a], [, b]) => weightOf(b, now) - weightOf(a, now));
  return new Map(heaviest.slice(0, MAX_ENTRIES));
}
