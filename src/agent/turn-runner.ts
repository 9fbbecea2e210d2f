/** The one turn that runs at a time, and the root of its cancellation. */

export interface TurnRunner {
  /** Starts a turn. Nothing may be running. */
  start(): void;
  abort(): void;
  isBusy(): boolean;
  /** Resolves when no turn runs; rejects with what a turn died of, such as a StoreError. */
  settled(): Promise<void>;
}

export function createTurnRunner(run: (signal: AbortSignal) => Promise<void>): TurnRunner {
  let running: { readonly turn: Promise<void>; readonly controller: AbortController } | undefined;
  let death: { readonly cause: unknown } | undefined;
  return {
    start() {
      const controller = new AbortController();
      const turn = run(controller.signal)
        .catch((cause: unknown) => {
          death = { cause };
        })
        .finally(() => {
          running = undefined;
        });
      running = { turn, controller };
    },
    abort: () => running?.controller.abort(),
    isBusy: () => running !== undefined,
    async settled() {
      while (running) await running.turn;
      if (death) throw death.cause;
    },
  };
}
