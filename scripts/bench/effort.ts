/** How often each thing is done, and how much of it. */
export interface Effort {
  readonly starts: number;
  readonly loops: number;
  readonly steps: number;
  readonly replays: readonly { readonly events: number; readonly rounds: number }[];
  /** Rounds of what is timed inside a process. */
  readonly works: number;
  readonly calls: number;
}

export const FULL: Effort = {
  starts: 21,
  loops: 5,
  steps: 200,
  replays: [
    { events: 10_000, rounds: 9 },
    { events: 100_000, rounds: 5 },
  ],
  works: 7,
  calls: 400,
};

/** Enough to see whether something has become much slower. */
export const QUICK: Effort = {
  starts: 7,
  loops: 1,
  steps: 60,
  replays: [{ events: 10_000, rounds: 3 }],
  works: 3,
  calls: 150,
};
