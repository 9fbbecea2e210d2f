/** A new file's name is safe only when its folder is. Some file systems cannot be asked for that: there it is as safe as it gets. */
import { closeSync, fsyncSync, openSync } from "node:fs";
import { open } from "node:fs/promises";
import { errorCode } from "../../shared/index.ts";

/** What network and user-space file systems answer when a folder is to be flushed; a disk that fails says EIO. */
const CANNOT = new Set(["EINVAL", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EBADF", "EISDIR"]);

const unlessImpossible = (cause: unknown): undefined => {
  if (CANNOT.has(errorCode(cause) ?? "")) return undefined;
  throw cause;
};

/** Throws the system's error. */
export function syncFolder(path: string): void {
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } catch (cause) {
    unlessImpossible(cause);
  } finally {
    closeSync(fd);
  }
}

/** The same beside other work. */
export async function syncFolderAside(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync().catch(unlessImpossible);
  } finally {
    await folder.close();
  }
}
