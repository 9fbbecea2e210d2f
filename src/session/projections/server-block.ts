/**
 * The API's own compaction block means something to the model that it was made for. Another one gets its text, in a message as the
 * user's are: the block says in plain words what it holds.
 */
import { isBlank, type Message } from "../../shared/index.ts";
import { type Conversation, type Extent, joined } from "./conversation-state.ts";

/** For when another model takes over; everything stays where there is no such block, or one without words. */
export function withReadableBlock(state: Conversation): Conversation {
  const [block] = state.messages[0]?.content ?? [];
  if (block?.type !== "compaction" || typeof block.content !== "string" || isBlank(block.content)) return state;
  const first: Message = { role: "user", content: [{ type: "text", text: `${INTRODUCTION}\n\n${block.content}` }] };
  const [, next, ...rest] = state.messages;
  const whole = next && joined(first, next);
  if (!next || !whole) return { ...state, messages: state.messages.with(0, first) };
  const [own, after, ...spans] = state.spans;
  const span = { first: own?.first ?? 0, last: after?.last ?? own?.last ?? 0 };
  return { ...state, messages: [whole, ...rest], spans: [span, ...spans], turnStart: movedStart(state.turnStart) };
}

/** Where the turn begins once the first two messages are one. */
function movedStart(start: Extent | undefined): Extent | undefined {
  if (!start || start.messages < 2) return start;
  return { messages: start.messages - 1, blocks: start.blocks + (start.messages === 2 ? 1 : 0) };
}

const INTRODUCTION = "The earlier conversation, as it was summed up:";
