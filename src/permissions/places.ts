/** Sets of places: folders with all below them, and single files. A plain path is looked up; one with wildcards is tried against each. */
import { mayMatchPath } from "./pattern.ts";

export interface Places {
  readonly folders: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
}

export const places = (folders: readonly string[], files: readonly string[] = []): Places => ({
  folders: new Set(folders),
  files: new Set(files),
});

const LIVE = /[*?[]/;

/** May this path be, or lie in, one of the places? Errs towards yes for wildcards. */
export function touches(path: string, { folders, files }: Places): boolean {
  if (LIVE.test(path)) return mayTouch(path, { folders, files });
  if (files.has(path)) return true;
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
    if (folders.has(path.slice(0, end))) return true;
  }
  return folders.has("/");
}

function mayTouch(path: string, { folders, files }: Places): boolean {
  for (const file of files) if (mayMatchPath(path, file)) return true;
  const segments = path.split("/");
  for (const folder of folders) {
    const depth = folder.split("/").length;
    if (segments.length >= depth && mayMatchPath(segments.slice(0, depth).join("/"), folder)) return true;
  }
  return false;
}

/** The path and, where its last segments are only stars (`.*` too: all that is hidden), the folders that they empty. */
export function emptiedBy(path: string): readonly string[] {
  const all = [path];
  let at = path;
  while (/\/\.?\*+$/.test(at)) {
    at = at.replace(/\/\.?\*+$/, "") || "/";
    all.push(at);
  }
  return all;
}
