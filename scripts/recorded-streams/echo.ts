/** Where a later request of the same tape holds the answer: what its sender made of it, against what KHAELOR would send. */
import { type AssistantBlock, isBlank } from "../../src/shared/index.ts";
import { type Json, jsonOf, listOf, type Recording } from "./types.ts";

/** Blocks that belong to tools of the server, and are no part of what KHAELOR asks for. */
const FOREIGN = /^(server_tool_use|.*_tool_result|mcp_tool_use|container_upload|fallback)$/;

/**
 * The assistant's messages of the next request that goes on behind this one. Undefined where there is none.
 * A request goes on when it begins with all the messages of the earlier one.
 */
export function echoOf(recording: Recording, tape: readonly Recording[]): readonly Json[] | undefined {
  const said = listOf(recording.request?.body.messages);
  for (const later of tape) {
    if (later.at <= recording.at) continue;
    const messages = listOf(later.request?.body.messages);
    const goesOn = messages.length > said.length && same(messages.slice(0, said.length), said);
    const echo = jsonOf(messages[said.length]);
    if (goesOn && echo.role === "assistant") return blocksOf(echo.content);
  }
  return undefined;
}

const same = (one: unknown, other: unknown): boolean => Bun.deepEquals(unmarked(one), unmarked(other));

/** Cache marks move from request to request. */
function unmarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unmarked);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== "cache_control")
      .map(([key, inner]) => [key, unmarked(inner)]),
  );
}

const blocksOf = (content: unknown): readonly Json[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : listOf(content).map(jsonOf);

/**
 * Both without what the sender does not keep or has made up: foreign blocks, citations, cache marks, who made a call, and the
 * white space that some put where they had no text. None of it is the accumulator's.
 */
export function echoDiffers(echo: readonly Json[], replay: readonly AssistantBlock[]): string | undefined {
  const theirs = comparable(echo);
  const ours = comparable(replay.map((block): Json => ({ ...block })));
  if (same(theirs, ours)) return undefined;
  const at = theirs.findIndex((block, i) => !same(block, ours[i]));
  const place = at === -1 ? theirs.length : at;
  return `block ${place}: they send ${brief(theirs[place])}, KHAELOR ${brief(ours[place])}`;
}

function comparable(blocks: readonly Json[]): readonly Json[] {
  return blocks
    .filter(({ type, text }) => !FOREIGN.test(String(type)) && !(type === "text" && isBlank(String(text))))
    .map(({ citations: _citations, cache_control: _mark, caller: _caller, ...block }) => block);
}

const brief = (block: unknown): string => (block === undefined ? "nothing" : JSON.stringify(block).slice(0, 160));
