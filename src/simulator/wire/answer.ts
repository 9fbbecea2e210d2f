/** Turns what a script says into the blocks of an answer: ids, signatures, and the cut where the tokens run out. */
import { byteLength, bytePrefix, estimateTokens, unreachable } from "../../shared/index.ts";
import { sealCompaction } from "../prompt/compaction.ts";
import { type Binding, callId, joinTags, openTag, sign, tagOf } from "../prompt/signature.ts";
import { thinkingShown } from "../rules/request.ts";
import type { Accepted } from "../rules/validate.ts";
import type { Json, ScriptedBlock, ScriptedTurn } from "../types.ts";

/** The text of a block, which is streamed piece by piece. */
export interface Body {
  readonly delta: "text_delta" | "thinking_delta" | "input_json_delta";
  readonly field: "text" | "thinking" | "partial_json";
  readonly text: string;
}

export interface AnswerBlock {
  readonly start: Json;
  readonly body?: Body;
  /** Sent behind the body, one by one. */
  readonly tail: readonly Json[];
  /** The block as an answer without a stream holds it. */
  readonly whole: Json;
  readonly tokens: number;
}

export interface Answer {
  readonly blocks: readonly AnswerBlock[];
  readonly stopReason: string;
  readonly stopDetails: Json | null;
  readonly outputTokens: number;
  readonly thinkingTokens: number;
  /** What it used is reported as a compaction's, and not in the sums. */
  readonly isSummary?: true;
}

export interface AnswerContext {
  readonly accepted: Accepted;
  readonly secret: string;
  /** Sixteen letters and digits that no other block of this server has. */
  readonly unique: (block: number) => string;
}

export function composeAnswer(turn: ScriptedTurn, context: AnswerContext): Answer {
  const { request, prompt } = context.accepted;
  const window = request.model.contextWindow - prompt.tokens;
  const limit = Math.min(request.body.max_tokens ?? 0, window);
  const full = completeBlocks(turn.content, context);
  const blocks: AnswerBlock[] = [];
  let left = limit;
  for (const block of full) {
    if (left <= 0) break;
    const kept = block.tokens <= left ? block : cutBlock(block, left);
    blocks.push(kept);
    left -= block.tokens;
  }
  const isCut = left < 0 || blocks.length < full.length;
  const exhausted = limit === window ? "model_context_window_exceeded" : "max_tokens";
  const hasCall = blocks.some((block) => block.start.type === "tool_use");
  const sum = (list: readonly AnswerBlock[]) => list.reduce((total, block) => total + block.tokens, 0);
  return {
    blocks,
    stopReason: isCut ? exhausted : (turn.stopReason ?? (hasCall ? "tool_use" : "end_turn")),
    stopDetails: turn.stopDetails ?? null,
    outputTokens: sum(blocks),
    thinkingTokens: sum(blocks.filter((block) => String(block.start.type).endsWith("thinking"))),
  };
}

function completeBlocks(content: readonly ScriptedBlock[], context: AnswerContext): readonly AnswerBlock[] {
  const { request, canon, lastTag } = context.accepted;
  const shown = thinkingShown(request);
  const binding: Binding = {
    secret: context.secret,
    model: request.model.id,
    prefix: canon.bindings.at(-1)?.[0] ?? "",
  };
  let previous = lastTag;
  let tagInAnswer = openTag(request);
  const signed = (text: string): string => {
    const signature = sign(binding, previous, text);
    previous = tagOf(signature);
    tagInAnswer = joinTags(tagInAnswer, signature);
    return signature;
  };
  const complete = (block: ScriptedBlock, i: number): readonly AnswerBlock[] => {
    switch (block.type) {
      case "text":
        return [textBlock(block.text)];
      case "thinking":
        return shown === "none" ? [] : [thinkingBlock(shown === "text" ? block.thinking : "", signed)];
      case "redacted_thinking":
        return shown === "none" ? [] : [wholeBlock({ type: "redacted_thinking", data: signed("") })];
      case "tool_use":
        return [callBlock(block, block.id ?? callId(tagInAnswer, context.unique(i)))];
      case "raw":
        return [rawBlock(block.start, block.deltas ?? [], context.secret)];
      default:
        return unreachable(block);
    }
  };
  return content.flatMap(complete);
}

const tokensOf = (text: string): number => Math.max(1, estimateTokens(text));

const textBlock = (text: string): AnswerBlock => ({
  start: { type: "text", text: "", citations: null },
  body: { delta: "text_delta", field: "text", text },
  tail: [],
  whole: { type: "text", text, citations: null },
  tokens: tokensOf(text),
});

function thinkingBlock(thinking: string, signed: (text: string) => string): AnswerBlock {
  const signature = signed(thinking);
  return {
    start: { type: "thinking", thinking: "", signature: "" },
    body: { delta: "thinking_delta", field: "thinking", text: thinking },
    tail: [{ type: "signature_delta", signature }],
    whole: { type: "thinking", thinking, signature },
    tokens: tokensOf(thinking),
  };
}

function callBlock(block: Extract<ScriptedBlock, { type: "tool_use" }>, id: string): AnswerBlock {
  const input = block.input ?? {};
  const isEmpty = Object.keys(input).length === 0;
  const text = block.json ?? (isEmpty ? "" : JSON.stringify(input));
  const base = { type: "tool_use", id, name: block.name };
  return {
    start: { ...base, input: {}, caller: { type: "direct" } },
    body: { delta: "input_json_delta", field: "partial_json", text },
    tail: [],
    whole: { ...base, input, caller: { type: "direct" } },
    tokens: tokensOf(block.name + text),
  };
}

const wholeBlock = (block: Json): AnswerBlock => ({
  start: block,
  tail: [],
  whole: block,
  tokens: tokensOf(JSON.stringify(block)),
});

function rawBlock(start: Json, deltas: readonly Json[], secret: string): AnswerBlock {
  if (start.type !== "compaction") return { ...wholeBlock(start), tail: deltas };
  const content = typeof start.content === "string" ? start.content : null;
  const parts = { content, encrypted_content: null };
  const signature = content === null ? null : sealCompaction(secret, parts);
  return {
    start: { type: "compaction", content: null },
    tail: [{ type: "compaction_delta", ...parts, signature }],
    whole: { type: "compaction", ...parts, signature },
    tokens: tokensOf(String(content)),
  };
}

/** The first `tokens` of a block. Thinking that is cut never gets its signature. */
function cutBlock(block: AnswerBlock, tokens: number): AnswerBlock {
  if (!block.body) return { ...block, tokens };
  const spent = block.body.delta === "input_json_delta" ? byteLength(String(block.start.name)) : 0;
  const text = bytePrefix(block.body.text, Math.max(0, tokens * 4 - spent));
  const whole = { ...block.whole, ...(block.body.delta === "input_json_delta" ? {} : { [block.body.field]: text }) };
  return { ...block, body: { ...block.body, text }, tail: [], whole, tokens };
}
