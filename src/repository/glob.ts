/**
 * Name patterns as people write them: `*.ts` is a name at any depth, `src/*.ts` is a path from where the search begins, `**`
 * stands for any folders, `{a,b}` for either, `!` in front for all others. A folder's pattern means the files below it.
 */
import { basename, matchesGlob } from "node:path";

export interface Glob {
  /** `path` is relative to where the search begins, without `./`. */
  readonly matches: (path: string) => boolean;
  /** A pattern that the name of every matching file fits, when there is a simple one: for a first, quick choice. */
  readonly name?: string;
}

export function compileGlob(pattern: string): Glob {
  if (pattern.startsWith("!")) {
    const { matches } = compileGlob(pattern.slice(1));
    return { matches: (path) => !matches(path) };
  }
  const isPath = pattern.includes("/");
  const text = pattern.replace(/^(?:\.?\/)+/, "").replace(/\/$/, "/**") || "**";
  const last = text.slice(text.lastIndexOf("/") + 1);
  return {
    matches: isPath ? (path) => matchesGlob(path, text) : (path) => matchesGlob(basename(path), text),
    ...(isSimple(last, text) && { name: last }),
  };
}

/** Its meaning is the same to every program; and no brace reaches over a slash. */
const isSimple = (last: string, whole: string): boolean =>
  last !== "" &&
  /^[\w.*-]*\{?[\w.*,-]*\}?$/.test(last) &&
  !last.includes("**") &&
  /^[^{}]*(?:\{[^{}/]*\}[^{}]*)*$/.test(whole);

export interface SplitGlob {
  /** The folder in front of the first wildcard, as written; empty when there is none. */
  readonly folder: string;
  /** What is left, from that folder on; it begins with `/` when it is a path from there. */
  readonly pattern: string;
}

/** Where a search for a path pattern has to begin: `src/lib/*.ts` needs no look outside `src/lib`. */
export function splitGlob(pattern: string): SplitGlob {
  const segments = pattern.split("/");
  const wild = segments.findIndex((segment) => /[*?[\]{}!\\]/.test(segment));
  const end = wild < 0 ? segments.length - 1 : wild;
  if (end === 0) return { folder: "", pattern };
  const folder = segments.slice(0, end).join("/");
  return { folder: folder === "" ? "/" : folder, pattern: `/${segments.slice(end).join("/")}` };
}
