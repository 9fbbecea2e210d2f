/** Images: real base64, a known format, and bytes and sides within the limits. Reads headers, never pixels. */

import type { PlacedBlock, Request } from "./request.ts";
import { isRecord } from "./shape.ts";
import { type Refusal, refuse } from "./table.ts";

const MAX_BYTES = 10 * 1024 * 1024;
const MAX_SIDE = 8000;
const MANY_IMAGES = 20;
const MAX_SIDE_OF_MANY = 2000;

export function misfitOfMedia({ turns }: Request): Refusal | undefined {
  const images = turns.flatMap((turn) => turn.blocks.flatMap(imagesIn));
  const limit = images.length > MANY_IMAGES ? MAX_SIDE_OF_MANY : MAX_SIDE;
  for (const image of images) {
    const refusal = misfit(image, limit);
    if (refusal) return refusal;
  }
  return undefined;
}

interface Image {
  readonly path: string;
  readonly data: string;
  readonly mediaType: unknown;
}

function imagesIn({ block, path }: PlacedBlock): readonly Image[] {
  const inner = block.content;
  const candidates = Array.isArray(inner) ? inner.map((b, i) => ({ b, path: `${path}.content.${i}` })) : [];
  return [{ b: block, path }, ...candidates].flatMap(({ b, path: at }) => {
    const source = isRecord(b) && b.type === "image" ? b.source : undefined;
    if (!isRecord(source) || typeof source.data !== "string") return [];
    return [{ path: at, data: source.data, mediaType: source.media_type }];
  });
}

function misfit({ path, data, mediaType }: Image, limit: number): Refusal | undefined {
  if (data.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return refuse("35", { path });
  if (data.length > MAX_BYTES) return refuse("35a", { path });
  const size = dimensions(Buffer.from(data, "base64"), mediaType);
  if (!size) return refuse("35c", { path });
  const tooLarge = Math.max(size.width, size.height) > limit;
  return tooLarge ? refuse("35b", { path, limit }, { max_side_length_pixels: limit, paths: [path] }) : undefined;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Undefined also where the bytes are of another type than is said. */
function dimensions(bytes: Buffer, mediaType: unknown): Size | undefined {
  switch (mediaType) {
    case "image/png":
      if (bytes.length < 24 || bytes.toString("latin1", 1, 4) !== "PNG") return undefined;
      return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
    case "image/gif":
      if (bytes.length < 10 || bytes.toString("latin1", 0, 4) !== "GIF8") return undefined;
      return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
    case "image/webp":
      return bytes.length >= 30 && bytes.toString("latin1", 8, 12) === "WEBP" ? webp(bytes) : undefined;
    default:
      return bytes.length >= 4 && bytes.readUInt16BE(0) === 0xffd8 ? jpeg(bytes) : undefined;
  }
}

function webp(bytes: Buffer): Size | undefined {
  const kind = bytes.toString("latin1", 12, 16);
  if (kind === "VP8X") return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (kind === "VP8 ") return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  const packed = bytes.readUInt32LE(21);
  return kind === "VP8L" ? { width: (packed & 0x3fff) + 1, height: ((packed >> 14) & 0x3fff) + 1 } : undefined;
}

/** Walks the segments to the first frame header. */
function jpeg(bytes: Buffer): Size | undefined {
  let at = 2;
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}
