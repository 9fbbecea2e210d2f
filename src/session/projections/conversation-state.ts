/** What the conversation's fold keeps beside the messages, and how its places are counted. */
import type { AssistantBlock, Message, ToolResultBlock, UserBlock } from "../../shared/index.ts";
import type { Settling } from "../settlement.ts";
import type { ConversationState } from "../types.ts";

export interface OpenAnswer {
  readonly requestId: string;
  readonly blocks: readonly Settling[];
  readonly interrupted: boolean;
}

/** A place in the conversation: so many messages, the last of which holds so many blocks. */
export interface Extent {
  readonly messages: number;
  readonly blocks: number;
}

export interface Span {
  readonly first: number;
  readonly last: number;
}

/** The fold's own state, always with all of its keys; readers see it as ConversationState. Ids come from servers, so they are keys of maps only. */
export interface Conversation extends ConversationState {
  readonly messages: Message[];
  readonly spans: Span[];
  readonly callIds: Set<string>;
  /** The request whose blocks are still settling. */
  readonly open?: OpenAnswer | undefined;
  /** Results of awaited calls, until all of them are there. */
  readonly results: ReadonlyMap<string, ToolResultBlock>;
  /** User blocks that came while results were missing: they follow the results. */
  readonly held: readonly UserBlock[];
  readonly queued: ReadonlyMap<string, { readonly blocks: readonly UserBlock[]; readonly beginsTurn: boolean }>;
  /** As the turn state's phase `open`: between turns, a queued message begins one. */
  readonly inTurn: boolean;
  /** What there was before the turn's own message; absent once a tool has acted on it, for then it stays. */
  readonly turnStart?: Extent | undefined;
}

export const NO_RESULTS: ReadonlyMap<string, ToolResultBlock> = new Map();

export const countBlocks = (messages: readonly Message[]): number =>
  messages.reduce((sum, { content }) => sum + content.length, 0);

/** All blocks, counted on from where the last request ended: a long conversation is not counted again for each of its requests. */
export function blockCount({ messages, sentBlocks, sentTail }: ConversationState): number {
  if (!sentTail) return countBlocks(messages);
  const grown = (messages[sentTail.message]?.content.length ?? 0) - (sentTail.block + 1);
  return sentBlocks + grown + countBlocks(messages.slice(sentTail.message + 1));
}

export const extentOf = (messages: readonly Message[]): Extent => ({
  messages: messages.length,
  blocks: messages.at(-1)?.content.length ?? 0,
});

export function tailOf(messages: readonly Message[]): ConversationState["sentTail"] {
  const last = messages.at(-1);
  return last && { message: messages.length - 1, block: last.content.length - 1 };
}

/** Both contents in one message, or undefined when the roles differ: the API wants roles to alternate. */
export function joined(first: Message, next: Message): Message | undefined {
  if (first.role === "user" && next.role === "user") return { ...first, content: [...first.content, ...next.content] };
  if (first.role === "user" || next.role === "user") return undefined;
  return { ...first, content: [...first.content, ...next.content] satisfies readonly AssistantBlock[] };
}
