/**
 * One HTTP request to the Messages API: opens it and hands out the server-sent events. The only file that knows the SDK at run
 * time, which it loads at first use. It follows no redirect, so the key cannot reach another host; it repeats nothing; and it
 * keeps the SDK off the console.
 */
import type { BaseAnthropic, ClientOptions } from "@anthropic-ai/sdk/client";
import type { Logger } from "../shared/index.ts";
import { BrokenStream } from "./broken-stream.ts";
import { fields } from "./foreign.ts";
import { presentable } from "./redact.ts";
import { betasOf, type RequestBody } from "./request.ts";
import { StreamedError } from "./stream.ts";

export type ModelAuth = { readonly kind: "api-key" | "token"; readonly value: string };

/** As the global one. */
export type Fetch = (...args: Parameters<typeof fetch>) => Promise<Response>;

export interface ConnectionOptions {
  readonly auth: ModelAuth;
  readonly baseURL: string;
  readonly version: string;
  readonly logger: Logger;
  readonly headersTimeoutMs: number;
  /** Passed to fetch as it is (`proxy`, `tls`), but redirects stay off. */
  readonly fetchOptions: Readonly<Record<string, unknown>>;
  readonly fetch: Fetch;
}

export interface Connection {
  /**
   * Sends the body and resolves when the answer's headers are there. Throws what the SDK throws for a refusal. `onBytes` is
   * told of every chunk of the stream. Whoever opens aborts `controller` when the stream is not read to its end.
   */
  open(body: RequestBody, controller: AbortController, onBytes: () => void): Promise<AsyncIterator<{ data: string }>>;
  /** The text that lies there, bounded. Throws what the SDK throws for a refusal. */
  get(path: string, signal: AbortSignal): Promise<string>;
}

/** More than any answer can be; a line that never ends must not fill the memory. */
const MAX_STREAM_BYTES = 64 * 1024 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;
const MAX_LIST_BYTES = 4 * 1024 * 1024;
const BLANK_LINE = new TextEncoder().encode("\n\n");
/** The SDK's own limit for headers only stands behind ours. */
const SDK_TIMEOUT_MARGIN_MS = 10_000;

export async function connect(options: ConnectionOptions): Promise<Connection> {
  const { BaseAnthropic, Stream } = await loadSdk();
  const client = new BaseAnthropic(clientOptions(options));
  return {
    async open(body, controller, onBytes) {
      const response = await post(client, body, controller.signal);
      const type = response.headers.get("content-type") ?? "";
      if (type.includes("text/html")) {
        throw new BrokenStream("a web page came in place of an answer", { code: "NOT_A_STREAM" });
      }
      if (!response.body) throw new BrokenStream("an answer without content came", { code: "NOT_A_STREAM" });
      if (type.includes("application/json")) throw notStreamed(await boundedText(response, MAX_ERROR_BYTES));
      return Stream.rawEvents(watched(response, onBytes), controller);
    },
    async get(path, signal) {
      return boundedText(await client.get(path, { signal }).asResponse(), MAX_LIST_BYTES);
    },
  };
}

/** Begins to load what the first request needs, for a moment that has nothing else to do. */
export const preloadSdk = (): void => void loadSdk().catch(() => undefined); // the first request tells

async function loadSdk() {
  const [{ BaseAnthropic }, { Stream }] = await Promise.all([
    import("@anthropic-ai/sdk/client"),
    import("@anthropic-ai/sdk/core/streaming"),
  ]);
  return { BaseAnthropic, Stream };
}

function clientOptions(options: ConnectionOptions): ClientOptions {
  const { auth, baseURL, version, logger } = options;
  const { kind, value } = auth;
  const log = (message: string): void => logger.warn("model client library", { said: presentable(message, [value]) });
  return {
    ...(kind === "api-key" ? { apiKey: value } : { authToken: value }),
    baseURL: baseURL,
    maxRetries: 0,
    timeout: options.headersTimeoutMs + SDK_TIMEOUT_MARGIN_MS,
    defaultHeaders: { "User-Agent": `khaelor/${version}` },
    openTelemetry: false,
    logLevel: "warn",
    logger: { error: log, warn: log, info: log, debug: log },
    // Bun's extensions of fetch (`timeout`, `proxy: false`) are not in the SDK's types.
    fetchOptions: fetchOptions(options) as ClientOptions["fetchOptions"],
    fetch: fetchOnce(options.fetch),
  };
}

function fetchOptions({ baseURL, fetchOptions: given }: ConnectionOptions): Readonly<Record<string, unknown>> {
  return {
    ...(isLoopback(baseURL) ? { proxy: false } : {}),
    ...given,
    redirect: "manual",
    // Bun ends a silent response after some minutes by itself; the watchdog is the one who decides.
    timeout: false,
  };
}

/** A proxy cannot reach this machine's own servers, yet Bun would ask it even for those. */
function isLoopback(baseURL: string): boolean {
  const { hostname } = new URL(baseURL);
  return hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]" || /^127\./.test(hostname);
}

/** A refusal's body is read here and bounded; the SDK would read it to whatever end it has. */
const fetchOnce =
  (fetch: Fetch): Fetch =>
  async (...args) => {
    const response = await fetch(...args);
    if (response.ok) return response;
    const text = await boundedText(response, MAX_ERROR_BYTES);
    const { status, headers } = response;
    return new Response(NULL_BODY.has(status) ? null : text, { status, headers });
  };

const NULL_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

async function boundedText({ body }: Response, limit: number): Promise<string> {
  if (!body) return "";
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    text += decoder.decode(chunk, { stream: true });
    if (size >= limit) break;
  }
  return text;
}

/** Some gateways state an error with status 200, and some cannot stream. */
function notStreamed(text: string): Error {
  const answer = fields(parsed(text));
  if (answer.type === "error") return new StreamedError(answer);
  return new BrokenStream("one piece of JSON came in place of a stream of events", { code: "NOT_A_STREAM" });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // it only calls itself JSON, and says nothing
  }
}

/** Not through the SDK's own method for messages: that one writes to the console about some models. */
function post(client: BaseAnthropic, body: RequestBody, signal: AbortSignal): Promise<Response> {
  const betas = betasOf(body).join(",");
  const headers = betas === "" ? {} : { "anthropic-beta": betas };
  return client.post("/v1/messages", { body, headers, stream: true, signal }).asResponse();
}

function watched(response: Response, onBytes: () => void): Response {
  let size = 0;
  const body = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, out) {
        onBytes();
        size += chunk.byteLength;
        if (size > MAX_STREAM_BYTES)
          throw new BrokenStream("the answer is larger than 64 MiB", { code: "STREAM_TOO_LARGE" });
        out.enqueue(chunk);
      },
      // Some servers leave out the blank line behind the last event, and the decoder would drop that event.
      flush: (out) => out.enqueue(BLANK_LINE),
    }),
  );
  return new Response(body ?? null, { headers: response.headers });
}
