/** Small files of the user's own that may be lost with the machine, but are never half written, and that nobody else reads. */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Undefined where there is none, it cannot be read, or it is larger than what is ever written there. */
export function readOwnFile(path: string, maxBytes: number): string | undefined {
  try {
    const stat = statSync(path);
    return stat.isFile() && stat.size <= maxBytes ? readFileSync(path, "utf8") : undefined;
  } catch {
    return undefined; // what nobody could read is begun anew
  }
}

/** In one step, in a folder of mode 0700 that is made when it is missing. Throws the system's error, and leaves nothing behind. */
export function replaceOwnFile(path: string, content: string | Uint8Array): void {
  const draft = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  rmSync(draft, { force: true }); // of a run that was killed and had the same number
  try {
    writeFileSync(draft, content, { mode: 0o600, flag: "wx" });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
