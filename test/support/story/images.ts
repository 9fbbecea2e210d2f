/** A few images, by their hash: headers that the strict server can read, for it never looks at a pixel. */
import { sha256 } from "../../../src/shared/index.ts";

/** So many pixels wide and high. */
export function png(side: number): Buffer {
  const bytes = Buffer.alloc(33, side);
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]).copy(bytes);
  bytes.write("IHDR", 12, "latin1");
  bytes.writeUInt32BE(side, 16);
  bytes.writeUInt32BE(side, 20);
  return bytes;
}

const stored = [1, 2, 3].map(png).map((bytes) => ({ sha256: sha256(bytes.toString("base64")), bytes }));

/** As a message names them. */
export const ATTACHMENTS = stored.map(({ sha256: hash, bytes }, at) => ({
  sha256: hash,
  mediaType: "image/png",
  bytes: bytes.length,
  name: `${at}.png`,
}));

/** As the client loads them for a request. */
export const IMAGES: ReadonlyMap<string, string> = new Map(
  stored.map(({ sha256: hash, bytes }) => [hash, bytes.toString("base64")]),
);
