/** The folders that the user counts as part of the project, as they really lie; a slip is told, for it would silently ask or allow. */
import { statSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import type { KhaelorConfig } from "../config/index.ts";
import { EXIT, errorCode, UserError } from "../shared/index.ts";
import { resolveRealPath } from "./real-path.ts";

/** Throws UserError for what is no folder, and for one that holds the user's whole home: its secrets are no project's. */
export function addedFolders(
  { additionalDirectories }: Pick<KhaelorConfig, "additionalDirectories">,
  userHome: string,
): readonly string[] {
  const home = resolveRealPath(userHome) ?? userHome;
  return additionalDirectories.map((typed) => {
    const path = typed === "~" || typed.startsWith("~/") ? join(userHome, typed.slice(1)) : typed;
    if (!isAbsolute(path)) throw refusal(typed, "is not an absolute path");
    const real = resolveRealPath(path);
    if (real === undefined || !isFolder(real)) throw refusal(typed, "is no folder that can be entered");
    if (holds(real, home)) throw refusal(typed, "holds your whole home folder; name the folders that are meant");
    return real;
  });
}

const refusal = (folder: string, why: string): UserError =>
  new UserError(`additionalDirectories (--add-dir): ${folder} ${why}.`, EXIT.usage);

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}

function holds(folder: string, inner: string): boolean {
  const way = relative(folder, inner);
  return way === "" || !(way.startsWith("..") || isAbsolute(way));
}
