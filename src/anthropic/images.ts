/**
 * The bytes of images, put in the place of their hashes in the body that goes out, and nowhere else. A request whose image is
 * gone is not sent: with other bytes in its place the server would refuse every signature made behind it.
 */
import type { ImageBlockParam } from "@anthropic-ai/sdk/resources/messages/messages";
import { type ImageBlock, invariant, type Message } from "../shared/index.ts";
import { ModelError } from "./types.ts";

/** The content under this hash, or undefined when it is missing or damaged. */
export type LoadBlob = (sha256: string) => Promise<Uint8Array | undefined>;

/** Base64 by hash. */
export type Images = ReadonlyMap<string, string>;

export const NO_IMAGES: Images = new Map();

/** Throws ModelError when an image is missing. */
export async function loadImages(messages: readonly Message[], load: LoadBlob): Promise<Images> {
  const images = new Map<string, string>();
  for (const { content } of messages) {
    for (const block of content) {
      if (block.type !== "image" || images.has(block.source.sha256)) continue;
      const bytes = await load(block.source.sha256);
      if (!bytes) throw missing(block.source.sha256);
      images.set(block.source.sha256, Buffer.from(bytes).toString("base64"));
    }
  }
  return images;
}

const missing = (sha256: string): ModelError =>
  new ModelError({
    kind: "invalid-request",
    message:
      `an image of this conversation is no longer stored (blob ${sha256.slice(0, 12)}…); ` +
      "resume the session, and it goes on without the image",
    attempts: 0,
  });

export function imageParam({ source }: ImageBlock, images: Images): ImageBlockParam {
  const data = images.get(source.sha256);
  invariant(data !== undefined, "the images of a request are loaded before its body is made");
  // as: the log says what the bytes were when they were taken in, which was one of the four.
  const mediaType = source.media_type as "image/png";
  return { type: "image", source: { type: "base64", media_type: mediaType, data } };
}
