/** Naming sets of places: folders with all below, and single files, matched by paths that may hold wildcards. */
import { mayMatchPath } from "./pattern.ts";

export interface Places {
  /** The folder and all below it. */
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

/** May this path be, or lie in, one of the places? Errs towards yes for wildcards. */
export function touches(path: string, places: Places): boolean {
  const segments = path.split("/");
  const matches = (place: string): boolean => mayMatchPath(path, place);
  return (
    places.files.some(matches) ||
    places.folders.some((folder) => {
      const depth = folder.split("/").length;
      return segments.length >= depth && mayMatchPath(segments.slice(0, depth).join("/"), folder);
    })
  );
}

/** The path and, where its last segments are only stars, the folders that they empty. */
export function emptiedBy(path: string): readonly string[] {
  const all = [path];
  let at = path;
  while (/\/\*+$/.test(at)) {
    at = at.replace(/\/\*+$/, "") || "/";
    all.push(at);
  }
  return all;
}
