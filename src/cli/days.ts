/** Days as a command takes them: `--days N`. */
import { EXIT, UserError } from "../shared/index.ts";

export const DAY_MS = 24 * 60 * 60 * 1000;

/** Throws UserError. */
export function dayCount(typed: string): number {
  if (/^\d{1,5}$/.test(typed)) return Number(typed);
  throw new UserError(`--days must be a whole number of days, not "${typed}".`, EXIT.usage);
}
