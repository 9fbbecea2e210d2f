/** Small pure functions over text and bytes. */

const encoder = new TextEncoder();

export const byteLength = (text: string): number => Buffer.byteLength(text, "utf8");
/** How many characters so many bytes take as base64. */
export const base64Length = (bytes: number): number => Math.ceil(bytes / 3) * 4;
export const toBytes = (text: string): Uint8Array => encoder.encode(text);

/** The text with each lone surrogate replaced: the API and UTF-8 know none. */
export const wellFormed = (text: string): string => (text.isWellFormed() ? text : text.toWellFormed());

/** The longest prefix of at most `limit` bytes that does not split a character. */
export function bytePrefix(text: string, limit: number): string {
  if (byteLength(text) <= limit) return text;
  const bytes = Buffer.from(text, "utf8");
  let end = limit;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end);
}

/** The longest suffix of at most `limit` bytes that does not split a character. */
export function byteSuffix(text: string, limit: number): string {
  const bytes = Buffer.from(text, "utf8");
  let start = Math.max(0, bytes.length - limit);
  while (start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return bytes.toString("utf8", start);
}

/** A guess of a text's tokens, for estimates that are labelled as such: about four bytes a token. */
export const estimateTokens = (text: string): number => Math.ceil(byteLength(text) / 4);

/** Whether both are the same JSON but for the order of their keys. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const [one, other] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  if (one.size !== other.size || Array.isArray(a) !== Array.isArray(b)) return false;
  return [...one].every(([key, value]) => other.has(key) && isSameJson(value, other.get(key)));
}

/** JSON with the keys of every object sorted, for comparing inputs. Never for anything that is sent. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** 940, 12.3K, 1M. */
export function tokensText(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_950) return `${Number((count / 1000).toFixed(1))}K`;
  return `${Number((count / 1_000_000).toFixed(2))}M`;
}
