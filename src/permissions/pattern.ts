/** The one pattern language of rules: `*` is any run of characters, everything else stands for itself. Linear, never backtracks far. */

/** No star means equal. */
export function matchesWildcard(pattern: string, text: string): boolean {
  let at = 0;
  let from = 0;
  let star = -1;
  let retry = 0;
  while (at < text.length) {
    if (pattern[from] === "*") {
      star = from++;
      retry = at;
    } else if (from < pattern.length && pattern[from] === text[at]) {
      from++;
      at++;
    } else if (star >= 0) {
      from = star + 1;
      at = ++retry;
    } else return false;
  }
  while (pattern[from] === "*") from++;
  return from === pattern.length;
}

/** For command text: a trailing ` *` also matches nothing, so that `git push *` covers `git push`. */
export const matchesCommand = (pattern: string, text: string): boolean =>
  matchesWildcard(pattern, text) || (pattern.endsWith(" *") && matchesWildcard(pattern.slice(0, -2), text));

export const isExact = (pattern: string): boolean => !pattern.includes("*");

/**
 * May the shell's wildcard path stand for this one? Segment by segment; `[…]` and `?` count as "some character", so that
 * the answer errs towards yes.
 */
export function mayMatchPath(wildcard: string, path: string): boolean {
  const left = wildcard.split("/");
  const right = path.split("/");
  return left.length === right.length && left.every((segment, index) => mayMatchSegment(segment, right[index] ?? ""));
}

function mayMatchSegment(wildcard: string, segment: string): boolean {
  if (!/[*?[]/.test(wildcard)) return wildcard === segment;
  if (segment.startsWith(".") && !wildcard.startsWith(".") && !wildcard.startsWith("[")) return false;
  return matchesWildcard(wildcard.replace(/\[[^\]]*\]?|\?|[@+!]?\([^)]*\)/g, "*"), segment);
}
