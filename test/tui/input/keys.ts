/** Keys for tests, written as the tables write them. */
import type { Key } from "../../../src/tui/key.ts";

/** `ctrl+w`, `left`, or a sign that types itself. */
export function key(word: string): Key {
  const parts = word.length > 1 ? word.split("+") : [word];
  const name = parts.at(-1) ?? word;
  const [ctrl, alt, shift] = [parts.includes("ctrl"), parts.includes("alt"), parts.includes("shift")];
  return { name, ctrl, alt, shift, ...([...name].length === 1 && !ctrl && !alt && { text: name }) };
}
