/** The one turn that runs at a time, and the root of its cancellation. */

export interface TurnRunner {
  /** Makes it run: now, or once more when the present run is over, so that what was said in its last moment is not missed. */
  wake(): void;
  abort(): void;
  isBusy(): boolean;
  /** Resolves when nothing runs; rejects with what a run died of, such as a StoreError. */
  settled(): Promise<void>;
}

export function createTurnRunner(run: (signal: AbortSignal) => Promise<void>): TurnRunner {
  let running: Promise<void> | undefined;
  /** Set before anything runs: what a run does at once may already ask. */
  let isBusy = false;
  let controller = new AbortController();
  let wanted = false;
  let death: { readonly cause: unknown } | undefined;

  /** Also a run that throws at once takes a tick to fail, so that `running` is set by then. */
  const begin = async (signal: AbortSignal): Promise<void> => run(signal);

  async function work(): Promise<void> {
    try {
      while (wanted) {
        wanted = false;
        controller = new AbortController();
        await begin(controller.signal);
      }
    } catch (cause) {
      death = { cause };
    } finally {
      running = undefined;
      isBusy = false; // in the same moment as the last look at `wanted`: nothing can fall between
    }
  }

  return {
    wake() {
      wanted = true;
      if (isBusy) return;
      isBusy = true;
      running = work();
    },
    abort: () => controller.abort(),
    isBusy: () => isBusy,
    async settled() {
      while (isBusy) await running;
      if (death) throw death.cause;
    },
  };
}
