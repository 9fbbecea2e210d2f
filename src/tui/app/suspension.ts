/**
 * Gives the terminal to the shell and takes it back: Ctrl+Z and `fg`, and the same signals from outside. Made when the screen is
 * open, and ended before it is closed.
 */
import type { Screen } from "../screen/port.ts";

export interface Suspension {
  /** Stops the program until it is continued. Does nothing while it is at it. */
  suspend(): void;
  /** From now on the signals do again what they do by themselves. */
  end(): void;
}

export interface SuspensionParts {
  readonly screen: Pick<Screen, "suspend" | "resume">;
  /** The terminal could not be given up, or not be had again. */
  readonly onFailure: (error: unknown) => void;
}

/** A group that no shell watches is not stopped by the system. Then nobody says that it goes on. */
const NOT_STOPPED_MS = 250;
/** Nothing else keeps the program alive while it does not read the terminal. */
const LONG_MS = 1 << 30;

export function createSuspension({ screen, onFailure }: SuspensionParts): Suspension {
  let isAtWork = false;
  const alone = (act: () => Promise<void>): void => {
    if (isAtWork) return;
    isAtWork = true;
    act()
      .catch(onFailure)
      .finally(() => {
        isAtWork = false;
      });
  };
  const suspend = () => alone(stopAndContinue);
  /** Stopped in a way that could not be seen coming: whoever had the terminal meanwhile has set it as he liked. */
  const continued = () =>
    alone(async () => {
      await screen.suspend();
      await takeBack();
    });
  /** Only the program in front is told of a new size, so this one tells itself. */
  async function takeBack(): Promise<void> {
    process.kill(process.pid, "SIGWINCH");
    await new Promise((resolve) => setImmediate(resolve));
    await screen.resume();
  }

  async function stopAndContinue(): Promise<void> {
    const alive = setInterval(() => undefined, LONG_MS);
    try {
      await screen.suspend();
      process.off("SIGTSTP", suspend);
      await stopped();
      process.on("SIGTSTP", suspend);
      await takeBack();
    } finally {
      clearInterval(alive);
    }
  }

  process.on("SIGTSTP", suspend);
  process.on("SIGCONT", continued);
  return {
    suspend,
    end() {
      process.off("SIGTSTP", suspend);
      process.off("SIGCONT", continued);
    },
  };
}

interface Endings {
  readonly quit: () => void;
  readonly failed: (error: Error) => void;
}

/** The program has to end, by a signal or by what went wrong somewhere; perhaps it was told before there was a screen. */
export function heedStop(stop: AbortSignal | undefined, { quit, failed }: Endings): void {
  const end = () => (stop?.reason instanceof Error ? failed(stop.reason) : quit());
  if (stop?.aborted) end();
  else stop?.addEventListener("abort", end, { once: true });
}

/** Resolves when the program goes on. */
async function stopped(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  process.once("SIGCONT", resolve);
  const limit = setTimeout(resolve, NOT_STOPPED_MS);
  try {
    process.kill(0, "SIGTSTP"); // the whole group, as the terminal itself would
    await promise;
  } finally {
    clearTimeout(limit);
    process.off("SIGCONT", resolve);
  }
}
