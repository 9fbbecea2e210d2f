/** The word for a failed attempt, shared by those who classify it and those who decide what follows from it. */
import type { ModelErrorKind } from "../shared/index.ts";

/** One failed attempt, before anybody has decided what follows from it. */
export interface Fault {
  readonly kind: ModelErrorKind;
  /** `later` waits longer than `soon`: the server is overloaded or we are too fast. */
  readonly repeat: "never" | "soon" | "later";
  readonly message: string;
  readonly status?: number;
  readonly errorType?: string;
  readonly serverRequestId?: string;
  /** The account's own limit is reached; it ends with time or with a change of the limit. */
  readonly limitReached?: true;
  readonly headers: RetryHeaders;
  /** What a person can do once repeating is over; while it goes on, nobody has to do anything. */
  readonly afterwards?: string;
}

/** The response headers that bear on repeating, as they were sent. */
export interface RetryHeaders {
  readonly retryAfter?: string;
  readonly retryAfterMs?: string;
  readonly shouldRetry?: string;
  readonly date?: string;
}

export interface FaultContext {
  /** Values that must not appear in any message. */
  readonly secrets: readonly string[];
  /** The host that was asked, for messages. */
  readonly host: string;
}
