/** Whether two short texts say the same in other words: cautious, for what is taken for a repetition is lost. */

/** Most words in common, and the same names: paths, commands, numbers. */
export const isNearlySame = (one: string, other: string): boolean => haveSameWords(wordsOf(one), wordsOf(other));

function haveSameWords(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  if (a.size === 0 || b.size === 0) return a.size === b.size;
  const common = [...a].filter((word) => b.has(word)).length;
  if (common / (a.size + b.size - common) < MOSTLY) return false;
  return [...a, ...b].every((word) => !isName(word) || (a.has(word) && b.has(word)));
}

const MOSTLY = 0.6;

const isName = (word: string): boolean => /[\d/._\\-]/.test(word);

/** Quotes, brackets and the signs at the end of a clause are no part of a word. */
const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .toLowerCase()
      .split(/\s+/)
      .map((word) => word.replace(/^[`'"([{*]+|[`'")\]}*.,:;!?…]+$/g, ""))
      .filter((word) => /[\p{L}\p{N}]/u.test(word)),
  );

/** Those of `more` that none of `known`, and none before them, says already. */
export function unsaid(more: readonly string[], known: readonly string[] = []): readonly string[] {
  const said = known.map(wordsOf);
  return more.filter((text) => {
    const words = wordsOf(text);
    if (said.some((other) => haveSameWords(other, words))) return false;
    said.push(words);
    return true;
  });
}
