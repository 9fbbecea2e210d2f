/**
 * What of a conversation the user said, told apart from what the program put into the same messages: captured context, nudges,
 * placeholders, and what an earlier break left. A block does not tell who wrote it, so the program's own texts are known by form.
 */
import { type Block, byteLength, type Message } from "../../shared/index.ts";
import { PLACEHOLDER } from "../prune.ts";
import { cutText, gapText } from "./lists.ts";
import { checkpointIn } from "./message.ts";

export interface Words {
  readonly text: string;
  /** Of the message that they stand in. */
  readonly at: number;
  /** They were kept by a compaction in the middle of the turn in which they were said. */
  readonly isKept: boolean;
}

export const userWords = (messages: readonly Message[]): readonly Words[] =>
  messages.flatMap(({ role, content }, at) => (role === "user" ? content.flatMap((block) => wordsOf(block, at)) : []));

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
const BROKEN_OFF = /^This session goes on (?:under another system prompt|with another model), so its earlier messages/;

const isOwnText = (text: string): boolean =>
  text === PLACEHOLDER || [...CAPTURED, ...SAID, BROKEN_OFF].some((form) => form.test(text));

/** Whether the conversation begins with what stands for an earlier part of it. */
export function beginsBroken(messages: readonly Message[]): boolean {
  const first = messages[0]?.content[0];
  if (first?.type === "compaction") return true;
  return first?.type === "text" && (checkpointIn(first.text) !== undefined || BROKEN_OFF.test(first.text));
}

const ONE_BYTES = 4 * 1024;
const ALL_BYTES = 24 * 1024;

/** Each cut, and of all together the first and the newest, with the gap named. */
export function boundedWords(words: readonly Words[]): readonly string[] {
  const [first, ...rest] = words.map(({ text }) => cutText(text, ONE_BYTES));
  if (first === undefined) return [];
  let room = ALL_BYTES - byteLength(first);
  const from = rest.findLastIndex((text) => {
    room -= byteLength(text);
    return room < 0;
  });
  return from === -1 ? [first, ...rest] : [first, gapText(from + 1), ...rest.slice(from + 1)];
}
