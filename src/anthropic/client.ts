/**
 * The model client: one request in, typed events out, with its own retries and waits. It reads no environment, keeps no state
 * between requests, and shows its key to nobody but the host it was given.
 */
import { type Clock, type Logger, type Result, sleep, systemClock } from "../shared/index.ts";
import { type AttemptSetting, attemptOnce, type FailedAttempt } from "./attempt.ts";
import { connect, type Fetch, type ModelAuth } from "./connection.ts";
import { failureOf, HOW_TO_SET_A_KEY } from "./errors.ts";
import type { Fault } from "./fault.ts";
import { type Images, type LoadBlob, loadImages } from "./images.ts";
import { fetchModels } from "./list-models.ts";
import { modelFacts } from "./models.ts";
import { type RequestBody, requestBody } from "./request.ts";
import { nextRetry, type RetryLimits, type RetryVerdict } from "./retry.ts";
import {
  type ListedModel,
  type ModelClient,
  ModelError,
  type ModelEvent,
  type ModelFacts,
  type ModelFailure,
  type ModelRequest,
} from "./types.ts";
import type { SilenceLimits } from "./watchdog.ts";

export interface ModelClientOptions {
  /** Null when no key is known; then every request fails with `auth`, and the message says how to set one. */
  readonly auth: ModelAuth | null;
  /** Anthropic's own when absent. A loopback address is reached without any proxy. */
  readonly baseURL?: string;
  readonly version: string;
  readonly clock: Clock;
  /** For the short wait for the end of a finished response. The machine's when absent. */
  readonly networkClock?: Clock;
  /** In [0, 1), for jitter. */
  readonly random: () => number;
  readonly logger: Logger;
  readonly headersTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
  /** How long an answer may live on pings alone. */
  readonly progressTimeoutMs?: number;
  readonly maxAttempts?: number;
  /** Of all waits of one request together, those for a silent server included. */
  readonly maxTotalRetryWaitMs?: number;
  /** For fetch, as Bun takes it: `proxy`, `tls`. Redirects stay off whatever it says. */
  readonly fetchOptions?: Readonly<Record<string, unknown>>;
  /** The global one when absent. */
  readonly fetch?: Fetch;
  /** Where the images lie that messages name; without it a message with an image cannot be sent. */
  readonly loadBlob?: LoadBlob;
  /** What is known of a model; the dated table when absent. */
  readonly facts?: (model: string) => ModelFacts;
}

interface Setting extends AttemptSetting {
  readonly options: ModelClientOptions;
  readonly retries: RetryLimits;
  readonly baseURL: string;
}

const ANTHROPIC_URL = "https://api.anthropic.com";
/** The longest wait a server may ask for; beyond it the request fails as `rateLimited`. */
const MAX_RETRY_WAIT_MS = 300_000;

export function createModelClient(options: ModelClientOptions): ModelClient {
  const setting = settle(options);
  return { stream: (request, signal) => streamAnswer(setting, request, signal) };
}

/** The models that the API offers to this key. One try; never on the way of a prompt. */
export async function listModels(
  options: ModelClientOptions,
  signal: AbortSignal,
): Promise<Result<readonly ListedModel[], ModelFailure>> {
  const { connection, context } = settle(options);
  return fetchModels(async () => connection(), context, signal);
}

function settle(options: ModelClientOptions): Setting {
  const { auth, version, logger, clock, fetchOptions = {}, fetch = globalThis.fetch } = options;
  const { networkClock = systemClock } = options;
  const baseURL = options.baseURL || ANTHROPIC_URL;
  const url = URL.canParse(baseURL) ? new URL(baseURL) : null;
  const secrets = [auth?.value, url?.password].filter((secret) => secret !== undefined);
  const silence: SilenceLimits = {
    headersMs: options.headersTimeoutMs ?? 180_000,
    idleMs: options.idleTimeoutMs ?? 120_000,
    progressMs: options.progressTimeoutMs ?? 600_000,
  };
  const retries: RetryLimits = {
    maxAttempts: options.maxAttempts ?? 8,
    maxWaitMs: MAX_RETRY_WAIT_MS,
    maxTotalWaitMs: options.maxTotalRetryWaitMs ?? 900_000,
  };
  const { headersMs: headersTimeoutMs } = silence;
  let connection: ReturnType<typeof connect> | null = null;
  return {
    options,
    clock,
    networkClock,
    retries,
    silence,
    baseURL,
    context: { secrets, host: url?.host || "the server" },
    connection() {
      const usable = usableAuth(auth);
      connection ??= connect({ auth: usable, baseURL, version, logger, headersTimeoutMs, fetchOptions, fetch });
      return connection;
    },
  };
}

async function* streamAnswer(
  setting: Setting,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void> {
  const { clock, random, auth, logger } = setting.options;
  usableAuth(auth);
  const body = bodyFor(setting, request, await loadImages(request.messages, setting.options.loadBlob ?? NO_BLOBS));
  let waitedMs = 0;
  for (let attempt = 1; ; attempt++) {
    if (signal.aborted) throw cancelled(attempt - 1);
    yield { type: "started", attempt };
    const failed = yield* attemptOnce(setting, body, signal);
    if (failed === null) return;
    if (signal.aborted) throw cancelled(attempt, failed);
    waitedMs += failed.silentMs ?? 0;
    const state = { attempt, waitedMs, nowMs: clock.now(), chance: random() };
    const verdict = nextRetry(failed.fault, state, setting.retries);
    const failure = failureOf(failed.fault, attempt, failed.usage);
    logger.debug("model request failed", { failure, verdict });
    if (!verdict.again) throw givenUp(failure, verdict, failed);
    yield { type: "attempt-failed", failure, retryAfterMs: verdict.waitMs };
    waitedMs += verdict.waitMs;
    // The sleep rejects only when the signal aborts, and the head of the loop sees that.
    await sleep(clock, verdict.waitMs, signal).catch(() => undefined);
  }
}

const NO_BLOBS: LoadBlob = () => Promise.resolve(undefined);

/** Servers that only imitate the API may refuse fields they do not know, so the cache diagnosis goes to Anthropic alone. */
function bodyFor({ baseURL, options }: Setting, request: ModelRequest, images: Images): RequestBody {
  const { facts = modelFacts } = options;
  const { previousMessageId, ...rest } = request;
  const isAnthropic = URL.canParse(baseURL) && /(^|\.)anthropic\.com$/.test(new URL(baseURL).hostname);
  return requestBody(isAnthropic && previousMessageId ? request : rest, facts(request.model), images);
}

function usableAuth(auth: ModelAuth | null): ModelAuth {
  if (auth === null || auth.value === "") throw authError(`no key: ${HOW_TO_SET_A_KEY}`);
  if (/[^\x21-\x7e]/.test(auth.value)) {
    throw authError(
      `the key holds blanks, line breaks or letters that no key has; copy it again, then ${HOW_TO_SET_A_KEY}`,
    );
  }
  return auth;
}

const authError = (message: string): ModelError => new ModelError({ kind: "auth", message, attempts: 0 });

function cancelled(attempts: number, failed?: FailedAttempt): ModelError {
  const usage = failed?.usage;
  return new ModelError({ kind: "cancelled", message: "cancelled", attempts, ...(usage ? { usage } : {}) });
}

function givenUp(
  failure: ModelFailure,
  { rateLimited, askedMs }: Extract<RetryVerdict, { again: false }>,
  { cause, fault }: FailedAttempt,
): ModelError {
  const words = askedMs === undefined ? whatNext(fault, failure.attempts) : askedFor(askedMs);
  const message = words === "" ? failure.message : `${failure.message} — ${words}`;
  const final = { ...failure, message, ...(rateLimited ? { rateLimited } : {}) } as const;
  return new ModelError(final, cause === undefined ? undefined : { cause });
}

const whatNext = ({ afterwards = "" }: Fault, attempts: number): string =>
  attempts === 1 ? afterwards : `${attempts} attempts did not help${afterwards === "" ? "" : `; ${afterwards}`}`;

const askedFor = (ms: number): string => {
  const seconds = Math.ceil(ms / 1000);
  const [unit, length] = UNITS.find((each) => seconds >= 3 * each[1]) ?? ["s", 1];
  const count = Math.ceil(seconds / length);
  return `the server asks for a wait of ${count < 1000 ? `${count} ${unit}` : "years"}; try again then, or with another model`;
};

const UNITS = [
  ["days", 86_400],
  ["hours", 3600],
  ["minutes", 60],
] as const;
