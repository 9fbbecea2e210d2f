/** Replaces a private file in one step, so that a reader finds the old content or the new one and never a part. */
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolderAside } from "./folder.ts";
import { PRIVATE_FILE } from "./paths.ts";

/** Brings the content onto the disk before it gets its name, and then the name. Rejects with the system's error. */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  const draft = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    const file = await open(draft, "wx", PRIVATE_FILE);
    try {
      await file.writeFile(content);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
    await syncFolderAside(dirname(path));
  } catch (cause) {
    await rm(draft, { force: true });
    throw cause;
  }
}

/** For a few bytes that can be made again: at once, and without waiting for the disk. Throws the system's error. */
export function replaceSmallFile(path: string, content: string): void {
  const draft = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    writeFileSync(draft, content, { flag: "wx", mode: PRIVATE_FILE });
    renameSync(draft, path);
  } catch (cause) {
    rmSync(draft, { force: true });
    throw cause;
  }
}
