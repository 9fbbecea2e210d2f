/** Waiting with a limit that leaves no timer behind. */

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits for the promise, but no longer than `ms`. */
export async function within(promise: Promise<unknown>, ms: number): Promise<void> {
  const { promise: limit, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  try {
    await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}
