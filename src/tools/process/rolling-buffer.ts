/** The newest output of a process that nobody has read yet, within a fixed number of bytes. What did not fit is counted. */

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
  let ring: Uint8Array | undefined; // made when the first byte comes, let go when all is read
  let written = 0;
  let taken = 0;
  const unread = () => Math.min(written - taken, limitBytes);
  return {
    write(chunk) {
      if (chunk.length === 0) return;
      ring ??= new Uint8Array(limitBytes);
      const skipped = Math.max(0, chunk.length - limitBytes);
      const kept = chunk.subarray(skipped);
      const at = (written + skipped) % limitBytes;
      const first = kept.subarray(0, limitBytes - at);
      ring.set(first, at);
      ring.set(kept.subarray(first.length), 0);
      written += chunk.length;
    },
    take() {
      const length = unread();
      const bytes = new Uint8Array(length);
      const from = (written - length) % limitBytes;
      const first = ring?.subarray(from, from + length) ?? bytes;
      bytes.set(first);
      bytes.set(ring?.subarray(0, length - first.length) ?? [], first.length);
      const droppedBytes = written - taken - length;
      taken = written;
      ring = undefined;
      return { bytes, droppedBytes };
    },
    unreadBytes: unread,
    totalBytes: () => written,
  };
}
