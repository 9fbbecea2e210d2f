/**
 * Where a path leads. Paths are followed as the kernel follows them: a link before `..` counts, so nothing here may
 * normalise text (node:path's `resolve` and the plain `realpathSync` do).
 */
import { opendir, readlink, realpath } from "node:fs/promises";
import { errorCode } from "../shared/index.ts";

const MAX_LINKS = 40;
const MAX_ENTRIES = 2000;

export const absolutePath = (path: string, cwd: string): string => (path.startsWith("/") ? path : `${cwd}/${path}`);

export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/")) || "/";

/** The real path that writing to `path` reaches: of the file if there is one, else below its deepest existing folder. */
export async function realTarget(path: string, links = 0): Promise<string> {
  const found = await unlessMissing(realpath(path));
  if (found !== undefined) return found;
  const trimmed = path.replace(/\/+$/, "");
  const [folder, name] = [parentOf(trimmed), trimmed.slice(trimmed.lastIndexOf("/") + 1)];
  const link = links < MAX_LINKS ? await unlessMissing(readlink(trimmed)) : undefined;
  if (link !== undefined) return realTarget(absolutePath(link, folder), links + 1);
  if (name === "" || name === "." || name === "..")
    throw Object.assign(new Error("no such folder"), { code: "ENOENT" });
  const parent = await realTarget(folder, links);
  return parent === "/" ? `/${name}` : `${parent}/${name}`;
}

/** EINVAL is readlink's word for "not a link". */
async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (["ENOENT", "EINVAL"].includes(errorCode(error) ?? "")) return undefined;
    throw error;
  }
}

/** The deepest folder of a path that exists, with the names in it: folders end in a slash, at most 2000, sorted. */
export async function listNearest(path: string): Promise<{ folder: string; entries: readonly string[] }> {
  let folder = path;
  while (folder !== "/") {
    const entries = await entriesOf(folder);
    if (entries) return { folder, entries };
    folder = parentOf(folder);
  }
  return { folder, entries: (await entriesOf(folder)) ?? [] };
}

/** Undefined when it cannot be listed: this only serves a hint in an error message. */
async function entriesOf(folder: string): Promise<readonly string[] | undefined> {
  const names: string[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      names.push(entry.isDirectory() ? `${entry.name}/` : entry.name);
      if (names.length >= MAX_ENTRIES) break;
    }
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
  return names.sort();
}
