/** Drives an engine through one headless run: begins or continues, heeds signals, and ends with everything recorded. */
import type { ExitCode, KhaelorEvent } from "../shared/index.ts";
import type { Engine } from "./engine.ts";

export interface RunOptions {
  /** Undefined: go on with what the log leaves open. */
  readonly prompt: string | undefined;
  readonly onEvent: (event: KhaelorEvent) => void;
}

export interface RunEnd {
  /** Of SIGINT or SIGTERM, when one stopped the run. */
  readonly signal?: "SIGINT" | "SIGTERM" | "SIGHUP";
  /** There was nothing to go on with, and no prompt. */
  readonly idle?: true;
  /** What ended the program in the middle of the turn, such as a full disk: the front has caught it, for it owes a result. */
  readonly death?: { readonly message: string; readonly exitCode: ExitCode };
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Resolves when the turn is over; rejects with what ended the program. The engine stays open. */
export async function runHeadless({ agent, session }: Engine, { prompt, onEvent }: RunOptions): Promise<RunEnd> {
  let signal: RunEnd["signal"];
  const stops = SIGNALS.map((name) => {
    const stop = () => {
      signal ??= name;
      agent.dispatch({ kind: "interrupt" });
    };
    process.on(name, stop);
    return () => process.off(name, stop);
  });
  const unsubscribe = session.bus.onAny(onEvent);
  try {
    if (prompt !== undefined) agent.dispatch({ kind: "submit-message", text: prompt, mentions: [] });
    else if (!agent.resume()) return { idle: true };
    await agent.settled();
    return signal ? { signal } : {};
  } finally {
    unsubscribe();
    for (const stop of stops) stop();
  }
}
