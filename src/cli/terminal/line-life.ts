/**
 * What can end a program that works in lines. Ctrl+C is a word of the user's; other signals and exceptions become a wish to end in
 * good order, and when that takes too long the program ends at once. The terminal is never in a state that had to be restored.
 */
import { asError, EXIT, type ExitCode } from "../../shared/index.ts";
import { describeFailure } from "../failure.ts";
import { INTERFACE_EXIT, ORDERLY_MS, onSignals, type StopSignal } from "../signals.ts";

export interface LineLife {
  /** Aborted when the program has to end: its reason is an Error for what went wrong. */
  readonly stop: AbortSignal;
  onInterrupt(act: () => void): () => void;
  /** Nobody reads any more what is written. */
  gone(): void;
  /** Of the signal that ended it, if one did. */
  exitCode(): ExitCode | undefined;
  /** Signals and exceptions do again what they do by themselves. */
  end(): void;
}

export function beginLineLife(): LineLife {
  const controller = new AbortController();
  const interrupts = new Set<() => void>();
  let exitCode: ExitCode | undefined;
  let limit: ReturnType<typeof setTimeout> | undefined;
  function stop(reason: string | Error): void {
    if (controller.signal.aborted) return;
    limit = setTimeout(() => process.exit(exitCode ?? EXIT.internal), ORDERLY_MS);
    controller.abort(reason);
  }
  function onSignal(name: StopSignal): void {
    if (name === "SIGINT" && interrupts.size > 0) {
      for (const act of [...interrupts]) act();
      return;
    }
    if (exitCode !== undefined) process.exit(exitCode);
    exitCode = INTERFACE_EXIT[name];
    stop(name);
  }
  const onException = (error: unknown): void => {
    const failure = asError(error);
    exitCode ??= describeFailure(failure).exitCode;
    stop(failure);
  };
  const offSignals = onSignals(onSignal);
  process.on("uncaughtException", onException);
  process.on("unhandledRejection", onException);
  return {
    stop: controller.signal,
    onInterrupt(act) {
      interrupts.add(act);
      return () => interrupts.delete(act);
    },
    gone: () => stop("gone"),
    exitCode: () => exitCode,
    end() {
      clearTimeout(limit);
      offSignals();
      process.off("uncaughtException", onException);
      process.off("unhandledRejection", onException);
    },
  };
}
