/**
 * Ends an attempt that has gone silent: no headers, no bytes, or bytes without progress. The SDK has no such limit of its
 * own. Time during which the consumer holds an event does not count. Exactly one timer lives at a time, none after `stop`.
 */
import { type Clock, steadyNow } from "../shared/index.ts";

export interface SilenceLimits {
  /** Until the response's headers are there, error bodies included. */
  readonly headersMs: number;
  /** Between two bytes; pings are bytes. */
  readonly idleMs: number;
  /** Between two events that move the answer forward; pings are none. */
  readonly progressMs: number;
}

export type Silence = keyof SilenceLimits;

export interface Watchdog {
  /** The headers have arrived; from now on the stream's limits hold. */
  opened(): void;
  bytes(): void;
  progress(): void;
  /** The consumer has the floor, until `resume`. */
  pause(): void;
  resume(): void;
  stop(): void;
  /** Which limit was broken, once it was. */
  readonly broken: Silence | null;
}

/** Starts at once. `onSilence` is called at most once, after `broken` was set. */
export function createWatchdog(clock: Clock, limits: SilenceLimits, onSilence: () => void): Watchdog {
  let broken: Silence | null = null;
  let isOpen = false;
  let pausedAt: number | null = null;
  let lastByteAt = steadyNow(clock);
  let lastProgressAt = lastByteAt;
  let cancelTimer: (() => void) | null = null;

  const leftOf = (limit: Silence, now: number): number =>
    (limit === "progressMs" ? lastProgressAt : lastByteAt) + limits[limit] - now;

  function arm(): void {
    const now = steadyNow(clock);
    const left = isOpen ? Math.min(leftOf("idleMs", now), leftOf("progressMs", now)) : leftOf("headersMs", now);
    cancelTimer?.();
    cancelTimer = clock.after(Math.max(1, left), check);
  }

  function check(): void {
    cancelTimer = null;
    if (pausedAt !== null) return; // resume() arms again
    const now = steadyNow(clock);
    const inForce: readonly Silence[] = isOpen ? ["idleMs", "progressMs"] : ["headersMs"];
    broken = inForce.find((limit) => leftOf(limit, now) <= 0) ?? null;
    if (broken === null) arm();
    else onSilence();
  }

  arm();
  return {
    opened() {
      isOpen = true;
      lastByteAt = steadyNow(clock);
      lastProgressAt = lastByteAt;
      arm();
    },
    bytes() {
      lastByteAt = steadyNow(clock);
    },
    progress() {
      lastProgressAt = steadyNow(clock);
    },
    pause() {
      pausedAt = steadyNow(clock);
    },
    resume() {
      const heldMs = pausedAt === null ? 0 : steadyNow(clock) - pausedAt;
      pausedAt = null;
      lastByteAt += heldMs;
      lastProgressAt += heldMs;
      if (cancelTimer === null && broken === null) arm();
    },
    stop() {
      cancelTimer?.();
      cancelTimer = null;
    },
    get broken() {
      return broken;
    },
  };
}
