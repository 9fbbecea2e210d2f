/** Which project a folder belongs to. A repository that another user has put there is nobody's: its owner would choose our instructions. */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { type FirstBytes, findGitRoot } from "../repository/index.ts";
import { err, errorCode, ok } from "../shared/index.ts";
import { createLocalWorkspace } from "../workspace/index.ts";
import type { Environment } from "./settings.ts";

/** Of an existing folder, as typed. Throws UserError when there is none. */
export const projectRootOf = (cwd: string, env: Environment): Promise<string> =>
  projectRootAt(createLocalWorkspace({ cwd, env, watchdog: false }).cwd());

/** Of an absolute, real path, which need not be there. */
export const projectRootAt = async (path: string): Promise<string> => (await gitRootAt(path)) ?? path;

/** Undefined outside any repository. */
export const gitRootAt = (path: string): Promise<string | undefined> =>
  findGitRoot({ cwd: () => path, readFile: firstBytes });

/** At once, for a start asks this of every folder upwards, and each answer of the workspace costs trips through the thread pool. */
const firstBytes: FirstBytes["readFile"] = (path, { maxBytes }) => Promise.resolve(bytesOf(path, maxBytes));

function bytesOf(path: string, maxBytes: number): Awaited<ReturnType<FirstBytes["readFile"]>> {
  try {
    const stat = statSync(path);
    if (isForeign(stat.uid)) return err({ kind: "foreign" });
    if (stat.isDirectory()) return err({ kind: "is-directory" });
    return stat.isFile() ? ok({ bytes: beginning(path, maxBytes) }) : err({ kind: "not-regular" });
  } catch (error) {
    return err({ kind: errorCode(error) ?? "io" });
  }
}

function beginning(path: string, maxBytes: number): Uint8Array {
  const bytes = new Uint8Array(maxBytes);
  if (maxBytes === 0) return bytes;
  const fd = openSync(path, "r");
  try {
    return bytes.subarray(0, readSync(fd, bytes));
  } finally {
    closeSync(fd);
  }
}

/** As git itself: one's own or root's. To root everything is open, and in containers a checkout mostly belongs to somebody else. */
function isForeign(uid: number): boolean {
  const own = process.geteuid?.() ?? 0;
  return own !== 0 && uid !== 0 && uid !== own;
}
