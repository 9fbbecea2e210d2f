/** Time as a parameter, so that tests own it. */

export interface Clock {
  /** Epoch milliseconds. Jumps, also back, when somebody sets the machine's clock. */
  now(): number;
  /** Milliseconds from some moment on, for how long something takes: never jumps. Absent: `now` stands for it. */
  steady?(): number;
  /** Runs `task` once after `ms`; the returned function cancels it. */
  after(ms: number, task: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  steady: () => performance.now(),
  after: (ms, task) => {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  },
};

/** For differences only: what is waited for or measured by it does not care about a clock that is set. */
export const steadyNow = (clock: Pick<Clock, "now" | "steady">): number => clock.steady?.() ?? clock.now();

/** Resolves after `ms`, or rejects with the signal's reason as soon as it aborts. */
export function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const cancel = clock.after(ms, () => {
      signal.removeEventListener("abort", stop);
      resolve();
    });
    function stop(): void {
      cancel();
      reject(signal.reason);
    }
    signal.addEventListener("abort", stop, { once: true });
  });
}
