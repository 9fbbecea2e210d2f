/** The newest bytes of a stream, as many as there is room for; of the rest only the number is known. */

export interface Ring {
  write(chunk: Uint8Array): void;
  /** A copy of all that is kept, the oldest first. */
  bytes(): Uint8Array;
  /** How many were ever written. */
  written(): number;
}

/** Takes its memory when the first byte comes. */
export function createRing(limitBytes: number): Ring {
  let kept: Uint8Array | undefined;
  let written = 0;
  return {
    write(chunk) {
      if (chunk.length === 0) return;
      kept ??= new Uint8Array(limitBytes);
      const skipped = Math.max(0, chunk.length - limitBytes);
      const last = chunk.subarray(skipped);
      const at = limitBytes === 0 ? 0 : (written + skipped) % limitBytes;
      const first = last.subarray(0, limitBytes - at);
      kept.set(first, at);
      kept.set(last.subarray(first.length), 0);
      written += chunk.length;
    },
    bytes() {
      if (!kept || written <= limitBytes) return (kept ?? new Uint8Array()).slice(0, written);
      const at = limitBytes === 0 ? 0 : written % limitBytes;
      return Buffer.concat([kept.subarray(at), kept.subarray(0, at)]);
    },
    written: () => written,
  };
}
