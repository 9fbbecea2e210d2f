/** Messages as text to be read: each block with its size, and as much of it as has room on a screen. */
import { conversation } from "../../session/index.ts";
import { type Block, estimateTokens, type Message } from "../../shared/index.ts";
import type { Engine } from "../engine.ts";
import { counted, tokensText } from "../words.ts";
import { fenced } from "./markdown-table.ts";

/** A message, and the seqs of the first and last event that made it. */
export interface PlacedMessage {
  readonly message: Message;
  readonly first: number;
  readonly last: number;
}

/**
 * As the fold has them after each of these events, in the given order: the same fold that makes requests. Throws an Error for
 * people when there is no such event.
 */
export async function messagesAt(
  { store, session }: Engine,
  seqs: readonly number[],
): Promise<readonly (readonly PlacedMessage[])[]> {
  const { lastSeq } = session.state();
  const last = Math.max(...seqs);
  if (last > lastSeq) throw new Error(`There is no event @${last}. The last event is @${lastSeq}.`);
  const found = new Map<number, readonly PlacedMessage[]>();
  let state = conversation.initial();
  for await (const event of store.read(session.id)) {
    if (event.seq > last) break;
    state = conversation.apply(state, event);
    if (seqs.includes(event.seq)) found.set(event.seq, placed(state)); // its lists grow in place
  }
  return seqs.map((seq) => found.get(seq) ?? []);
}

const placed = ({ messages, spans }: Pick<ReturnType<typeof conversation.initial>, "messages" | "spans">) =>
  messages.map((message, at) => ({ message, first: spans[at]?.first ?? 0, last: spans[at]?.last ?? 0 }));

/** A screen is no place for a megabyte: each block is shown up to here, and the log has all of it. */
const MAX_BLOCK_CHARACTERS = 4_000;
const MAX_MESSAGES = 400;

export function asText(messages: readonly Message[]): string {
  if (messages.length === 0) return "Nothing was said yet.";
  const shown = messages.slice(-MAX_MESSAGES);
  const left = messages.length - shown.length;
  const parts = shown.map((message, at) => {
    const blocks = blocksOf(message).map(blockText);
    return `### ${left + at + 1} ${message.role}\n\n${blocks.join("\n\n")}`;
  });
  return [...(left > 0 ? [`${counted(left, "older message")} stand before these.`] : []), ...parts].join("\n\n");
}

export const blocksOf = ({ content }: Message): readonly Block[] => content as readonly Block[]; // as: both roles' blocks are blocks

function blockText(block: Block): string {
  const body = contentOf(block);
  const cut = body.length > MAX_BLOCK_CHARACTERS ? `${body.slice(0, MAX_BLOCK_CHARACTERS).toWellFormed()}\n…` : body;
  return `${block.type}, about ${tokensText(estimateTokens(body))} tokens\n\n${fenced(cut)}`;
}

export const blockTokens = (block: Block): number => estimateTokens(contentOf(block));

export function contentOf(block: Block): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "thinking":
      return block.thinking;
    case "tool_use":
      return `${block.name} ${JSON.stringify(block.input)}`;
    case "tool_result":
      return typeof block.content === "string" ? block.content : JSON.stringify(block.content);
    default:
      return JSON.stringify(block);
  }
}
