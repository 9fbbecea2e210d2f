/**
 * When a frame is painted: at most so many a second while things happen by themselves, and at once for what the user does.
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
  /** Paints on the next turn of the event loop; called again before that, it changes nothing. */
  readonly paint: () => void;
}

export function createFramePace({ intervalMs, now, paint }: FramePaceParts): FramePace {
  let paintedAt = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  const disarm = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  return {
    request(isUrgent) {
      if (isStopped) return;
      const waitMs = isUrgent ? 0 : paintedAt + intervalMs - now();
      if (waitMs > 0) {
        timer ??= setTimeout(() => {
          timer = undefined;
          paint();
        }, waitMs);
        return;
      }
      disarm();
      paint();
    },
    painted() {
      paintedAt = now();
      disarm();
    },
    stop() {
      isStopped = true;
      disarm();
    },
  };
}
