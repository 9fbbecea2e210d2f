/** Ids of calls must be unique in a whole history; a gateway that repeats one would otherwise end the session for good. */
import type { ConversationState } from "../session/index.ts";

export function uniqueToolUseId(
  conversation: ConversationState,
): (id: string, taken: readonly { readonly toolUseId: string }[]) => string {
  const isUsed = (id: string): boolean =>
    conversation.messages.some((message) =>
      message.content.some((block) => block.type === "tool_use" && block.id === id),
    );
  return (id, taken) => {
    let candidate = id;
    const isTaken = () => taken.some(({ toolUseId }) => toolUseId === candidate) || isUsed(candidate);
    for (let copy = 2; isTaken(); copy++) candidate = `${id}_${copy}`;
    return candidate;
  };
}
