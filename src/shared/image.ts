/** What an image file says of itself in its first bytes. Reads headers, never pixels; a file's name counts for nothing. */

export interface ImageFacts {
  readonly mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  readonly width: number;
  readonly height: number;
}

/** Undefined when it is no image of the four kinds that a model takes; `broken` when it says so and its size cannot be read. */
export function imageFacts(bytes: Uint8Array): ImageFacts | "broken" | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const mediaType = mediaTypeOf(view);
  if (!mediaType) return undefined;
  const size = sizeOf(view, mediaType);
  return size && size.width > 0 && size.height > 0 ? { mediaType, ...size } : "broken";
}

function mediaTypeOf(view: Buffer): ImageFacts["mediaType"] | undefined {
  const head = view.toString("latin1", 0, 12);
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (head.startsWith("GIF87a") || head.startsWith("GIF89a")) return "image/gif";
  return head.startsWith("RIFF") && head.endsWith("WEBP") ? "image/webp" : undefined;
}

type Size = Pick<ImageFacts, "width" | "height">;

function sizeOf(view: Buffer, mediaType: ImageFacts["mediaType"]): Size | undefined {
  switch (mediaType) {
    case "image/png":
      return view.length < 24 ? undefined : { width: view.readUInt32BE(16), height: view.readUInt32BE(20) };
    case "image/gif":
      return view.length < 10 ? undefined : { width: view.readUInt16LE(6), height: view.readUInt16LE(8) };
    case "image/webp":
      return view.length < 30 ? undefined : webpSize(view);
    case "image/jpeg":
      return jpegSize(view);
  }
}

function webpSize(view: Buffer): Size | undefined {
  const kind = view.toString("latin1", 12, 16);
  if (kind === "VP8X") return { width: view.readUIntLE(24, 3) + 1, height: view.readUIntLE(27, 3) + 1 };
  if (kind === "VP8 ") return { width: view.readUInt16LE(26) & 0x3fff, height: view.readUInt16LE(28) & 0x3fff };
  const packed = view.readUInt32LE(21);
  return kind === "VP8L" ? { width: (packed & 0x3fff) + 1, height: ((packed >> 14) & 0x3fff) + 1 } : undefined;
}

/** Markers between 0xc0 and 0xcf that begin no frame. */
const NO_FRAMES = [0xc4, 0xc8, 0xcc];

/** Walks the segments to the first frame header. */
function jpegSize(view: Buffer): Size | undefined {
  for (let at = 2; at + 9 <= view.length && view[at] === 0xff; ) {
    const marker = view[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1; // fill
    } else if (marker >= 0xc0 && marker <= 0xcf && !NO_FRAMES.includes(marker)) {
      return { height: view.readUInt16BE(at + 5), width: view.readUInt16BE(at + 7) };
    } else {
      at += 2 + view.readUInt16BE(at + 2);
    }
  }
  return undefined;
}
