/**
 * What the client owes for a stream that was read naively: the blocks that can be recorded and sent again, what the answer
 * cost, and how it ended. Blocks that KHAELOR never asks for (those of server tools, say) are left out, and are named here.
 */
import type { CompletedBlock } from "../../src/anthropic/index.ts";
import { type ModelUsage, NO_USAGE } from "../../src/shared/index.ts";
import type { Block, NaiveMessage } from "./naive.ts";
import type { ClientReading } from "./through-client.ts";
import { isJson, type Json, jsonOf, listOf } from "./types.ts";

export type Owed = Pick<ClientReading, "blocks" | "finish"> & {
  /** The types of what is left out, one for each block. */
  readonly leftOut: readonly string[];
};

export function owedFor(message: NaiveMessage): Owed {
  const blocks: [number, CompletedBlock][] = [];
  const leftOut: string[] = [];
  for (const [index, block] of message.content.entries()) {
    const kept = block && keptOf(block);
    if (kept) blocks.push([index, kept]);
    else if (block) leftOut.push(block.type === "thinking" ? "thinking without signature" : block.type);
  }
  return { blocks, leftOut, finish: finishFor(message) };
}

function keptOf(block: Block): CompletedBlock | undefined {
  switch (block.type) {
    case "text":
      return { type: "text", text: String(block.text) };
    case "thinking":
      return block.signature
        ? { type: "thinking", thinking: String(block.thinking), signature: String(block.signature) }
        : undefined;
    case "redacted_thinking":
      return { type: "redacted_thinking", data: String(block.data) };
    case "tool_use":
      return callOf(block);
    case "compaction":
      return { type: "compaction", block };
    default:
      return undefined;
  }
}

function callOf({ id, name, input, caller, toolset_name }: Block): CompletedBlock {
  return {
    type: "tool_use",
    id: String(id),
    name: String(name),
    ...(isJson(caller) ? { caller } : {}),
    ...(typeof toolset_name === "string" ? { toolsetName: toolset_name } : {}),
    input: typeof input === "string" ? { INVALID_JSON: input } : (input ?? {}),
  };
}

function finishFor(message: NaiveMessage): ClientReading["finish"] {
  const { id, model, stopReason, stopDetails, cacheMissReason } = message;
  return {
    stopReason: String(stopReason),
    usage: usageOf(message.usage),
    ...(typeof id === "string" ? { messageId: id } : {}),
    ...(typeof model === "string" ? { resolvedModel: model } : {}),
    ...(stopDetails === undefined ? {} : { stopDetails }),
    ...(typeof cacheMissReason === "string" ? { cacheMissReason } : {}),
  };
}

/** The sums of the answer, and what compactions on the server used beside them. */
function usageOf(said: Json): ModelUsage {
  const compactions = listOf(said.iterations).filter((entry) => jsonOf(entry).type === "compaction");
  const counts = [said, ...compactions.map(jsonOf)].flatMap(countsOf);
  const sumOf = (name: string): number => counts.reduce((sum, [key, count]) => sum + (key === name ? count : 0), 0);
  return { ...NO_USAGE, ...Object.fromEntries(counts.map(([name]) => [name, sumOf(name)])) };
}

function countsOf(said: Json): readonly (readonly [name: keyof ModelUsage, count: number])[] {
  const written = jsonOf(said.cache_creation);
  const counts = [
    ["inputTokens", said.input_tokens],
    ["outputTokens", said.output_tokens],
    ["cacheReadTokens", said.cache_read_input_tokens],
    ["cacheWriteTokens", said.cache_creation_input_tokens],
    ["cacheWrite5m", written.ephemeral_5m_input_tokens],
    ["cacheWrite1h", written.ephemeral_1h_input_tokens],
    ["thinkingTokens", jsonOf(said.output_tokens_details).thinking_tokens],
  ] as const;
  return counts.flatMap(([name, count]) => (typeof count === "number" ? [[name, count] as const] : []));
}
