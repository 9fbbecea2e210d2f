/**
 * The cheap way to make room: old tool results are replaced by a fixed text. Decides only; the event that the kernel records
 * is what changes the conversation.
 */
import { isAtTurnStart, type SessionState } from "../session/index.ts";
import { estimateTokens, type Payload, type ToolResultBlock } from "../shared/index.ts";
import type { ContextLimits } from "./budget.ts";

/** Recorded with every prune, so that a later version may change it without changing old conversations. */
export const PLACEHOLDER =
  "[This old result was removed to save space. Run the call again if you still need its output.]";

/**
 * The results to blank, oldest first, or undefined when there is too little to gain. Inside a tool loop there is nothing to
 * blank either: the loop's own thinking is bound to those bytes.
 */
export function resultsToPrune(state: SessionState, limits: ContextLimits): Payload<"context.pruned"> | undefined {
  if (!isAtTurnStart(state)) return undefined;
  const candidates = unprotected(toolResults(state), limits.protectedToolTokens).filter(
    ({ tokens }) => tokens >= limits.minResultTokens,
  );
  const reclaimed = candidates.reduce((sum, { tokens }) => sum + tokens - PLACEHOLDER_TOKENS, 0);
  if (candidates.length === 0 || reclaimed < limits.minReclaimTokens) return undefined;
  return {
    toolUseIds: candidates.map(({ block }) => block.tool_use_id),
    placeholder: PLACEHOLDER,
    tokensReclaimedEstimate: reclaimed,
  };
}

const PLACEHOLDER_TOKENS = estimateTokens(PLACEHOLDER);

interface Weighed {
  readonly block: ToolResultBlock;
  readonly tokens: number;
}

function toolResults({ conversation }: SessionState): readonly Weighed[] {
  return conversation.messages.flatMap(({ content }) =>
    content.flatMap((block) =>
      block.type === "tool_result" ? [{ block, tokens: estimateTokens(block.content) }] : [],
    ),
  );
}

/** All but the newest results that together make up the protected amount. The result that crosses it is protected too. */
function unprotected(results: readonly Weighed[], protectedTokens: number): readonly Weighed[] {
  let left = protectedTokens;
  let end = results.length;
  while (end > 0 && left > 0) left -= results[--end]?.tokens ?? 0;
  return results.slice(0, end);
}
