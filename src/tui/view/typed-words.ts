/** What is typed to find something, as words: each must stand in it, in whatever order and case. Pure. */

export const wordsOf = (typed: string): readonly string[] =>
  typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");

export function holdsAll(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
}
