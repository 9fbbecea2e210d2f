/** Narrowing for JSON that a server sent: every reading is checked, nothing is assumed to be there. */

export type Foreign = Readonly<Record<string, unknown>>;

const NOTHING: Foreign = {};

/** The value as an object to read from; an empty one when it is none. */
export const fields = (value: unknown): Foreign => (isObject(value) ? value : NOTHING);

export const isObject = (value: unknown): value is Foreign =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** A count as the API reports them; null, absent and nonsense are all "not said". */
export const countOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

const MAX_LEVELS = 256;

/** Whether every walk over this JSON value stays far from the end of the stack. */
export function isShallow(value: unknown, levels: number = MAX_LEVELS): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1));
}
