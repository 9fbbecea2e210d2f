/** What can be done a little later, in short slices between frames and keys. Nothing is armed when nothing is left to do. */
import type { Clock } from "../../shared/index.ts";

export interface IdleWork {
  /** There may be something to do. */
  look(): void;
  end(): void;
}

const PAUSE_MS = 8;

/** `work` does a little of what is left, for at most a few milliseconds. True: there is more. */
export function createIdleWork(clock: Clock, work: () => boolean): IdleWork {
  let disarm: (() => void) | undefined;
  let isOver = false;
  function look(): void {
    if (!isOver) disarm ??= clock.after(PAUSE_MS, slice);
  }
  function slice(): void {
    disarm = undefined;
    if (work()) look();
  }
  return {
    look,
    end() {
      isOver = true;
      disarm?.();
    },
  };
}
