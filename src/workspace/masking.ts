/**
 * Hides the keys in use in what commands print, before it is kept, spilled to a file or handed on. A key that comes in two
 * pieces is found all the same: what may be the beginning of one waits for what follows.
 */

const HIDDEN = Buffer.from("[redacted]");
/** A shorter value is no secret, and hiding it would eat the words around it. */
const MIN_SECRET_BYTES = 16;

export interface Mask {
  /** What is known to hold no key, so far. */
  push(chunk: Uint8Array): Uint8Array;
  /** What has waited. */
  end(): Uint8Array;
}

export function createMask(secrets: readonly string[]): Mask {
  const keys = secrets.map((secret) => Buffer.from(secret)).filter(({ length }) => length >= MIN_SECRET_BYTES);
  let waiting = Buffer.alloc(0);
  return {
    push(chunk) {
      const bytes =
        waiting.length > 0
          ? Buffer.concat([waiting, chunk])
          : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
      const clean = keys.reduce(without, bytes);
      const held = Math.max(0, ...keys.map((key) => beginningAtEnd(clean, key)));
      waiting = Buffer.from(clean.subarray(clean.length - held)); // a copy: whoever reads may use its buffer again
      return clean.subarray(0, clean.length - held);
    },
    end() {
      const rest = waiting;
      waiting = Buffer.alloc(0);
      return rest;
    },
  };
}

/** Of a whole content. */
export function masked(content: Uint8Array, secrets: readonly string[]): Uint8Array {
  const mask = createMask(secrets);
  return Buffer.concat([mask.push(content), mask.end()]);
}

function without(bytes: Buffer, key: Buffer): Buffer {
  let at = bytes.indexOf(key);
  if (at < 0) return bytes;
  const parts: Uint8Array[] = [];
  let from = 0;
  for (; at >= 0; at = bytes.indexOf(key, from)) {
    parts.push(bytes.subarray(from, at), HIDDEN);
    from = at + key.length;
  }
  return Buffer.concat([...parts, bytes.subarray(from)]);
}

/** How many of the last bytes are how the key begins. */
function beginningAtEnd(bytes: Buffer, key: Buffer): number {
  for (let length = Math.min(key.length - 1, bytes.length); length > 0; length--) {
    if (bytes.subarray(bytes.length - length).equals(key.subarray(0, length))) return length;
  }
  return 0;
}
