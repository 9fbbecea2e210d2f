/** Drives an engine through one headless run: begins or continues, heeds signals, and ends with everything recorded. */
import { type CompactionOutcome, outOfTime } from "../agent/index.ts";
import type { ExitCode, KhaelorEvent, Mention } from "../shared/index.ts";
import type { Engine } from "./engine.ts";
import { onSignals, type StopSignal } from "./signals.ts";

export interface RunOptions {
  /** Undefined: go on with what the log leaves open. */
  readonly prompt: string | undefined;
  readonly mentions?: readonly Mention[];
  readonly onEvent: (event: KhaelorEvent) => void;
}

export interface RunEnd {
  /** What stopped the run, if one did. */
  readonly signal?: StopSignal;
  /** There was nothing to go on with, and no prompt. */
  readonly idle?: true;
  /** What came of the summary that was asked for last, where there was no turn. */
  readonly compaction?: CompactionOutcome;
  /** The time of the run was up: what is said of it when no turn was there to be ended by it. */
  readonly late?: string;
  /** What ended the program in the middle of the turn, such as a full disk: the front has caught it, for it owes a result. */
  readonly death?: { readonly message: string; readonly exitCode: ExitCode };
}

/** Resolves when the turn is over; rejects with what ended the program. The engine stays open. */
export async function runHeadless(
  { agent, session, deadline }: Engine,
  { prompt, mentions = [], onEvent }: RunOptions,
): Promise<RunEnd> {
  let signal: RunEnd["signal"];
  const removeSignals = onSignals((name) => {
    signal ??= name;
    agent.dispatch({ kind: "interrupt" });
  });
  const unsubscribe = session.bus.onAny(onEvent);
  try {
    if (prompt !== undefined) agent.dispatch({ kind: "submit-message", text: prompt, mentions });
    else if (!agent.resume()) return { idle: true };
    await agent.settled();
    return { ...(signal && { signal }), ...lateEnd(deadline) };
  } finally {
    unsubscribe();
    removeSignals();
  }
}

export const lateEnd = (deadline: Engine["deadline"]): Pick<RunEnd, "late"> =>
  deadline?.reached() ? { late: outOfTime(deadline).detail } : {};
