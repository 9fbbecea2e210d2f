/** How often each thing is done, and how much of it. */
export interface Effort {
  readonly starts: number;
  readonly loops: number;
  readonly steps: number;
  readonly replays: readonly { readonly events: number; readonly rounds: number }[];
  /** The log that is torn, and how often. */
  readonly torn: { readonly events: number; readonly rounds: number };
  /** Rounds of what is timed inside a process. */
  readonly works: number;
  readonly calls: number;
  /** Keys that are timed one by one. */
  readonly keys: number;
  /** Events of the long session in which they are typed: three and a half to an item of the transcript. */
  readonly longSession: number;
  /** Events of the log that is far longer than what the terminal holds. */
  readonly longLog: number;
  /** Of the answer that streams while they are. */
  readonly streamBytes: number;
  /** Rounds of what is looked at on a terminal. */
  readonly shows: number;
  readonly steadySeconds: number;
  readonly idleSeconds: number;
  /** Tokens of the conversations that are summed up by each route. */
  readonly conversations: readonly number[];
}

export const FULL: Effort = {
  starts: 21,
  loops: 5,
  steps: 200,
  replays: [
    { events: 10_000, rounds: 9 },
    { events: 100_000, rounds: 5 },
  ],
  torn: { events: 100_000, rounds: 5 },
  works: 7,
  calls: 400,
  keys: 60,
  longSession: 16_600,
  longLog: 100_000,
  streamBytes: 200 * 1024,
  shows: 5,
  steadySeconds: 20,
  idleSeconds: 30,
  conversations: [40_000, 150_000, 400_000],
};

/** Enough to see whether something has become much slower. */
export const QUICK: Effort = {
  starts: 7,
  loops: 1,
  steps: 60,
  replays: [{ events: 10_000, rounds: 3 }],
  torn: { events: 10_000, rounds: 3 },
  works: 3,
  calls: 150,
  keys: 20,
  longSession: 5_000,
  longLog: 25_000,
  streamBytes: 40 * 1024,
  shows: 1,
  steadySeconds: 3,
  idleSeconds: 3,
  conversations: [40_000],
};
