/** Where a session that is gone on with works: in the folder where it began, unless that is gone and another one is named. */
import { statSync } from "node:fs";
import type { SessionHandle } from "../session/index.ts";
import { EXIT, UserError } from "../shared/index.ts";
import type { Places } from "./settings.ts";

export interface SessionFolder {
  readonly cwd: string;
  /** When it is another one than it was. */
  readonly notices: readonly string[];
}

/** Throws UserError when its folder is gone and nobody says where else it may work: any other one would be a guess. */
export function sessionFolder(session: SessionHandle | undefined, { cwd, isNamed }: Places): SessionFolder {
  const before = session?.state().meta.workingDirectory;
  if (session === undefined || before === undefined || isFolder(before)) return { cwd: before ?? cwd, notices: [] };
  if (isNamed) return { cwd, notices: [`This session's folder ${before} is gone: it goes on in ${cwd}.`] };
  throw new UserError(
    `the folder ${before} of session ${session.id} is gone. Make it again, or name the one to go on in: ` +
      `khaelor -C FOLDER --resume ${session.id}. "khaelor sessions show ${session.id}" shows what is in it.`,
    EXIT.usage,
  );
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return true; // it is there; what is wrong with it is told where it is entered
  }
}
