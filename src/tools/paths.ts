/** Paths as a model writes them. One function decides what they mean, for the evaluator and for the tool alike. */

/**
 * The absolute path that is meant. `~` and `~/…` are the user's home; nothing else is expanded. `..` stays, because what it
 * leads to depends on links.
 */
export function resolveToolPath(input: string, cwd: string, home: string): string {
  const absolute = input === "~" || input.startsWith("~/") ? `${home}${input.slice(1)}` : fromFolder(input, cwd);
  return `/${absolute
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/")}`;
}

const fromFolder = (path: string, cwd: string): string => (path.startsWith("/") ? path : `${cwd}/${path}`);

/** Relative to the working directory when it lies inside. */
export const displayPath = (path: string, cwd: string): string =>
  path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;

const MAX_NEAR = 5;

/** The names that a mistyped one may have meant, nearest first. */
export function nearNames(name: string, entries: readonly string[]): readonly string[] {
  const wanted = plain(name);
  return entries
    .map((entry) => ({ entry, score: nearness(wanted, plain(entry)) }))
    .filter(({ score }) => score >= 0.5)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_NEAR)
    .map(({ entry }) => entry);
}

/** Forgives case, the kind of blank, and how accents are composed. */
const plain = (name: string): string => name.normalize("NFC").toLowerCase().replace(/\s/gu, " ").replace(/\/$/, "");

function nearness(wanted: string, name: string): number {
  if (wanted === name) return 1;
  const [stem = "", other = ""] = [wanted, name].map((text) => text.replace(/\.[^.]*$/, ""));
  return stem !== "" && stem === other ? 0.9 : similarity(wanted, name);
}

/** How much of two texts' letter pairs they share, from 0 to 1. */
export function similarity(a: string, b: string): number {
  const pairs = new Map<string, number>();
  for (let at = 0; at < a.length - 1; at++) {
    const pair = a.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  let shared = 0;
  for (let at = 0; at < b.length - 1; at++) {
    const pair = b.slice(at, at + 2);
    const left = pairs.get(pair) ?? 0;
    if (left === 0) continue;
    pairs.set(pair, left - 1);
    shared++;
  }
  const all = a.length + b.length - 2;
  return all > 0 ? (2 * shared) / all : 0;
}
