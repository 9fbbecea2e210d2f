/** Keeps a library from deciding what an exception means: it would swallow it, and the program would go on broken. */

const EVENTS = ["uncaughtException", "unhandledRejection", "warning"] as const;

type Listener = (...details: unknown[]) => void;

const listenersOf = (event: string): readonly Listener[] => process.rawListeners(event) as Listener[]; // only compared and removed

/** Makes something, and takes out what it has put on the process for exceptions and warnings. */
export function withoutItsListeners<T>(make: () => T): T {
  const before = EVENTS.map((event) => new Set(listenersOf(event)));
  try {
    return make();
  } finally {
    for (const [at, event] of EVENTS.entries()) {
      const own = listenersOf(event).filter((listener) => !before[at]?.has(listener));
      for (const listener of own) process.removeListener(event, listener);
    }
  }
}
