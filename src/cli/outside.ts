/** What an engine gets from outside of the program: time, chance, the wire, the disk under its logs, and the world it works in. */
import type { Fetch } from "../anthropic/index.ts";
import { type Disk, systemDisk } from "../session/index.ts";
import { type Clock, systemClock } from "../shared/index.ts";
import type { LocalWorkspace } from "../workspace/index.ts";

export interface Outside {
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly fetch: Fetch;
  readonly disk: Disk;
  /** What is worked in, made from the workspace of this machine. */
  readonly workspace: (own: LocalWorkspace) => LocalWorkspace;
}

/** What a program has that runs for somebody. Everything else is for finding out what happens when the outside goes wrong. */
export const MACHINE: Outside = {
  clock: systemClock,
  random: Math.random,
  fetch: (...args) => fetch(...args),
  disk: systemDisk,
  workspace: (own) => own,
};
