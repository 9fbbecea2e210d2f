/** Waiting for a process without asking it again and again: until it prints something, ends, or time or patience is over. */
import type { ManagedProcess } from "./managed-process.ts";

/** What is printed at one go comes in pieces; after this long without another it is told. */
const QUIET_MS = 200;

interface Waiting {
  /** Only what is printed behind this many bytes counts. */
  readonly from: number;
  readonly ms: number;
  /** Ends the waiting at once. */
  readonly signal: AbortSignal;
}

export function untilNews(process: ManagedProcess, { from, ms, signal }: Waiting): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let quiet: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    if (process.ending() || signal.aborted) return resolve();
    if (process.printedBytes() <= from) return;
    clearTimeout(quiet);
    quiet = setTimeout(resolve, QUIET_MS);
  };
  const limit = setTimeout(resolve, ms);
  const ignore = process.onNews(look);
  signal.addEventListener("abort", look);
  look();
  return promise.finally(() => {
    clearTimeout(quiet);
    clearTimeout(limit);
    ignore();
    signal.removeEventListener("abort", look);
  });
}
