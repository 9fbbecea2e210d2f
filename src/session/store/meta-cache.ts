/**
 * The listing's cache, a file beside each log. It is never a second truth: whatever is missing, cut, foreign or older than
 * its log counts as absent, and is made again from the log.
 */
import { readFile } from "node:fs/promises";
import { accepts, errorMessage, type Logger } from "../../shared/index.ts";
import type { SessionMeta } from "../types.ts";
import { replaceSmallFile } from "./atomic.ts";
import { metaPath } from "./paths.ts";

const USAGE = {
  inputTokens: "number.integer",
  outputTokens: "number.integer",
  cacheReadTokens: "number.integer",
  cacheWriteTokens: "number.integer",
  "cacheWrite5m?": "number.integer",
  "cacheWrite1h?": "number.integer",
  "thinkingTokens?": "number.integer",
} as const;

const CACHE = {
  /** Raised when the fold of the meta changes its mind about the same log. */
  form: "6",
  /** Names the prices that the cost was reckoned with. */
  prices: "string",
  logBytes: "number.integer",
  logMtimeMs: "number",
  meta: {
    id: "string",
    title: "string",
    projectHash: "string",
    workingDirectory: "string",
    gitBranch: "string | null",
    model: "string",
    createdAt: "number",
    updatedAt: "number",
    events: "number.integer",
    userMessages: "number.integer",
    usage: USAGE,
    costUsd: "number | null",
    recentUsd: { "[string]": "number" },
    pendingApprovals: "number.integer",
    lastOutcome: "'none' | 'completed' | 'failed' | 'interrupted'",
    "forkedFrom?": {
      sessionId: "string",
      seq: "number.integer",
      usage: USAGE,
      costUsd: "number | null",
      spentUsd: "number",
      unpriced: "number.integer",
    },
  },
} as const;

interface MadeFrom {
  /** Of the log. */
  readonly size: number;
  readonly mtimeMs: number;
  readonly prices: string;
}

/** The cached meta, if it was made from the log as it is now, at the same prices. */
export async function readMeta(log: string, now: MadeFrom): Promise<SessionMeta | undefined> {
  try {
    const cache: unknown = JSON.parse(await readFile(metaPath(log), "utf8"));
    if (!accepts(CACHE, cache) || cache.logBytes !== now.size || cache.logMtimeMs !== now.mtimeMs) return undefined;
    return cache.prices === now.prices ? cache.meta : undefined;
  } catch {
    // Every way of not having a cache ends the same: it is rebuilt.
    return undefined;
  }
}

/** `from` is what was there when `meta` was true of it. A cache that cannot be written costs time, not truth. */
export function keepMeta(log: string, meta: SessionMeta, from: MadeFrom, logger: Logger): void {
  const cache = { form: 6, prices: from.prices, logBytes: from.size, logMtimeMs: from.mtimeMs, meta };
  try {
    replaceSmallFile(metaPath(log), `${JSON.stringify(cache)}\n`);
  } catch (cause) {
    logger.warn("the meta cache was not written", { log, error: errorMessage(cause) });
  }
}
