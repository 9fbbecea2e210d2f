/**
 * SHA-256, by the runtime's own hasher: the standard module for cryptography takes three milliseconds to load, at every start.
 * Hashing touches neither disk nor process, so this file may use the runtime although it is not at the edge of the house.
 */

/** In lower-case hex. */
export const sha256 = (data: string | Uint8Array): string => Bun.CryptoHasher.hash("sha256", data, "hex");
