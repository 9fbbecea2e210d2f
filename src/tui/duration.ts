/** How long something took, or takes, in the words that screens use. */

/** A span of time for people: `0.4s`, `12s`, `3m 05s`, `2h 10m`. */
export function spanOf(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 1) return `${(Math.round(seconds * 10) / 10).toFixed(1)}s`;
  if (seconds < 60) return `${Math.floor(seconds)}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${String(Math.floor(seconds % 60)).padStart(2, "0")}s`;
  return `${Math.floor(minutes / 60)}h ${String(minutes % 60).padStart(2, "0")}m`;
}
