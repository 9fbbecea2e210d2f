/**
 * Images of a session whose bytes are gone from the blob store. They cannot be sent again, and other bytes in their place
 * would make every signature behind them worthless: so the conversation takes a recorded break, and goes on without them.
 */
import { conversationImages, type SessionHandle } from "../session/index.ts";

const PLACEHOLDER = "[The image that stood here is no longer stored.]";

/** Publishes the break when one is needed, and returns what people should know. */
export async function dropMissingImages(session: SessionHandle): Promise<readonly string[]> {
  const hashes = new Set(conversationImages(session.state().conversation).map(({ sha256 }) => sha256));
  const gone: string[] = [];
  for (const sha256 of hashes) {
    if (!(await session.blobs.get(sha256))) gone.push(sha256);
  }
  if (gone.length === 0) return [];
  const nothingElse = { toolUseIds: [], tokensReclaimedEstimate: 0 };
  session.publish({
    type: "context.pruned",
    payload: { ...nothingElse, placeholder: PLACEHOLDER, imageSha256s: gone },
  });
  const images = gone.length === 1 ? "An image of this session is" : `${gone.length} images of this session are`;
  return [`${images} no longer stored; it goes on without.`];
}
