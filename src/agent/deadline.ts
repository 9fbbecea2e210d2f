/** The moment at which a run has to end. Set once, when the run begins; whoever is to be stopped by it says so. */
import type { Clock } from "../shared/index.ts";

export interface Deadline {
  /** The time that was given, in milliseconds. */
  readonly ms: number;
  reached(): boolean;
  /** Called once, when it is reached; at once if it already is. */
  onReached(task: () => void): void;
  /** Takes the timer away. What was reached stays so. */
  stop(): void;
}

/** The longest that a timer can wait: 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export function createDeadline(clock: Clock, ms: number): Deadline {
  const tasks: (() => void)[] = [];
  let isReached = false;
  const stop = clock.after(Math.min(ms, MAX_TIMER_MS), () => {
    isReached = true;
    for (const task of tasks.splice(0)) task();
  });
  return {
    ms,
    reached: () => isReached,
    onReached: (task) => (isReached ? task() : void tasks.push(task)),
    stop,
  };
}
