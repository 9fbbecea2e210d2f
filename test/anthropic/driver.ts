/** Runs one request against a scripted server and gathers all there is to see of it. */
import {
  createModelClient,
  ModelError,
  type ModelEvent,
  type ModelFailure,
  type ModelRequest,
} from "../../src/anthropic/index.ts";
import type { Logger } from "../../src/shared/index.ts";
import { type ManualClock, manualClock } from "../support/clock.ts";
import {
  type Answer,
  type Exchange,
  type ScriptedServer,
  type SeenRequest,
  scriptedServer,
} from "./scripted-server.ts";

export const KEY = "sk-ant-api03-THISisTHEkeyOFtheTEST";

export const REQUEST: ModelRequest = {
  model: "claude-opus-5-5",
  system: ["static", "project"],
  tools: [],
  messages: [{ role: "user", content: [{ type: "text", text: "fix the test" }] }],
  marks: [],
  maxOutputTokens: 1000,
  thinking: "adaptive",
};

export type Options = Partial<Parameters<typeof createModelClient>[0]>;

export interface Outcome {
  readonly events: readonly ModelEvent[];
  readonly failure: ModelFailure | null;
  readonly error: unknown;
  readonly requests: readonly SeenRequest[];
  /** The waits between attempts. */
  readonly waits: readonly number[];
  /** Everything that was logged, as text. */
  readonly log: string;
}

export interface Client {
  readonly stream: ReturnType<typeof createModelClient>["stream"];
  readonly clock: ManualClock;
  readonly log: () => string;
}

export function clientOf(url: string, options: Options = {}): Client {
  const clock = manualClock();
  const lines: string[] = [];
  const write = (message: string, details?: object): void => void lines.push(`${message} ${JSON.stringify(details)}`);
  const logger: Logger = { warn: write, debug: write };
  const client = createModelClient({
    auth: { kind: "api-key", value: KEY },
    baseURL: url,
    version: "0.0.0-test",
    clock,
    random: () => 0,
    logger,
    ...options,
  });
  return { stream: client.stream, clock, log: () => lines.join("\n") };
}

/** Takes events until the end; the clock jumps over each wait between attempts. */
export async function gather(
  client: Client,
  signal: AbortSignal = new AbortController().signal,
  request: ModelRequest = REQUEST,
): Promise<Omit<Outcome, "requests">> {
  const events: ModelEvent[] = [];
  const waits: number[] = [];
  const iterator = client.stream(request, signal)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const pending = iterator.next();
      const last = events.at(-1);
      if (last?.type === "attempt-failed") client.clock.advance(last.retryAfterMs);
      const { done, value } = await pending;
      if (done) return { events, failure: null, error: null, waits, log: client.log() };
      events.push(value);
      if (value.type === "attempt-failed") waits.push(value.retryAfterMs);
    }
  } catch (error) {
    const failure = error instanceof ModelError ? error.failure : null;
    return { events, failure, error, waits, log: client.log() };
  }
}

/** One request against one script. */
export async function ask(script: readonly Answer[], options: Options = {}): Promise<Outcome> {
  return withServer(script, async (server) => {
    const outcome = await gather(clientOf(server.url, options));
    return { ...outcome, requests: server.requests };
  });
}

export async function withServer<T>(
  script: readonly Answer[],
  run: (server: ScriptedServer) => Promise<T>,
): Promise<T> {
  const server = await scriptedServer(...script);
  try {
    return await run(server);
  } finally {
    await server.stop();
  }
}

export const textOf = (events: readonly ModelEvent[]): string =>
  events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");

export const typesOf = (events: readonly ModelEvent[]): readonly string[] => events.map(({ type }) => type);

/** An answer that hands its exchange to the test. */
export function held(answer: Answer): { readonly answer: Answer; readonly exchange: Promise<Exchange> } {
  const { promise, resolve } = Promise.withResolvers<Exchange>();
  return {
    exchange: promise,
    answer: async (exchange) => {
      await answer(exchange);
      resolve(exchange);
    },
  };
}

/** Takes events up to and including the first of a type. */
export async function until(iterator: AsyncIterator<ModelEvent>, type: ModelEvent["type"]): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  while (events.at(-1)?.type !== type) {
    const { done, value } = await iterator.next();
    if (done) throw new Error(`the stream ended before ${type}`);
    events.push(value);
  }
  return events;
}

export async function failureOf(pending: Promise<unknown>): Promise<ModelError["failure"]> {
  const error = await pending.then(
    () => new Error("it did not fail"),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ModelError)) throw error;
  return error.failure;
}

export const begin = (client: Client, signal: AbortSignal) => client.stream(REQUEST, signal)[Symbol.asyncIterator]();
