/** Signals as the orderly end of a command that would go on for ever. */
import { EXIT, type ExitCode } from "../shared/index.ts";
import { onSignals } from "./signals.ts";

export interface Stopping {
  readonly signal: AbortSignal;
  /** Of the signal that came, if one did. */
  exitCode(): ExitCode | undefined;
  /** From now on signals do again what they do by themselves. */
  release(): void;
}

export function stopSignal(): Stopping {
  const controller = new AbortController();
  let exitCode: ExitCode | undefined;
  const release = onSignals((name) => {
    exitCode ??= name === "SIGINT" ? EXIT.interrupted : EXIT.terminated;
    controller.abort();
  });
  return { signal: controller.signal, exitCode: () => exitCode, release };
}
