/**
 * What can be done a little later, in short slices between frames and keys. A look takes one timer; when it finds nothing left
 * to do, no other follows.
 */
import type { Clock } from "../../shared/index.ts";

export interface IdleWork {
  /** There may be something to do. */
  look(): void;
  end(): void;
}

/** The frame that is due goes first. */
const BEGIN_MS = 40;
const PAUSE_MS = 8;

/** `work` does a little of what is left, for at most a few milliseconds. True: there is more. */
export function createIdleWork(clock: Clock, work: () => boolean): IdleWork {
  let disarm: (() => void) | undefined;
  let isOver = false;
  function arm(ms: number): void {
    if (!isOver) disarm ??= clock.after(ms, slice);
  }
  function slice(): void {
    disarm = undefined;
    if (work()) arm(PAUSE_MS);
  }
  return {
    look: () => arm(BEGIN_MS),
    end() {
      isOver = true;
      disarm?.();
    },
  };
}
