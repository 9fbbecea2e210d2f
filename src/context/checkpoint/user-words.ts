/**
 * What of a conversation the user said, told apart from what the program put into the same messages: captured context, nudges,
 * placeholders, and what an earlier break left. A block does not tell who wrote it, so the program's own texts are known by form.
 */
import { type Block, byteLength, type Message } from "../../shared/index.ts";
import { PLACEHOLDER } from "../prune.ts";
import { cutText, gapCount, gapText } from "./lists.ts";
import { checkpointIn } from "./message.ts";

export interface Words {
  readonly text: string;
  /** Of the message that they stand in. */
  readonly at: number;
  /** They were kept by a compaction in the middle of the turn in which they were said. */
  readonly isKept: boolean;
}

export const userWords = (messages: readonly Message[]): readonly Words[] =>
  messages.flatMap(({ role, content }, at) =>
    role === "user" ? [...content.flatMap((block) => wordsOf(block, at)), ...imagesOf(content, at)] : [],
  );

/** Behind the words that came with them, whichever way round they were sent. */
const imagesOf = (content: readonly Block[], at: number): readonly Words[] =>
  content.flatMap(({ type }) => (type === "image" ? [{ text: IMAGE, at, isKept: false }] : []));

const IMAGE = "[an image was here; ask for it again if it is needed]";

function wordsOf(block: Block, at: number): readonly Words[] {
  if (block.type !== "text") return [];
  const checkpoint = checkpointIn(block.text);
  if (checkpoint) return checkpoint.words === undefined ? [] : [{ text: checkpoint.words, at, isKept: true }];
  return isOwnText(block.text) ? [] : [{ text: block.text, at, isKept: false }];
}

/** Whole blocks: a user who writes about such a text says more than it. */
const CAPTURED = [
  /^<(environment|git|processes|user-shell)>\n[\s\S]*\n<\/\1>$/,
  /^<mentioned(?: path="(?:[^"\\]|\\.)*")?>\n[\s\S]*\n<\/mentioned>$/,
];
/** As this version and earlier ones say them; `agent/texts.ts` has the present ones. */
const SAID = [
  /^Your answer was cut at the output limit\. Continue from where it stopped/,
  /^Your last turn was empty\. If the task is finished/,
  /^Continue\.$/,
  /^Continue with the task from where it stopped\.$/,
  /^Your answer does not fit the JSON schema that was asked for: /,
  /^The check `[\s\S]*` fails with exit code -?\d+ after your changes\. Its output ends with:\n```\n/,
];
/** As plain text, and as the API's own compaction gave it. */
const BROKEN_OFF = [
  /^This session goes on (?:under another system prompt|with another model), so its earlier messages/,
  /^The earlier conversation, as it was summed up:\n\n/,
];

export const standsForEarlier = (text: string): boolean => BROKEN_OFF.some((form) => form.test(text));

export const isOwnText = (text: string): boolean =>
  text === PLACEHOLDER || standsForEarlier(text) || [...CAPTURED, ...SAID].some((form) => form.test(text));

/** Whether the conversation begins with what stands for an earlier part of it. */
export function beginsBroken(messages: readonly Message[]): boolean {
  const first = messages[0]?.content[0];
  if (first?.type === "compaction") return true;
  return first?.type === "text" && (checkpointIn(first.text) !== undefined || standsForEarlier(first.text));
}

const ONE_BYTES = 4 * 1024;
const ALL_BYTES = 24 * 1024;

export const shortWords = (text: string): string => cutText(text, ONE_BYTES);

/** Each cut, and of all together the first and the newest, with the gap named. A gap that stands in them already becomes part of it. */
export function boundedWords(words: readonly string[], bytes = ALL_BYTES, between = 0): readonly string[] {
  const [first, ...rest] = words.map((text) => cutText(shortWords(text), Math.floor(bytes / 4)));
  if (first === undefined) return [];
  let room = bytes - byteLength(first);
  const from = rest.findLastIndex((text) => {
    room -= byteLength(text) + between;
    return room < 0;
  });
  const gone = rest.slice(0, from + 1).reduce((sum, text) => sum + Math.max(1, gapCount(text)), 0);
  return gone === 0 ? [first, ...rest] : [first, gapText(gone), ...rest.slice(from + 1)];
}
