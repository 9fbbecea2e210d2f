/** Turns what a script says to a request for a summary into the one block that answers it, or into an answer without any. */
import { estimateTokens } from "../../shared/index.ts";
import { sealCompaction } from "../prompt/compaction.ts";
import type { Json, ScriptedBlock, ScriptedTurn } from "../types.ts";
import type { Answer, AnswerBlock, AnswerContext } from "./answer.ts";

/**
 * The script's texts are the summary. A call, no text, or too few tokens leave the answer empty, with the stop reason of
 * whatever it was; a raw compaction block with the content null is the server's own failure.
 */
export function composeSummary(turn: ScriptedTurn, { accepted, secret }: AnswerContext): Answer {
  const { request, prompt, canon } = accepted;
  const window =
    request.model.contextWindow - prompt.tokens - estimateTokens(request.body.compaction?.instructions ?? "");
  const limit = Math.max(0, Math.min(request.body.max_tokens ?? 0, window));
  const tokens = turn.content.reduce((total, block) => total + estimateTokens(wordsOf(block)), 0);
  const text = turn.content.map((block) => (block.type === "text" ? block.text : "")).join("");
  const failed = turn.content.some(isFailure);
  const normal = turn.stopReason ?? reasonOf(turn, text, failed);
  const exhausted = limit === window ? "model_context_window_exceeded" : "max_tokens";
  const stopReason = tokens > limit ? exhausted : normal;
  const seal = (): Json => {
    const block = { type: "compaction", content: text, encrypted_content: null, tool_changes: [] };
    return { ...block, signature: sealCompaction(secret, block, canon.covered) };
  };
  const block = failed ? FAILURE : seal();
  return {
    blocks: stopReason === "compaction" ? [whole(block)] : [],
    stopReason,
    stopDetails: turn.stopDetails ?? null,
    outputTokens: Math.min(tokens, limit),
    thinkingTokens: 0,
    isSummary: true,
  };
}

const FAILURE: Json = { type: "compaction", content: null, encrypted_content: null };

const isFailure = (block: ScriptedBlock): boolean =>
  block.type === "raw" && block.start.type === "compaction" && block.start.content === null;

function wordsOf(block: ScriptedBlock): string {
  if (block.type === "text") return block.text;
  return block.type === "thinking" ? block.thinking : "";
}

function reasonOf({ content }: ScriptedTurn, text: string, failed: boolean): string {
  if (content.some(({ type }) => type === "tool_use")) return "tool_use";
  return failed || text.trim() !== "" ? "compaction" : "end_turn";
}

/** It comes in one piece, and no delta follows. */
const whole = (block: Json): AnswerBlock => ({ start: block, tail: [], whole: block, tokens: 0 });
