/**
 * One attempt at an answer: opens the connection, watches it for silence, and yields what arrives. Ends with null when the
 * answer ended properly, else with what went wrong. However it ends, no timer and no listener stays, and a connection that
 * was not read to its end is closed.
 */
import { type Clock, type ModelUsage, steadyNow } from "../shared/index.ts";
import { BrokenStream } from "./broken-stream.ts";
import type { Connection } from "./connection.ts";
import { classify } from "./errors.ts";
import type { Fault, FaultContext } from "./fault.ts";
import type { RequestBody } from "./request.ts";
import { createStreamReader, type StreamReader } from "./stream.ts";
import type { ModelEvent } from "./types.ts";
import { createWatchdog, type Silence, type SilenceLimits, type Watchdog } from "./watchdog.ts";

export interface AttemptSetting {
  readonly clock: Clock;
  /** For waits on the network itself, which are no matter of policy: real time, also where a test owns the other clock. */
  readonly networkClock: Clock;
  readonly silence: SilenceLimits;
  readonly context: FaultContext;
  readonly connection: () => Promise<Connection>;
}

export interface FailedAttempt {
  readonly fault: Fault;
  /** What the stream had reported until it failed. */
  readonly usage?: ModelUsage;
  /** How long nothing came, or nothing but pings, until it was given up. */
  readonly silentMs?: number;
  /** The error itself, only when it is one that nobody foresaw. */
  readonly cause?: unknown;
}

/** How long the end of a finished response is waited for, so that its connection can serve the next request. */
const READ_OUT_MS = 250;

export async function* attemptOnce(
  setting: AttemptSetting,
  body: RequestBody,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, FailedAttempt | null> {
  const startedAt = steadyNow(setting.clock);
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  const watchdog = createWatchdog(setting.clock, setting.silence, abort);
  const reader = createStreamReader();
  let isReadOut = false;
  try {
    const connection = await orAborted(setting.connection(), controller.signal);
    const messages = await connection.open(body, controller, watchdog.bytes);
    watchdog.opened();
    yield* readAnswer(messages, { reader, watchdog, signal: controller.signal });
    const finish = reader.finish();
    watchdog.stop();
    yield { ...finish, durationMs: Math.round(steadyNow(setting.clock) - startedAt) };
    isReadOut = await endsSoon(messages, setting.networkClock);
    return null;
  } catch (error) {
    const failed = failedAttempt(silenceError(watchdog.broken, setting.silence) ?? error, reader, setting.context);
    return watchdog.broken === null ? failed : { ...failed, silentMs: setting.silence[watchdog.broken] };
  } finally {
    watchdog.stop();
    signal.removeEventListener("abort", abort);
    if (!isReadOut) controller.abort();
  }
}

type ServerMessages = AsyncIterator<{ data: string }>;

interface Reading {
  readonly reader: StreamReader;
  readonly watchdog: Watchdog;
  readonly signal: AbortSignal;
}

/** Yields until the server says that the answer is complete, or the stream ends; which it was, the reader knows. */
async function* readAnswer(
  messages: ServerMessages,
  { reader, watchdog, signal }: Reading,
): AsyncGenerator<ModelEvent> {
  while (!reader.ended) {
    // Messages that arrived together are handed out without touching the network, so an abort must be looked for.
    signal.throwIfAborted();
    const message = await messages.next();
    if (message.done) return;
    const stepsBefore = reader.steps;
    const events = reader.push(message.value.data);
    if (reader.steps > stepsBefore) watchdog.progress();
    for (const event of events) {
      watchdog.pause();
      yield event;
      watchdog.resume();
    }
  }
}

function failedAttempt(error: unknown, reader: StreamReader, context: FaultContext): FailedAttempt {
  const fault = classify(error, context);
  const usage = reader.usage.read();
  const isUnforeseen = fault.status === undefined && fault.errorType === undefined && fault.repeat === "never";
  return { fault, ...(usage ? { usage } : {}), ...(isUnforeseen ? { cause: error } : {}) };
}

function silenceError(broken: Silence | null, limits: SilenceLimits): BrokenStream | null {
  if (broken === null) return null;
  const seconds = Math.round(limits[broken] / 1000);
  const what = {
    headersMs: `the server accepted the request and did not answer for ${seconds} s`,
    idleMs: `the answer stalled: nothing arrived for ${seconds} s`,
    progressMs: `the answer stalled: only keep-alive messages arrived for ${seconds} s`,
  };
  return new BrokenStream(what[broken], { code: "STREAM_STALLED" });
}

/** The promise, or a rejection as soon as the signal aborts; then nobody waits for the promise any more. */
async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Whether the body ends by itself. */
async function endsSoon(messages: ServerMessages, clock: Clock): Promise<boolean> {
  let cancelTimer = (): void => undefined;
  const late = new Promise<false>((resolve) => {
    cancelTimer = clock.after(READ_OUT_MS, () => resolve(false));
  });
  const ended = messages.next().then(
    ({ done }) => done === true,
    () => false, // the answer is complete; how its connection ends no longer matters
  );
  const isReadOut = await Promise.race([ended, late]);
  cancelTimer();
  return isReadOut;
}
