/** Keys for tests, written as the tables write them, and made as the screen makes them. */
import type { Key } from "../../../src/tui/key.ts";

/** `ctrl+w`, `left`, `space`, or a sign that types itself. */
export function key(word: string): Key {
  const parts = [...word].length > 1 ? word.split("+") : [word];
  const name = parts.at(-1) ?? word;
  const [ctrl, alt] = [parts.includes("ctrl"), parts.includes("alt")];
  const sign = name === "space" ? " " : name;
  const isTyped = [...sign].length === 1 && !ctrl && !alt;
  const shift = parts.includes("shift") || name !== name.toLowerCase();
  return { name: name.toLowerCase(), ctrl, alt, shift, ...(isTyped && { text: sign }) };
}
