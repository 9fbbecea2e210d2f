/** Keeps the ids of a log in the order of its lines, also when the clock jumped back since the last line was written. */
import { isUlid } from "../shared/index.ts";

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** `fresh` when it sorts after `last`, else the id right after `last`. An id of a foreign form is left alone. */
export function idAfter(last: string | undefined, fresh: string): string {
  if (last === undefined || fresh > last || !isUlid(last)) return fresh;
  return successor(last);
}

function successor(id: string): string {
  let end = id.length - 1;
  while (end > 0 && id[end] === "Z") end--;
  const digit = DIGITS.indexOf(id[end] ?? "0");
  return id.slice(0, end) + (DIGITS[digit + 1] ?? "Z") + "0".repeat(id.length - 1 - end);
}
