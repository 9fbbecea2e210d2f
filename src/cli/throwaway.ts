/** The place of a session that is to leave nothing: a folder of its own in KHAELOR's, removed when the run has ended. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { storePaths, throwawayFolder } from "../session/index.ts";
import { EXIT, errorCode, errorMessage, StoreError, withCause } from "../shared/index.ts";
import type { Places } from "./settings.ts";
import { onSignals } from "./signals.ts";

export interface Throwaway {
  /** With the session's place in them. */
  readonly places: Places;
  /** Removes everything; called when the session is closed. */
  discard(): void;
}

/** Throws StoreError. A process that is killed leaves the folder behind; `khaelor sessions prune` finds it. */
export function createThrowaway(places: Places): Throwaway {
  const sessionHome = makeFolder(throwawayFolder(places.home));
  const remove = () => {
    for (const path of spilled(places.home, sessionHome)) rmSync(path, { force: true });
    rmSync(sessionHome, { recursive: true, force: true });
  };
  // A run that has begun heeds signals itself, and ends in order; before that, nobody does.
  const release = onSignals((name) => {
    if (process.listenerCount(name) > 1) return;
    remove();
    process.exit(name === "SIGINT" ? EXIT.interrupted : EXIT.terminated);
  });
  return {
    places: { ...places, sessionHome },
    discard() {
      release();
      remove();
    },
  };
}

function makeFolder(parent: string): string {
  try {
    mkdirSync(parent, { recursive: true, mode: 0o700 });
    return mkdtempSync(join(parent, "run-"));
  } catch (cause) {
    throw withCause(new StoreError("io", `could not make a folder in ${parent}: ${errorMessage(cause)}`), cause);
  }
}

/** Outputs that were too long for their results lie with everybody's, named by their session. */
function spilled(home: string, sessionHome: string): readonly string[] {
  const { spill } = storePaths(home);
  const { sessions } = storePaths(sessionHome);
  const ids = namesIn(sessions).flatMap((project) =>
    namesIn(join(sessions, project))
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => basename(name, ".jsonl")),
  );
  return namesIn(spill)
    .filter((name) => ids.some((id) => name.startsWith(`${id}-`)))
    .map((name) => join(spill, name));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (cause) {
    if (errorCode(cause) === "ENOENT") return [];
    throw cause;
  }
}
