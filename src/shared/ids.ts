/** Identifiers: ULIDs, which sort by the time they were made. Ids made in one millisecond keep their order too. */
import { monotonicFactory } from "ulid";

export type NewId = () => string;

/** A source of ids whose order is the order of the calls, also when the clock stands still or jumps back. `random` is in [0, 1). */
export function idSource(now: () => number, random?: () => number): NewId {
  const next = monotonicFactory(random);
  let latest = 0;
  return () => {
    latest = Math.max(latest, now());
    return next(latest);
  };
}

const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/;
export const isUlid = (text: string): boolean => ULID.test(text);
