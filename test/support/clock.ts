/** Time that only moves when a test says so. */
import type { Clock } from "../../src/shared/index.ts";

export interface ManualClock extends Clock {
  /** Moves time on, running what falls due in the order of its due times; tasks may arm new ones, which run too if due. */
  advance(ms: number): void;
  /** Moves time on until nothing is armed. Throws after 10,000 tasks: something re-arms itself for ever. */
  runAll(): void;
  /** How many tasks are armed. */
  pending(): number;
}

interface Armed {
  readonly due: number;
  readonly task: () => void;
}

export function manualClock(start = 1_765_400_000_000): ManualClock {
  let now = start;
  const armed = new Set<Armed>();

  const earliest = (): Armed | undefined => {
    let first: Armed | undefined;
    for (const entry of armed) if (!first || entry.due < first.due) first = entry;
    return first;
  };
  const run = (entry: Armed): void => {
    armed.delete(entry);
    now = Math.max(now, entry.due);
    entry.task();
  };

  return {
    now: () => now,
    after(ms, task) {
      const entry: Armed = { due: now + Math.max(0, ms), task };
      armed.add(entry);
      return () => armed.delete(entry);
    },
    advance(ms) {
      const until = now + ms;
      for (let next = earliest(); next && next.due <= until; next = earliest()) run(next);
      now = until;
    },
    runAll() {
      let left = 10_000;
      for (let next = earliest(); next; next = earliest()) {
        if (left-- === 0) throw new Error("the clock's tasks never end");
        run(next);
      }
    },
    pending: () => armed.size,
  };
}
