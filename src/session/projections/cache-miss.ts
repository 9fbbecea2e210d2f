/**
 * Why a request did not read from the cache what the one before it had sent, and what that cost. Our own facts come first; the
 * server's diagnosis explains only what they leave open.
 */
import type { ModelUsage } from "../../shared/index.ts";
import type { MissReason, NamedBreak } from "../ledger-types.ts";

/** A request that reported usage, as the next one sees it. */
export interface SentRequest {
  readonly startSeq: number;
  /** Epoch milliseconds. */
  readonly startedTs: number;
  /** As it was asked for. */
  readonly model: string;
  /** What the cache should hold of it. */
  readonly tokens: number;
}

/** Fewer tokens than this no model keeps on their own: less is no miss. */
export const MISS_TOLERANCE = 512;
/** Some models keep nothing of a prompt that is no longer than this. */
const LARGEST_MINIMUM = 4096;
/** From the start of the request that wrote or last read it. */
const KEPT_MS = 5 * 60_000;

export const sentTokens = ({ inputTokens, cacheReadTokens, cacheWriteTokens }: ModelUsage): number =>
  inputTokens + cacheReadTokens + cacheWriteTokens;

/** How much of a request the next one should read. */
export function cacheableTokens(usage: ModelUsage): number {
  const sent = sentTokens(usage);
  const isKept = usage.cacheReadTokens + usage.cacheWriteTokens > 0 || sent > LARGEST_MINIMUM;
  return isKept ? Math.max(0, sent) : 0;
}

export interface MissFacts {
  readonly before: SentRequest;
  readonly request: Pick<SentRequest, "model" | "startedTs">;
  readonly endSeq: number;
  /** What lies between the two. */
  readonly breaks: readonly NamedBreak[];
  /** Of what last brought an image into the conversation, before the request. */
  readonly imagesSeq?: number | undefined;
  readonly cacheMissReason?: string | undefined;
}

export interface MissCause {
  readonly reason: MissReason;
  /** seq of the event that caused it; undefined when none is known. */
  readonly cause: number | undefined;
}

/** The first of these that lies between is the reason. */
const BREAKS: readonly NamedBreak["kind"][] = [
  "model",
  "effort",
  "thinking",
  "epoch",
  "compacted",
  "pruned",
  "taken-back",
  "prefix",
];

export function causeOf(facts: MissFacts): MissCause {
  const { before, request, endSeq, breaks, imagesSeq, cacheMissReason } = facts;
  for (const kind of BREAKS) {
    const found = breaks.findLast((one) => one.kind === kind);
    if (found) return { reason: kind, cause: found.seq };
    if (kind === "model" && request.model !== before.model) return { reason: kind, cause: undefined };
  }
  if (imagesSeq !== undefined && imagesSeq > before.startSeq) return { reason: "images", cause: imagesSeq };
  if (request.startedTs - before.startedTs > KEPT_MS) return { reason: "expired", cause: before.startSeq };
  if (cacheMissReason !== undefined && !NO_DIAGNOSIS.has(cacheMissReason)) return { reason: "server", cause: endSeq };
  return { reason: "unknown", cause: undefined };
}

const NO_DIAGNOSIS: ReadonlySet<string> = new Set(["previous_message_not_found", "unavailable"]);

/**
 * The same usage, had the missed tokens come from the cache. They stand right behind what was read, so that they are the first
 * of what was written: for an hour, then for minutes, and only then what was not written at all.
 */
export function asIfRead(usage: ModelUsage, missed: number): ModelUsage {
  const written = Math.min(missed, usage.cacheWriteTokens);
  const forAnHour = Math.min(written, usage.cacheWrite1h ?? 0);
  const { cacheWrite1h: hour, cacheWrite5m: minutes } = usage;
  return {
    ...usage,
    inputTokens: usage.inputTokens - (missed - written),
    cacheWriteTokens: usage.cacheWriteTokens - written,
    cacheReadTokens: usage.cacheReadTokens + missed,
    ...(hour !== undefined && { cacheWrite1h: hour - forAnHour }),
    ...(minutes !== undefined && { cacheWrite5m: minutes - (written - forAnHour) }),
  };
}
