/**
 * When a frame is painted: at most so many a second while things happen by themselves, and at once for what the user does.
 * After some quiet the first few may come twice as fast: what has just begun, and what ends soon after, is seen sooner.
 * Nothing is asked for, no timer runs.
 */
export interface FramePace {
  /** Many calls before the frame give one. */
  request(isUrgent: boolean): void;
  /** A frame is being painted. */
  painted(): void;
  stop(): void;
}

export interface FramePaceParts {
  readonly intervalMs: number;
  readonly now: () => number;
  /** Does something once, so many milliseconds from now. Gives what takes that back. */
  readonly after: (ms: number, act: () => void) => () => void;
  /** Paints on the next turn of the event loop; called again before that, it changes nothing. */
  readonly paint: () => void;
}

/** So many frames that were not painted can be made up for, each by two that come in half the time. */
const MOST_SAVED = 3;

export function createFramePace({ intervalMs, now, after, paint }: FramePaceParts): FramePace {
  let paintedAt = -Infinity;
  let saved = 0;
  let cancel: (() => void) | undefined;
  let isStopped = false;
  const disarm = () => {
    cancel?.();
    cancel = undefined;
  };
  return {
    request(isUrgent) {
      if (isStopped) return;
      const waitMs = isUrgent ? 0 : paintedAt + (saved > 0 ? intervalMs / 2 : intervalMs) - now();
      if (waitMs > 0) {
        cancel ??= after(waitMs, () => {
          cancel = undefined;
          paint();
        });
        return;
      }
      disarm();
      paint();
    },
    painted() {
      const at = now();
      saved = Math.max(0, Math.min(MOST_SAVED, saved + (at - paintedAt) / intervalMs - 1));
      paintedAt = at;
      disarm();
    },
    stop() {
      isStopped = true;
      disarm();
    },
  };
}
