/** Time that passes only when it is told to. The wall clock may jump; how long a timer still has to run does not change by that. */
import type { Clock } from "../../src/shared/index.ts";

interface Timer {
  readonly dueMs: number;
  readonly task: () => void;
}

export class SimulatedClock implements Clock {
  #timers = new Set<Timer>();
  /** Since the beginning. */
  #passedMs = 0;
  /** Of the wall clock at the beginning; a jump changes it. */
  #originMs = 1_790_000_000_000;

  now = (): number => this.#originMs + this.#passedMs;

  steady = (): number => this.#passedMs;

  after = (ms: number, task: () => void): (() => void) => {
    const timer = { dueMs: this.#passedMs + Math.max(0, ms), task };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  };

  get hasTimers(): boolean {
    return this.#timers.size > 0;
  }

  pass(ms: number): void {
    this.#passedMs += ms;
    for (const timer of [...this.#timers].sort((a, b) => a.dueMs - b.dueMs)) {
      if (timer.dueMs > this.#passedMs || !this.#timers.delete(timer)) continue;
      timer.task();
    }
  }

  /** Until the next timer is due. */
  passToNext(): void {
    const due = Math.min(...[...this.#timers].map(({ dueMs }) => dueMs));
    if (Number.isFinite(due)) this.pass(Math.max(0, due - this.#passedMs));
  }

  jump(ms: number): void {
    this.#originMs += ms;
  }

  /** What a dead process still waits for is over at once; the time stands. */
  ring(): void {
    for (const timer of [...this.#timers]) if (this.#timers.delete(timer)) timer.task();
  }
}
