/**
 * The process groups that commands have started: which are alive, and how they are ended. A command's background children
 * may outlive it, but not the workspace.
 */
import { groupLives, type RunningShell, signalGroup } from "./spawn.ts";
import { pause, within } from "./time.ts";
import type { Watchdog } from "./watchdog.ts";

const TERM_GRACE_MS = 250;
const KILL_WAIT_MS = 2000;
/** What KILL has ended is gone at its next turn on a processor; in a container whose first process reaps nobody it stays listed. */
const GONE_WAIT_MS = 100;
const LOOK_AGAIN_MS = 5;

export interface Groups {
  /** Called before a command is started. Throws the system's error when the watchdog cannot be started, and ECANCELED after `close`. */
  ready(): void;
  /** Called right after it was started. */
  add(group: number): void;
  /** Forgets the groups that are gone, so that their numbers may come again. */
  sweep(): void;
  /** Ends every group that is left, and then the watchdog. Idempotent. */
  close(): Promise<void>;
}

export function createGroups(watchdog: Watchdog | undefined): Groups {
  const alive = new Set<number>();
  let isClosed = false;
  const sweep = () => {
    for (const group of alive) {
      if (groupLives(group)) continue;
      alive.delete(group);
      watchdog?.unwatch(group);
    }
  };
  return {
    ready() {
      // What would begin now, because it was being prepared meanwhile, would be nobody's.
      if (isClosed) throw Object.assign(new Error("the session was closed"), { code: "ECANCELED" });
      sweep();
      watchdog?.start();
    },
    add(group) {
      alive.add(group);
      watchdog?.watch(group);
    },
    sweep,
    async close() {
      isClosed = true;
      const left = [...alive].filter((group) => signalGroup(group, "SIGTERM"));
      if (left.length > 0) await pause(TERM_GRACE_MS);
      for (const group of left) signalGroup(group, "SIGKILL");
      for (const group of alive) watchdog?.unwatch(group);
      alive.clear();
      await watchdog?.close();
    },
  };
}

/** TERM to the whole group, KILL to what is left of it 250 ms later, and a moment for that to be gone too. */
export async function endGroup({ group, exited }: RunningShell): Promise<void> {
  signalGroup(group, "SIGTERM");
  if (await isGone(group, TERM_GRACE_MS)) return;
  signalGroup(group, "SIGKILL");
  // A process in an uninterruptible system call does not even follow KILL; the call must return all the same.
  await within(exited, KILL_WAIT_MS);
  await isGone(group, GONE_WAIT_MS);
}

/** The system tells nobody when the last of a group leaves it, so this looks. */
async function isGone(group: number, withinMs: number): Promise<boolean> {
  const startedAt = performance.now();
  while (groupLives(group)) {
    if (performance.now() - startedAt >= withinMs) return false;
    await pause(LOOK_AGAIN_MS);
  }
  return true;
}
