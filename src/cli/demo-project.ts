/** Lays the demo's small project out in a scratch folder, under git where there is one. */
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { EXIT, errorMessage, UserError, withCause } from "../shared/index.ts";
import { demoProject } from "../simulator/index.ts";
import type { LocalWorkspace } from "../workspace/index.ts";

const PREFIX = "khaelor-demo-";

export const isDemoFolder = (path: string): boolean => basename(path).startsWith(PREFIX);

/** A new folder with the project's files, absolute and real. Throws UserError where there is no place for one. */
export function layOutDemo(): string {
  const folder = scratchFolder();
  for (const [name, { content, executable }] of Object.entries(demoProject.files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { mode: executable ? 0o755 : 0o644 });
  }
  return folder;
}

function scratchFolder(): string {
  try {
    return realpathSync(mkdtempSync(join(tmpdir(), PREFIX)));
  } catch (cause) {
    const problem = `the demo needs a folder in ${tmpdir()}: ${errorMessage(cause)}. Set TMPDIR to one that can be written.`;
    throw withCause(new UserError(problem, EXIT.usage), cause);
  }
}

/** Without git the demo works all the same, only without a baseline. */
export async function commitDemo(workspace: LocalWorkspace): Promise<void> {
  const identity = "-c user.name=khaelor -c user.email=demo@khaelor.invalid -c commit.gpgsign=false";
  const command = `git init -q . && git add -A && git ${identity} commit -q -m "The project as it was found"`;
  await workspace.exec({ command, timeoutMs: 20_000 });
}
