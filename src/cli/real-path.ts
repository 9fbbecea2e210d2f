/** The evaluator's one question to the file system. */
import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { errorCode } from "../shared/index.ts";

/** Where a path lies with links followed; a new file lies where its deepest existing folder does. Undefined: unknown. */
export function resolveRealPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") return undefined;
    const parent = dirname(path) === path ? undefined : resolveRealPath(dirname(path));
    return parent === undefined ? undefined : join(parent, basename(path));
  }
}
