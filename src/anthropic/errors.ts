/**
 * Says what a failed request means: whether repeating can help, and what a person can do. It reads the shape of an error and
 * never its class, because classes differ between bundles. It decides no wait; that is the retry policy's.
 */
import type { ModelUsage } from "../shared/index.ts";
import type { Fault, FaultContext, RetryHeaders } from "./fault.ts";
import { fields, textOf } from "./foreign.ts";
import { networkFault } from "./network-errors.ts";
import { presentable } from "./redact.ts";
import type { ModelFailure } from "./types.ts";

export const HOW_TO_SET_A_KEY =
  "set ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN) in the environment, or run khaelor login";

const NO_CONTEXT: FaultContext = { secrets: [], host: "the server" };

/** What an error of the SDK, of fetch or of the stream means. Never throws. */
export function classify(error: unknown, context: FaultContext = NO_CONTEXT): Fault {
  const answer = serverAnswer(error, context);
  return answer ? answerFault(answer, context) : networkFault(error, context);
}

export function failureOf(fault: Fault, attempts: number, usage?: ModelUsage): ModelFailure {
  const { kind, message, status, errorType, serverRequestId, limitReached } = fault;
  return {
    kind,
    message,
    ...(status !== undefined ? { status } : {}),
    ...(errorType !== undefined ? { errorType } : {}),
    ...(serverRequestId !== undefined ? { serverRequestId } : {}),
    attempts,
    ...(usage ? { usage } : {}),
    ...(limitReached ? { limitReached } : {}),
  };
}

/** An error that the server itself stated, by status or in mid-stream. */
interface ServerAnswer {
  readonly status?: number;
  readonly type?: string;
  readonly code?: string;
  readonly text: string;
  readonly requestId?: string;
  readonly location?: string;
  readonly headers: RetryHeaders;
}

const STATUS_OF_TYPE: ReadonlyMap<string, number> = new Map([
  ["invalid_request_error", 400],
  ["authentication_error", 401],
  ["billing_error", 402],
  ["permission_error", 403],
  ["not_found_error", 404],
  ["conflict_error", 409],
  ["request_too_large", 413],
  ["rate_limit_error", 429],
  ["api_error", 500],
  ["timeout_error", 504],
  ["overloaded_error", 529],
]);

function serverAnswer(error: unknown, { secrets }: FaultContext): ServerAnswer | null {
  const thrown = fields(error);
  const body = fields(thrown.error);
  const detail = fields(body.error);
  const stated = textOf(detail.type);
  const type = stated === undefined ? undefined : presentable(stated, secrets);
  const status = typeof thrown.status === "number" ? thrown.status : undefined;
  if (status === undefined && type === undefined && body.type !== "error") return null;
  const header = headerReader(thrown.headers);
  const code = textOf(fields(detail.details).error_code);
  const ids = [textOf(thrown.requestID), textOf(body.request_id), header("request-id")];
  const requestId = ids.find((id) => isRequestId(id) && presentable(id, secrets) === id);
  const location = header("location");
  return {
    ...(status !== undefined ? { status } : {}),
    ...(type !== undefined ? { type } : {}),
    ...(code !== undefined ? { code } : {}),
    text: textOf(detail.message) ?? textOf(body.error) ?? "",
    ...(requestId !== undefined ? { requestId } : {}),
    ...(location !== undefined ? { location } : {}),
    headers: retryHeaders(header),
  };
}

const isRequestId = (id: string | undefined): id is string => id !== undefined && /^[\w-]{1,128}$/.test(id);

type HeaderReader = (name: string) => string | undefined;

function headerReader(headers: unknown): HeaderReader {
  if (typeof headers !== "object" || headers === null || !("get" in headers)) return () => undefined;
  const { get } = headers;
  if (typeof get !== "function") return () => undefined;
  return (name) => textOf(get.call(headers, name));
}

function retryHeaders(header: HeaderReader): RetryHeaders {
  const [retryAfter, retryAfterMs] = [header("retry-after"), header("retry-after-ms")];
  const [shouldRetry, date] = [header("x-should-retry"), header("date")];
  return {
    ...(retryAfter !== undefined ? { retryAfter } : {}),
    ...(retryAfterMs !== undefined ? { retryAfterMs } : {}),
    ...(shouldRetry !== undefined ? { shouldRetry } : {}),
    ...(date !== undefined ? { date } : {}),
  };
}

type Meaning = Pick<Fault, "kind" | "repeat" | "limitReached" | "afterwards"> & {
  readonly what: string;
  readonly next?: string;
};

function answerFault(answer: ServerAnswer, context: FaultContext): Fault {
  const meaning = meaningOf(answer, context);
  const said = presentable(answer.text, context.secrets);
  const sentence = `${meaning.what}${said ? `: ${said}` : ""}${meaning.next ? ` — ${meaning.next}` : ""}`;
  return {
    kind: meaning.kind,
    repeat: meaning.repeat,
    message: answer.requestId ? `${sentence} (request ${answer.requestId})` : sentence,
    ...(answer.status !== undefined ? { status: answer.status } : {}),
    ...(answer.type !== undefined ? { errorType: answer.type } : {}),
    ...(answer.requestId !== undefined ? { serverRequestId: answer.requestId } : {}),
    ...(meaning.limitReached ? { limitReached: meaning.limitReached } : {}),
    ...(meaning.afterwards !== undefined ? { afterwards: meaning.afterwards } : {}),
    headers: answer.headers,
  };
}

function meaningOf(answer: ServerAnswer, context: FaultContext): Meaning {
  const status = effectiveStatus(answer);
  if (isSpendLimit(answer, status)) return SPEND_LIMIT;
  if (isOverflow(answer, status)) return OVERFLOW;
  if (status === 400 && /credit balance is too low/i.test(answer.text)) return OUT_OF_CREDIT;
  if (REDIRECTS.has(status)) return redirect(answer, context);
  const known = MEANINGS.get(status);
  if (known) return known;
  // In mid-stream an error type nobody knows says nothing against another try.
  if (status >= 500 || status === 0) {
    const reason = status || answer.type;
    const what = reason ? `the server failed (${reason})` : "the server failed";
    return { kind: "retryable", repeat: "soon", what, afterwards: LATER };
  }
  const what = `the server refused the request (${status})`;
  return { kind: "invalid-request", repeat: "never", what, next: "check the base URL and the proxy" };
}

const LATER = "try again later, or with another model";

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Proxies and gateways sometimes give an overload the status of a plain failure. */
function effectiveStatus({ status, type }: ServerAnswer): number {
  const stated = STATUS_OF_TYPE.get(type ?? "") ?? 0;
  if (status === undefined) return stated;
  return status >= 500 && stated === 529 ? stated : status;
}

const SPEND_LIMIT: Meaning = {
  kind: "retryable",
  repeat: "never",
  limitReached: true,
  what: "the account's spending limit is reached",
  next: "raise the limit in the Anthropic console, or go on when it resets",
};

const SPEND_LIMIT_CODES: ReadonlySet<string> = new Set([
  "enforced_spend_limit_reached",
  "contract_spend_limit_reached",
  "linked_organization_spend_limit_reached",
]);

function isSpendLimit({ code, text }: ServerAnswer, status: number): boolean {
  if (code !== undefined && SPEND_LIMIT_CODES.has(code)) return true;
  return status === 400 && text.startsWith("You have reached your specified API usage limits");
}

const OUT_OF_CREDIT: Meaning = {
  kind: "auth",
  repeat: "never",
  what: "the account has no credit left",
  next: "add some in the Anthropic console, then go on",
};

const OVERFLOW: Meaning = {
  kind: "context-overflow",
  repeat: "never",
  what: "the conversation is too long for the model",
  next: "it has to be compacted",
};

/**
 * The API has no code for it. Three forms are known: the prompt alone, the prompt together with `max_tokens` (older models),
 * and the bytes of the request (413). A `max_tokens` above the model's own cap is none of them: compaction would not help.
 */
function isOverflow({ text }: ServerAnswer, status: number): boolean {
  if (status === 413) return true;
  if (status !== 400) return false;
  return /prompt is too long/i.test(text) || /input length and `?max_tokens`? exceed context limit/i.test(text);
}

function redirect({ location }: ServerAnswer, context: FaultContext): Meaning {
  const target = location && URL.canParse(location) ? new URL(location).host : "another address";
  return {
    kind: "invalid-request",
    repeat: "never",
    what: `${context.host} redirects to ${presentable(target, context.secrets)}, which is not followed, so that the key stays here`,
    next: "set the base URL to the final address if you trust it",
  };
}

const MEANINGS: ReadonlyMap<number, Meaning> = new Map<number, Meaning>([
  [
    400,
    {
      kind: "invalid-request",
      repeat: "never",
      what: "the server refused the request as invalid (400)",
      next: "if it comes again, go on in a new session, and report these words",
    },
  ],
  [401, { kind: "auth", repeat: "never", what: "the key was refused (401)", next: `check it: ${HOW_TO_SET_A_KEY}` }],
  [
    402,
    {
      kind: "auth",
      repeat: "never",
      what: "the account has a billing problem (402)",
      next: "settle it in the Anthropic console, then go on",
    },
  ],
  [
    403,
    { kind: "auth", repeat: "never", what: "the key may not do this (403)", next: "use another key or another model" },
  ],
  [
    404,
    {
      kind: "invalid-request",
      repeat: "never",
      what: "the model or the address is unknown (404)",
      next: "choose another model, or check the base URL",
    },
  ],
  [408, { kind: "retryable", repeat: "soon", what: "the server timed out (408)", afterwards: LATER }],
  [409, { kind: "retryable", repeat: "soon", what: "the server reports a conflict (409)", afterwards: LATER }],
  [429, { kind: "retryable", repeat: "later", what: "too many requests (429)", afterwards: LATER }],
  [529, { kind: "retryable", repeat: "later", what: "the API is overloaded (529)", afterwards: LATER }],
]);
