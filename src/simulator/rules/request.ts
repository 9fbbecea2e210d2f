/** A request whose shape has been accepted, and its conversation as the API sees it: neighbours of one role merged. */
import type { SimulatedModel, ThinkingType } from "../models.ts";
import type { Json } from "../types.ts";

export interface Mark {
  readonly type: "ephemeral";
  readonly ttl?: "5m" | "1h";
}

export interface Block extends Json {
  readonly type: string;
  readonly cache_control?: Mark | null;
}

export interface RawMessage extends Json {
  readonly role: "user" | "assistant" | "system";
  readonly content: string | readonly Block[];
  readonly clear_at?: string;
}

export interface Tool extends Json {
  readonly type?: string | null;
  readonly name: string;
  readonly input_schema?: Json;
  readonly defer_loading?: boolean;
  readonly cache_control?: Mark | null;
}

export interface Thinking {
  readonly type?: ThinkingType;
  readonly display?: "summarized" | "omitted" | "updates" | null;
  readonly budget_tokens?: number;
  readonly block_binding?: { readonly prefix_mismatch_behavior?: "error" | "drop_block" };
}

export interface Body extends Json {
  readonly model: string;
  readonly messages: readonly RawMessage[];
  readonly max_tokens?: number;
  readonly stream?: boolean;
  readonly system?: string | readonly Block[];
  readonly tools?: readonly Tool[];
  readonly tool_choice?: { readonly type: "auto" | "any" | "tool" | "none"; readonly name?: string };
  readonly thinking?: Thinking;
  readonly output_config?: { readonly effort?: string | null; readonly format?: unknown };
  readonly cache_control?: Mark | null;
  readonly diagnostics?: { readonly previous_message_id?: string | null } | null;
  readonly speed?: string | null;
  readonly compaction?: { readonly instructions?: string | null } | null;
}

export interface PlacedBlock {
  readonly block: Block;
  readonly path: string;
  /** Of a system message that is no longer shown once a later user message stands. */
  readonly clearAt?: true;
}

export interface Turn {
  readonly role: RawMessage["role"];
  /** Of the first of the merged messages. */
  readonly index: number;
  readonly blocks: readonly PlacedBlock[];
  /** A summary that stands first is a turn of its own, which nothing is merged into. */
  readonly summary?: true;
}

export interface Request {
  readonly body: Body;
  readonly endpoint: "messages" | "count_tokens";
  readonly betas: ReadonlySet<string>;
  readonly version: string;
  readonly model: SimulatedModel;
  readonly turns: readonly Turn[];
  readonly mergedNeighbours: number;
}

function placed(message: RawMessage, index: number): PlacedBlock[] {
  const path = `messages.${index}.content`;
  const clearing = message.clear_at === undefined ? {} : ({ clearAt: true } as const);
  if (typeof message.content === "string") {
    const block = { type: "text", text: message.content };
    return message.content === "" ? [] : [{ block, path: `${path}.0`, ...clearing }];
  }
  return message.content.map((block, i) => ({ block, path: `${path}.${i}`, ...clearing }));
}

interface GrowingTurn extends Turn {
  readonly blocks: PlacedBlock[];
}

/** Paths keep the indices of the messages as they were sent. */
export function turnsOf(messages: readonly RawMessage[]): { turns: readonly Turn[]; mergedNeighbours: number } {
  const turns: GrowingTurn[] = [];
  let mergedNeighbours = 0;
  for (const [index, message] of messages.entries()) {
    const blocks = placed(message, index);
    if (index === 0) turns.push(...summaryTurn(blocks));
    const last = turns.at(-1);
    if (last?.role === message.role && !last.summary) {
      if (message.role !== "system") mergedNeighbours++;
      for (const block of blocks) last.blocks.push(block);
    } else if (blocks.length > 0 || !last?.summary) {
      turns.push({ role: message.role, index, blocks });
    }
  }
  return { turns, mergedNeighbours };
}

/** Takes a summary off the front of the first message. */
function summaryTurn(blocks: PlacedBlock[]): readonly GrowingTurn[] {
  if (!blocks[0] || !holdsSummary(blocks[0].block)) return [];
  return [{ role: "assistant", index: 0, blocks: blocks.splice(0, 1), summary: true }];
}

export const asksForSummary = ({ body, endpoint }: Pick<Request, "body" | "endpoint">): boolean =>
  endpoint === "messages" && Boolean(body.compaction);

/** A compaction block without content is the record of a failure, and as good as absent. */
export const holdsSummary = (block: Block): boolean => block.type === "compaction" && typeof block.content === "string";

export const isThinking = (block: Block): boolean => block.type === "thinking" || block.type === "redacted_thinking";

/** Where the current tool loop begins: behind the newest user turn that answers no call. */
export function loopStart(turns: readonly Turn[]): number {
  const answersNothing = (turn: Turn) =>
    turn.role === "user" && turn.blocks.every(({ block }) => block.type !== "tool_result");
  return turns.findLastIndex(answersNothing) + 1;
}

/** Whether the model thinks in this request, and whether its words are shown. */
export function thinkingShown({ body, model }: Pick<Request, "body" | "model">): "text" | "omitted" | "none" {
  const choice = body.thinking;
  if (choice?.type ? choice.type === "disabled" : !model.thinkingByDefault) return "none";
  const display = choice?.display ?? (model.omitsThinking ? "omitted" : "summarized");
  return display === "omitted" ? "omitted" : "text";
}
