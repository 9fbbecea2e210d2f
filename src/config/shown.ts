/** How keys and values of a configuration are repeated in messages: short, on one line, and nothing that could be a secret. */
import type { Path } from "./check.ts";

export const keyText = (path: Path): string => path.map(shownStep).join(".");

const MAX_NAME_CHARS = 60;

function shownStep(step: string | number): string {
  const name = String(step);
  if (mayBeSecret(name.slice(0, MAX_NAME_CHARS))) return '"…"';
  if (/^[\w./:@+~-]+$/.test(name) && name.length <= MAX_NAME_CHARS) return name;
  return quoted(name.length <= MAX_NAME_CHARS ? name : `${name.slice(0, MAX_NAME_CHARS)}…`);
}

const MAX_VALUE_CHARS = 40;

/** Short values are shown: of the keys that exist none is secret. Something pasted into the wrong place may be, and a URL. */
export function described(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value !== "string") return typeof value === "object" ? kindOf(value) : String(value);
  if (value.length > MAX_VALUE_CHARS || value.includes("://") || mayBeSecret(value)) return kindOf(value);
  return quoted(value);
}

/** On one line, whatever is in it. */
const quoted = (text: string): string =>
  JSON.stringify(text).replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (one) => `\\u${(one.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );

/** Begins like a key, or is one long word of letters and digits, as no name of ours is. */
const mayBeSecret = (text: string): boolean => /\bsk-|(?=\w*\d)(?=\w*[A-Za-z])\w{20,}/.test(text);

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (value === null) return "null";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
