/**
 * Sessions of Claude Code: lines linked by `uuid` and `parentUuid`, one line for each block of an answer, results as lines of
 * the user's, sidechains of helpers in between. Only what leads to the newest line was in the conversation.
 */
import { pathToNewest } from "./branch.ts";
import { answerBlock, partsOf, resultText } from "./content.ts";
import { type Json, numberAt, recordAt, recordsIn, textAt, timeAt } from "./lines.ts";
import type { Answer, CallResult, Entry, Said, Spent, Tally } from "./types.ts";

type Timed<T> = T & { readonly at?: number };

interface Message {
  readonly line: Json;
  readonly message: Json;
}

export const isClaude = (lines: readonly Json[]): boolean => lines.some((line) => messageOf(line) !== undefined);

function messageOf(line: Json): Message | undefined {
  const message = recordAt(line, "message");
  const isOne = (line.type === "user" || line.type === "assistant") && textAt(line, "uuid") !== undefined;
  return isOne && message && textAt(message, "role") === line.type ? { line, message } : undefined;
}

export function readClaude(lines: readonly Json[], tally: Tally): readonly Entry[] {
  const messages = onPath(ofOneChain(lines, tally), tally);
  const entries: Timed<Entry>[] = [];
  let answered = -1;
  const calls = new Set<string>();
  for (const { line, message } of messages) {
    const at = timeAt(line, "timestamp");
    const timed = <T extends Entry>(entry: T) => ({ ...entry, ...(at !== undefined && { at }) });
    if (line.type === "user") {
      entries.push(...userEntries(line, message, tally).map(timed));
      continue;
    }
    const next = answerOf(line, message, { tally, calls });
    const before = entries[answered];
    // The blocks of one answer are lines of their own, and the results of its first calls may stand between them.
    if (before?.kind === "answer" && next.messageId !== undefined && before.messageId === next.messageId) {
      entries[answered] = { ...before, ...next, blocks: [...before.blocks, ...next.blocks] };
    } else {
      answered = entries.push(timed(next)) - 1;
    }
  }
  return entries;
}

/** The main chain; in a file that holds nothing but a sidechain, that. */
function ofOneChain(lines: readonly Json[], tally: Tally): readonly Json[] {
  const main = lines.filter((line) => line.isSidechain !== true);
  if (!main.some(messageOf)) return lines;
  tally.add("lines of sidechains", lines.length - main.length);
  return main;
}

function onPath(lines: readonly Json[], tally: Tally): readonly Message[] {
  const newest = lines.findLastIndex((line) => messageOf(line) !== undefined);
  const linked = lines.slice(0, newest + 1).flatMap((line) => {
    const id = textAt(line, "uuid");
    const parent = textAt(line, "parentUuid") ?? textAt(line, "logicalParentUuid");
    return id === undefined ? [] : [{ id, parent }];
  });
  const path = pathToNewest(linked, tally);
  const messages: Message[] = [];
  for (const line of lines) {
    const found = messageOf(line);
    if (found) messages.push(found);
    else tally.add(`lines that are no part of the conversation: ${textAt(line, "type") ?? "unknown"}`);
  }
  const isOn = ({ line }: Message): boolean => path.has(textAt(line, "uuid") ?? "");
  // Calls side by side: each is a line below the one before, and each result hangs below its own call.
  const answers = new Set(messages.filter(isOn).flatMap(({ message }) => textAt(message, "id") ?? []));
  const ofAnswer = messages.filter((found) => isOn(found) || answers.has(textAt(found.message, "id") ?? ""));
  const calls = new Set(ofAnswer.flatMap(({ message }) => blockIds(message, "tool_use", "id")));
  const kept = messages.filter(
    (found) =>
      ofAnswer.includes(found) || blockIds(found.message, "tool_result", "tool_use_id").some((id) => calls.has(id)),
  );
  tally.add("messages on a branch that was left", messages.length - kept.length);
  return kept;
}

function blockIds({ content }: Json, type: string, key: string): readonly string[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: Json) => (block?.type === type ? (textAt(block, key) ?? []) : []));
}

const STOPPED = "[Request interrupted by user";

function userEntries(line: Json, message: Json, tally: Tally): readonly Entry[] {
  const { content } = message;
  if (!Array.isArray(content)) return [said(line, content, tally)];
  const blocks = recordsIn(content, tally);
  const results = blocks.filter(({ type }) => type === "tool_result");
  const others = blocks.filter((block) => !results.includes(block));
  const words = others.length > 0 ? [said(line, others, tally)] : [];
  return [...results.map((block) => resultOf(block, tally)), ...words];
}

function said(line: Json, content: unknown, tally: Tally): Said {
  const parts = partsOf(content, tally);
  const stops = parts.some((part) => part.type === "text" && part.text.startsWith(STOPPED));
  const by = line.isCompactSummary === true ? "summary" : line.isMeta === true ? "program" : "user";
  return { kind: "said", by, parts, ...(stops && { stops }) };
}

const resultOf = (block: Json, tally: Tally): CallResult => ({
  kind: "result",
  callId: textAt(block, "tool_use_id") ?? "",
  text: resultText(block.content, tally),
  isError: block.is_error === true,
});

/** What the program writes in the model's name when the API failed. */
const SYNTHETIC = "<synthetic>";

function answerOf(line: Json, message: Json, { tally, calls }: { tally: Tally; calls: Set<string> }): Answer {
  const model = textAt(message, "model");
  const failed = line.isApiErrorMessage === true || model === SYNTHETIC;
  const blocks = recordsIn(message.content, tally).flatMap((raw) => {
    const block = answerBlock(raw, tally);
    if (block?.type !== "call") return block ?? [];
    const key = `${textAt(message, "id")} ${block.id}`;
    if (calls.has(key)) {
      tally.add("calls that were written twice");
      return [];
    }
    calls.add(key);
    return block;
  });
  const [messageId, stopReason] = [textAt(message, "id"), textAt(message, "stop_reason")];
  const usage = recordAt(message, "usage");
  return {
    kind: "answer",
    blocks,
    end: failed ? "failed" : "finished",
    ...(failed && { failure: "the other agent recorded an error in the model's name" }),
    ...(stopReason !== undefined && { stopReason }),
    ...(model !== undefined && { model }),
    ...(messageId !== undefined && { messageId }),
    ...(usage && { spent: spentOf(usage) }),
  };
}

const spentOf = (usage: Json): Spent => ({
  input: numberAt(usage, "input_tokens") ?? 0,
  output: numberAt(usage, "output_tokens") ?? 0,
  cacheRead: numberAt(usage, "cache_read_input_tokens") ?? 0,
  cacheWrite: numberAt(usage, "cache_creation_input_tokens") ?? 0,
});
