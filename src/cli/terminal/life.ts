/**
 * What can end a program that holds a terminal, and that the shell is usable whichever it was. Signals and exceptions become a
 * wish to end in good order, with the session recorded and the children gone; when that takes too long the terminal is restored
 * here and the program ends at once. What nobody in this process can catch is left to the guardian.
 */
import { writeSync } from "node:fs";
import { asError, type ExitCode, sanitize } from "../../shared/index.ts";
import { leaveShell, seeToSignals, settingsAtStart } from "../boot.ts";
import { describeFailure } from "../failure.ts";
import { INTERFACE_EXIT, ORDERLY_MS, onSignals, type StopSignal } from "../signals.ts";
import { type Guardian, postGuardian } from "./guardian.ts";
import { RESET } from "./reset.ts";
import { writeSettings } from "./tty.ts";

export interface Life {
  /** Aborted when the program has to end: its reason is an Error for what went wrong, and a signal's name otherwise. */
  readonly stop: AbortSignal;
  /** The terminal is in raw mode: from now on somebody restores it even when this process cannot. */
  guard(): void;
  /** Of the signal that ended it, if one did. */
  exitCode(): ExitCode | undefined;
  /** The terminal is restored: signals and exceptions do again what they do by themselves. Idempotent. */
  end(): void;
}

export function beginLife(): Life {
  const controller = new AbortController();
  let guardian: Guardian | undefined;
  let signal: StopSignal | undefined;
  let isOver = false;
  let limit: ReturnType<typeof setTimeout> | undefined;

  function stopFor(reason: StopSignal | Error): void {
    if (controller.signal.aborted) return;
    limit = setTimeout(() => endAtOnce(reason), ORDERLY_MS);
    controller.abort(reason);
  }

  function endAtOnce(reason: StopSignal | Error): void {
    restoreNow();
    const { message, exitCode } =
      reason instanceof Error ? describeFailure(reason) : { message: undefined, exitCode: INTERFACE_EXIT[reason] };
    if (message !== undefined) tryWrite(2, `khaelor: ${sanitize(message)}\n`);
    process.exit(exitCode);
  }

  const offSignals = onSignals((name) => {
    const isSecond = signal !== undefined;
    signal ??= name;
    if (isSecond) endAtOnce(name);
    else stopFor(name);
  });
  seeToSignals();
  /** A terminal that is gone is not always told by a signal, such as in a session without one. */
  const onGone = () => {
    signal ??= "SIGHUP";
    stopFor("SIGHUP");
  };
  const onException = (error: unknown) => stopFor(asError(error));
  process.on("uncaughtException", onException);
  process.on("unhandledRejection", onException);
  const onExit = () => {
    guardian?.dismiss();
    if (!isOver) restoreNow();
  };
  process.on("exit", onExit);
  return {
    stop: controller.signal,
    guard() {
      if (guardian || isOver) return;
      guardian = postGuardian(settingsAtStart());
      process.stdin.once("end", onGone);
    },
    exitCode: () => signal && INTERFACE_EXIT[signal],
    end() {
      if (isOver) return;
      isOver = true;
      clearTimeout(limit);
      leaveShell();
      guardian?.dismiss();
      offSignals();
      if (guardian) process.stdin.off("end", onGone);
      process.off("uncaughtException", onException);
      process.off("unhandledRejection", onException);
      process.off("exit", onExit);
    },
  };
}

/** Whatever the screen thinks: it is not asked any more. */
function restoreNow(): void {
  tryWrite(1, RESET);
  const settings = settingsAtStart();
  if (settings) writeSettings(settings);
}

/** A terminal that is gone cannot be restored, and need not be. */
function tryWrite(fd: 1 | 2, text: string): void {
  try {
    writeSync(fd, text);
  } catch {
    // nobody reads it
  }
}
