/** The evaluator's questions to the file system: where a path really lies, and what kind of thing is there. Nothing is opened. */
import { readlinkSync, statSync } from "node:fs";
import { followLinks } from "../permissions/index.ts";
import { errorCode } from "../shared/index.ts";

/** What `readlink` says of a thing that is no link, and of one that is not there: then nothing is to be followed. */
const NO_LINK: ReadonlySet<string> = new Set(["EINVAL", "ENOENT", "ENOTDIR"]);

/** With every link followed, also one without a target. Undefined: the system does not let us look, or it goes in circles. */
export function resolveRealPath(path: string): string | undefined {
  try {
    return followLinks(path, readLink);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (NO_LINK.has(errorCode(error) ?? "")) return undefined;
    throw error;
  }
}

/** A pipe, a socket or a device: opening one can block for ever. */
export function isSpecialFile(path: string): boolean {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat !== undefined && !stat.isFile() && !stat.isDirectory();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false; // whatever it is, it cannot be opened either
  }
}
