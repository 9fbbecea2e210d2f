/** The newest output of a process that nobody has read yet, within a fixed number of bytes. What did not fit is counted. */
import { createRing } from "../../shared/index.ts";

export interface RollingBuffer {
  write(chunk: Uint8Array): void;
  /** What is new since the last call, and how many bytes before it were lost. */
  take(): Unread;
  /** How many bytes a `take` would give. */
  unreadBytes(): number;
  /** All that was ever written. */
  totalBytes(): number;
}

export interface Unread {
  readonly bytes: Uint8Array;
  readonly droppedBytes: number;
}

export function createRollingBuffer(limitBytes: number): RollingBuffer {
  let unread = createRing(limitBytes);
  let taken = 0;
  return {
    write: (chunk) => unread.write(chunk),
    take() {
      const bytes = unread.bytes();
      const written = unread.written();
      taken += written;
      unread = createRing(limitBytes);
      return { bytes, droppedBytes: written - bytes.length };
    },
    unreadBytes: () => Math.min(unread.written(), limitBytes),
    totalBytes: () => taken + unread.written(),
  };
}
