/** Whether a failed attempt is repeated, and after how long. Pure: time and chance come in as parameters. */
import type { Fault } from "./fault.ts";

export interface RetryLimits {
  /** Attempts in all, the first included. */
  readonly maxAttempts: number;
  /** The longest single wait; a server that asks for more ends the request. */
  readonly maxWaitMs: number;
  /** All waits of one request together, those for a silent server included. */
  readonly maxTotalWaitMs: number;
}

/** Where one request stands when an attempt has failed. */
export interface RetryState {
  readonly attempt: number;
  /** Between attempts, and for a server that was silent. */
  readonly waitedMs: number;
  /** Epoch milliseconds. */
  readonly nowMs: number;
  /** In [0, 1). */
  readonly chance: number;
}

export type RetryVerdict =
  | { readonly again: true; readonly waitMs: number }
  /** `rateLimited`: only more time than the limits allow would help. `askedMs` is the wait that the server asked for. */
  | { readonly again: false; readonly rateLimited: boolean; readonly askedMs?: number };

const MIN_WAIT_MS = 500;
const BACKOFF = {
  soon: { firstMs: 1000, mostMs: 32_000 },
  later: { firstMs: 4000, mostMs: 64_000 },
} as const;

export function nextRetry(fault: Fault, state: RetryState, limits: RetryLimits): RetryVerdict {
  const tooFast = fault.limitReached === true || fault.status === 429 || fault.errorType === "rate_limit_error";
  if (fault.repeat === "never" || fault.headers.shouldRetry === "false") {
    return { again: false, rateLimited: tooFast };
  }
  const asked = askedWaitMs(fault, state.nowMs);
  if (asked !== null && asked > limits.maxWaitMs) return { again: false, rateLimited: true, askedMs: asked };
  const waitMs = asked === null ? backoffMs(fault.repeat, state) : spread(asked, state.chance);
  if (state.attempt >= limits.maxAttempts || state.waitedMs + waitMs > limits.maxTotalWaitMs) {
    return { again: false, rateLimited: tooFast };
  }
  return { again: true, waitMs };
}

/** What the server asks for, or null when it asks for nothing sensible. A date is judged by the server's own clock. */
function askedWaitMs({ headers }: Fault, nowMs: number): number | null {
  const ms = plainNumber(headers.retryAfterMs);
  if (ms !== null && ms > 0) return positive(ms);
  if (headers.retryAfter === undefined) return null;
  const seconds = plainNumber(headers.retryAfter);
  if (seconds !== null) return positive(seconds * 1000);
  if (!HTTP_DATE.test(headers.retryAfter)) return null;
  const sentAt = headers.date === undefined ? Number.NaN : Date.parse(headers.date);
  return positive(Date.parse(headers.retryAfter) - (Number.isNaN(sentAt) ? nowMs : sentAt));
}

const HTTP_DATE = /^\s*[A-Z][a-z]{2}, .+ GMT\s*$/;

const plainNumber = (text: string | undefined): number | null =>
  text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : null;

const positive = (ms: number): number | null => (ms > 0 ? Math.max(MIN_WAIT_MS, ms) : null);

/** Never earlier than asked, and up to a tenth later, so that many clients do not return at once. */
const spread = (ms: number, chance: number): number => Math.ceil(ms * (1 + chance / 10));

/** Doubles with each attempt; the wait lies anywhere in the upper half. */
function backoffMs(repeat: "soon" | "later", { attempt, chance }: RetryState): number {
  const { firstMs, mostMs } = BACKOFF[repeat];
  const full = Math.min(mostMs, firstMs * 2 ** (attempt - 1));
  return Math.max(MIN_WAIT_MS, Math.round(full * (0.5 + chance / 2)));
}
