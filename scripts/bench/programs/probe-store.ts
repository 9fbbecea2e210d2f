/** A store over a folder of the bench, as the program itself makes one. */
import { createSessionStore, type SessionStore } from "../../../src/session/index.ts";
import { idSource, silentLogger, systemClock } from "../../../src/shared/index.ts";

export const PROJECT = "0123456789abcdef";

export const openBenchStore = (home: string): SessionStore =>
  createSessionStore({
    home,
    now: systemClock.now,
    newId: idSource(systemClock.now),
    price: () => 0,
    logger: silentLogger,
  });

export const STARTED = {
  title: "bench",
  projectHash: PROJECT,
  workingDirectory: "/project",
  gitBranch: "main",
  model: "claude-opus-5-5",
  auxModel: "claude-haiku-5-5",
  khaelorVersion: "0.0.0",
  thinking: "adaptive",
} as const;
