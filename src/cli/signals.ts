/** The signals that end a run with everything recorded. */

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
export type StopSignal = (typeof SIGNALS)[number];

/** Calls `stop` for each that comes, until the returned function is called. */
export function onSignals(stop: (name: StopSignal) => void): () => void {
  const listeners = SIGNALS.map((name) => {
    const listener = () => stop(name);
    process.on(name, listener);
    return () => process.off(name, listener);
  });
  return () => {
    for (const remove of listeners) remove();
  };
}
