/** How long something took, or takes, in the words that screens use. */

/** Whole seconds, minutes, hours: `4s`, `1m 05s`, `2h 10m`. */
export function shortDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  const two = (count: number): string => String(count).padStart(2, "0");
  return minutes < 60 ? `${minutes}m ${two(seconds % 60)}s` : `${Math.floor(minutes / 60)}h ${two(minutes % 60)}m`;
}

/** Of what is over: below a second in tenths, `0.4s`. */
export const durationWords = (ms: number): string =>
  ms < 1000 ? `${(Math.round(Math.max(0, ms) / 100) / 10).toFixed(1)}s` : shortDuration(ms);
