/** Temporary folders and a git that obeys no configuration but its own, for tests that need a real repository. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createLocalWorkspace, type LocalWorkspace } from "../../src/workspace/index.ts";

export interface Workshop {
  readonly folder: string;
  readonly write: (name: string, text: string, mode?: number) => string;
  readonly git: (...args: readonly string[]) => string;
  readonly workspaceAt: (folder?: string) => LocalWorkspace;
  readonly remove: () => void;
}

export function openWorkshop(): Workshop {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "khaelor-repository-")));
  const write = (name: string, text: string, mode = 0o644) => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode });
    return path;
  };
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.org", ...args], {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: "1", GIT_ALLOW_PROTOCOL: "file" },
    });
  return {
    folder,
    write,
    git,
    workspaceAt: (at = folder) =>
      createLocalWorkspace({ cwd: at, env: { PATH: process.env.PATH, HOME: folder }, watchdog: false }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
