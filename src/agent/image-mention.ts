/**
 * An image that the user mentioned: judged by its own bytes and by what the API takes, kept as a blob, and named in the message
 * by its hash. The limits are the API's (10 MB as base64, 8000 pixels a side); beyond 20 images in one request it would refuse
 * also smaller ones, which were sent long before, so a conversation never holds more.
 */
import { conversationImages, type SessionHandle } from "../session/index.ts";
import { base64Length, type ImageFacts, imageFacts, type Payload } from "../shared/index.ts";
import type { Workspace } from "../workspace/index.ts";

export type Attachment = NonNullable<Payload<"user.message-created">["attachments"]>[number];

export type ImageCapture =
  | { readonly kind: "image"; readonly attachment: Attachment; readonly message: string }
  | { readonly kind: "refused"; readonly message: string };

const MAX_BASE64_BYTES = 10 * 1024 * 1024;
const MAX_BYTES = (MAX_BASE64_BYTES / 4) * 3;
const MAX_SIDE = 8000;
export const MAX_IMAGES = 20;
/** Of a request's 32 MB; the rest is for what is said. */
const MAX_ALL_BASE64_BYTES = 20 * 1024 * 1024;
const HEADER_BYTES = 16;

interface Ports {
  readonly session: SessionHandle;
  readonly workspace: Workspace;
}

/** Undefined when the file is no image, or cannot be read: what it is instead is for others to say. */
export async function captureImage(
  { session, workspace }: Ports,
  path: string,
  given: readonly Attachment[],
): Promise<ImageCapture | undefined> {
  const head = await workspace.readFile(path, { maxBytes: HEADER_BYTES });
  if (!head.ok || imageFacts(head.value.bytes) === undefined) return undefined;
  const file = await workspace.readFile(path, { maxBytes: MAX_BYTES + 1 });
  if (!file.ok) return undefined;
  const { bytes, sizeBytes } = file.value;
  const problem = imageProblem(bytes, sizeBytes) ?? noRoom(session, given, bytes.length);
  if (problem) return { kind: "refused", message: `Not given: ${problem}.` };
  const facts = imageFacts(bytes) as ImageFacts; // just looked at
  const name = path.slice(path.lastIndexOf("/") + 1);
  const attachment = { sha256: await session.blobs.put(bytes), mediaType: facts.mediaType, bytes: bytes.length, name };
  const which = given.length === 0 ? "The image below" : `Image ${given.length + 1} below`;
  const message = `${which}: ${facts.mediaType}, ${facts.width} x ${facts.height} pixels, ${bytes.length} bytes.`;
  return { kind: "image", attachment, message };
}

/** Why the API would not take this file, in words with the limit; undefined when it would. */
export function imageProblem(bytes: Uint8Array, sizeBytes: number): string | undefined {
  const facts = imageFacts(bytes);
  if (!facts) return "it is no PNG, JPEG, GIF or WebP image";
  if (sizeBytes > MAX_BYTES) return `the image has ${sizeBytes} bytes; the API takes ${MAX_BYTES} (10 MB as base64)`;
  if (facts === "broken") return "the image is damaged: its size in pixels cannot be read";
  const { width, height } = facts;
  if (Math.max(width, height) <= MAX_SIDE) return undefined;
  return `the image has ${width} x ${height} pixels; the API takes ${MAX_SIDE} a side: make it smaller`;
}

function noRoom(session: SessionHandle, given: readonly Attachment[], bytes: number): string | undefined {
  const all = [...conversationImages(session.state().conversation), ...given];
  if (all.length >= MAX_IMAGES) return `the conversation holds ${MAX_IMAGES} images, and more are not taken`;
  const sum = [...all, { bytes }].reduce((total, image) => total + base64Length(image.bytes), 0);
  if (sum <= MAX_ALL_BASE64_BYTES) return undefined;
  return `with the images before it the request would grow beyond ${MAX_ALL_BASE64_BYTES / 1024 / 1024} MiB of images`;
}
