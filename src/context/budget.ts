/** How full the window is, judged by what the API reported and by nothing else. */
import type { ModelFacts } from "../anthropic/index.ts";
import type { SessionState } from "../session/index.ts";
import type { ModelUsage } from "../shared/index.ts";

export interface ContextLimits {
  /** Room kept free below the window besides the reserved output. */
  readonly bufferTokens: number;
  /** The newest tool output, in estimated tokens, that is never blanked. */
  readonly protectedToolTokens: number;
  /** A result smaller than this is not worth blanking. */
  readonly minResultTokens: number;
  /** Blanking breaks the cache: it must reclaim at least this much. */
  readonly minReclaimTokens: number;
}

export const DEFAULT_LIMITS: ContextLimits = {
  bufferTokens: 16_000,
  protectedToolTokens: 40_000,
  minResultTokens: 400,
  minReclaimTokens: 20_000,
};

/** Everything the last response had before it and added: what the next request will at least hold. */
export const usedTokens = (usage: ModelUsage): number =>
  usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens + usage.outputTokens;

/** Never below half the window, whatever was reserved: a session must be able to begin. */
export const threshold = (facts: ModelFacts, reservedOutputTokens: number, bufferTokens: number): number =>
  Math.max(facts.contextWindow / 2, facts.contextWindow - reservedOutputTokens - bufferTokens);

/**
 * The last response's tokens, or undefined when they say nothing about the next request: none came yet, or the conversation
 * was made smaller since (after a break there is no previous tail).
 */
export function measuredTokens({ conversation, usage }: SessionState): number | undefined {
  return conversation.sentTail && usage.last ? usedTokens(usage.last) : undefined;
}
