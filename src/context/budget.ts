/** How full the window is, judged by what the API reported; what came since is estimated, at the rate of the last answer. */
import type { ModelFacts } from "../anthropic/index.ts";
import type { SessionState } from "../session/index.ts";
import { isThinking, type Message, type ModelUsage } from "../shared/index.ts";
import { measure } from "./hashes.ts";

/** All in tokens. */
export interface ContextLimits {
  /** Room kept free below the window besides the reserved output. */
  readonly bufferTokens: number;
  /** The newest tool output that is never blanked. */
  readonly protectedToolTokens: number;
  /** A result smaller than this is not worth blanking. */
  readonly minResultTokens: number;
  /** Blanking breaks the cache: it must reclaim at least this much. */
  readonly minReclaimTokens: number;
  /** The newest part of the conversation that a compaction at a turn's start keeps as it is. */
  readonly keptTailTokens: number;
  /** What a checkpoint may have. */
  readonly checkpointTokens: number;
}

/** For windows of 200K tokens and more; smaller ones have the same shares of theirs. */
export const DEFAULT_LIMITS: ContextLimits = {
  bufferTokens: 16_000,
  protectedToolTokens: 40_000,
  minResultTokens: 400,
  minReclaimTokens: 20_000,
  keptTailTokens: 20_000,
  checkpointTokens: 12_000,
};
const FULL_SIZE = 200_000;

export function limitsFor({ contextWindow }: ModelFacts, chosen: Partial<ContextLimits> = {}): ContextLimits {
  const share = Math.min(1, contextWindow / FULL_SIZE);
  const { minResultTokens, ...scaled } = DEFAULT_LIMITS;
  const own = Object.fromEntries(Object.entries(scaled).map(([name, tokens]) => [name, Math.round(tokens * share)]));
  return { ...DEFAULT_LIMITS, minResultTokens, ...own, ...chosen };
}

/** Everything the last response had before it and added: what the next request will at least hold. */
export const usedTokens = (usage: ModelUsage): number =>
  usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens + usage.outputTokens;

/** Of a small window an answer is promised a quarter at most. */
const reservedOf = ({ contextWindow }: ModelFacts, reservedOutputTokens: number): number =>
  Math.min(reservedOutputTokens, Math.floor(contextWindow / 4));

/** Never below half the window, whatever was reserved: a session must be able to begin. */
export const threshold = (facts: ModelFacts, reservedOutputTokens: number, bufferTokens: number): number =>
  Math.max(facts.contextWindow / 2, facts.contextWindow - reservedOf(facts, reservedOutputTokens) - bufferTokens);

/**
 * A share of that threshold. Results are blanked at a turn's start alone, so that has to come before the window is full: else it
 * would fill up in the middle of a turn, where only a compaction that keeps nothing is left.
 */
export const PRUNE_FROM = 0.75;

/**
 * What the next request will hold: the last response's tokens as the API counted them, and what was said since. Behind a break,
 * after which nothing has been counted yet, all of it is estimated. Undefined before the first response.
 */
export function measuredTokens(state: SessionState, fixedTokens: number): number | undefined {
  const { conversation, usage } = state;
  const { messages, countedTail } = conversation;
  const { calibration, last } = usage;
  if (calibration === undefined) return undefined;
  if (!last || !countedTail) return Math.round((fixedTokens + tokensOf(messages)) * calibration);
  return usedTokens(last) + Math.round(tokensOf(saidSince(messages, countedTail)) * calibration);
}

/** Estimated. */
export const tokensOf = (messages: readonly Message[]): number =>
  messages.reduce((sum, { content }) => {
    for (const block of content) sum += measure(block).estimatedTokens;
    return sum;
  }, 0);

/** As they are behind a break. */
export const tokensWithoutThinking = (messages: readonly Message[]): number =>
  messages.reduce((sum, { content }) => {
    for (const block of content) if (!isThinking(block)) sum += measure(block).estimatedTokens;
    return sum;
  }, 0);

/** Blocks behind the newest answer: also those of a request that failed, and of an answer that was stopped. */
function saidSince(messages: readonly Message[], { message, block }: { message: number; block: number }): Message[] {
  const [counted, ...since] = messages.slice(message);
  if (!counted) return [];
  const rest = { ...counted, content: counted.content.slice(block + 1) } as Message; // as: a part of the same role's blocks
  return [rest, ...since];
}
