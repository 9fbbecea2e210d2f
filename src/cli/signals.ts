/** The signals that end a run with everything recorded. */
import { EXIT, type ExitCode } from "../shared/index.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
export type StopSignal = (typeof SIGNALS)[number];

/** Of the interface. A run without one ends alike by SIGTERM and SIGHUP. */
export const INTERFACE_EXIT: Readonly<Record<StopSignal, ExitCode>> = {
  SIGINT: EXIT.interrupted,
  SIGTERM: EXIT.terminated,
  SIGHUP: EXIT.hungUp,
};

/** What the interface has for recording, ending children and restoring the terminal: within it a closed window is done with. */
export const ORDERLY_MS = 2_500;

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
