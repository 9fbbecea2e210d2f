/** What a user's message is made of: captured context, images, and what was said. And which images a conversation holds. */
import { type ImageBlock, isBlank, type Payload, type UserBlock, wellFormed } from "../../shared/index.ts";
import type { ConversationState } from "../types.ts";

type Said = Pick<Payload<"user.message-created">, "text" | "context" | "attachments">;

/** Each captured piece is a block of its own, so that no joiner can change a byte later; blank ones are refused. */
export function userBlocks({ text, context = [], attachments = [] }: Said): readonly UserBlock[] {
  return [...context.flatMap((entry) => textBlock(entry.text)), ...attachments.map(imageBlock), ...textBlock(text)];
}

const textBlock = (text: string): readonly UserBlock[] =>
  isBlank(text) ? [] : [{ type: "text", text: wellFormed(text) }];

const imageBlock = ({
  sha256,
  mediaType: media_type,
  bytes,
}: NonNullable<Said["attachments"]>[number]): ImageBlock => ({
  type: "image",
  source: { type: "blob", media_type, sha256, bytes },
});

/** Every image that a request holds or will hold, as often as it is in it, with the size of its bytes. */
export function conversationImages(conversation: ConversationState): readonly ImageBlock["source"][] {
  const { messages, held = [], queued = new Map() } = conversation;
  const waiting = [...queued.values()].flatMap(({ blocks }) => blocks);
  const said = messages.flatMap(({ role, content }): readonly UserBlock[] => (role === "user" ? content : []));
  return [...said, ...held, ...waiting].flatMap((block) => (block.type === "image" ? [block.source] : []));
}
