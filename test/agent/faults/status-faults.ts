/** Answers with a status in place of a stream: each class of reference, each form of a wait, each page of a proxy. */
import type { Fault } from "../../../src/simulator/index.ts";
import { type FaultCase, SECRET } from "./fault-run.ts";

type Http = Extract<Fault, { kind: "http" }>;

const http = (name: string, status: number, more: Omit<Http, "kind" | "status"> = {}): FaultCase => ({
  name,
  fault: { kind: "http", status, ...more },
});

const stated = (type: string, message: string, details?: object) => ({
  type: "error",
  error: { type, message, ...(details && { details }) },
});

const HTML = "<html><head><title>Oops</title></head><body><h1>Bad gateway</h1></body></html>";
const wait = (seconds: string, more: Readonly<Record<string, string>> = {}) => ({
  headers: { "retry-after": seconds, ...more },
});
/** The server's time is the virtual one: 2026-09-21T13:33:20Z. */
const DATE = { date: "Mon, 21 Sep 2026 13:33:20 GMT" };

const WAITS: readonly FaultCase[] = ([429, 529] as const).flatMap((status) => [
  http(`${status} without retry-after`, status),
  http(`${status} with retry-after: 2`, status, wait("2")),
  http(`${status} with retry-after: 120`, status, wait("120")),
  http(`${status} with retry-after: 0`, status, wait("0")),
  http(`${status} with retry-after: -5`, status, wait("-5")),
  http(`${status} with retry-after: soon`, status, wait("soon")),
  http(`${status} with retry-after: 1.5`, status, wait("1.5")),
  http(`${status} with retry-after: 86400`, status, wait("86400")),
  http(`${status} with retry-after of thirty digits`, status, wait("9".repeat(30))),
  http(`${status} with retry-after as a date in 30 s`, status, wait("Mon, 21 Sep 2026 13:33:50 GMT", DATE)),
  http(`${status} with retry-after as a date of yesterday`, status, wait("Sun, 20 Sep 2026 13:33:20 GMT", DATE)),
  http(`${status} with retry-after-ms: 250`, status, wait("60", { "retry-after-ms": "250" })),
  http(`${status} with retry-after-ms: 0 and retry-after: 7`, status, wait("7", { "retry-after-ms": "0" })),
  http(`${status} with x-should-retry: false`, status, wait("2", { "x-should-retry": "false" })),
]);

const LIMITS: readonly FaultCase[] = [
  http("429 with a spending limit of the account", 429, { errorCode: "enforced_spend_limit_reached" }),
  http("429 with a spending limit of the contract", 429, { errorCode: "contract_spend_limit_reached" }),
  http("429 after growing too fast", 429, { errorCode: "ramp_limit_exceeded" }),
  http("400 with a spending limit of the user", 400, {
    body: stated("invalid_request_error", "You have reached your specified API usage limits."),
  }),
];

const REFUSALS: readonly FaultCase[] = [
  http("400", 400),
  http("400 that names a place", 400, { body: stated("invalid_request_error", "messages.3: something odd") }),
  http("400 without credit", 400, {
    body: stated("invalid_request_error", "Your credit balance is too low to go on."),
  }),
  http("400 with the key in its words", 400, { body: stated("invalid_request_error", `bad header: Bearer ${SECRET}`) }),
  http("401", 401),
  http("401 that repeats the key", 401, { body: stated("authentication_error", `invalid x-api-key: ${SECRET}`) }),
  http("402", 402),
  http("403", 403),
  http("404", 404, { body: stated("not_found_error", "model: claude-opus-5-5") }),
  http("404 of a web server", 404, { body: HTML }),
  http("405", 405),
  http("412", 412),
  http("418", 418),
  http("422", 422),
  http("431", 431),
  http("451", 451),
  http("499", 499),
];

const FAILURES: readonly FaultCase[] = [
  http("408", 408),
  http("409", 409),
  ...[500, 501, 502, 503, 504, 520, 522].map((status) => http(String(status), status)),
  http("502 as a web page", 502, { body: HTML }),
  http("503 as a web page with the key in it", 503, { body: `<p>${SECRET}</p>` }),
  http("500 that is an overload", 500, { body: stated("overloaded_error", "Overloaded") }),
  http("500 of a megabyte", 500, { body: "x".repeat(1_000_000) }),
  http("500 with words that drive a terminal", 500, { body: stated("api_error", "\u001b[2J\u001b]0;x\u0007gone\r\n") }),
];

const OVERFLOWS: readonly FaultCase[] = [
  http("400, the prompt is too long", 400, {
    body: stated("invalid_request_error", "prompt is too long: 1000123 tokens > 1000000 maximum"),
  }),
  http("400, prompt and max_tokens are too long", 400, {
    body: stated(
      "invalid_request_error",
      "input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000, decrease input length",
    ),
  }),
  http("413", 413),
  http("413 as a web page", 413, { body: HTML }),
];

const REDIRECTS: readonly FaultCase[] = [301, 302, 303, 307, 308].map((status) =>
  http(`${status} to another host`, status, { headers: { location: `https://elsewhere.example/v1?key=${SECRET}` } }),
);

const STRANGE: readonly FaultCase[] = [
  http("304", 304),
  http("302 without a place", 302),
  http("200 as a web page", 200, { body: HTML }),
  http("200 without content", 200, { body: "", headers: { "content-type": "text/event-stream" } }),
  http("204", 204, { body: "" }),
  http("200 as JSON that is an error", 200, { body: stated("overloaded_error", "Overloaded") }),
  http("200 as JSON that is a whole message", 200, {
    body: { id: "msg_1", type: "message", role: "assistant", content: [{ type: "text", text: "Hello" }] },
  }),
  http("200 as garbage that calls itself a stream", 200, {
    body: "}{ not an event\n\nat all\n\n",
    headers: { "content-type": "text/event-stream" },
  }),
  http("200 as a stream of data that is no JSON", 200, {
    body: "event: message_start\ndata: {oops\n\n",
    headers: { "content-type": "text/event-stream" },
  }),
  http("200 that says gzip and is none", 200, {
    body: "event: ping\ndata: {}\n\n",
    headers: { "content-type": "text/event-stream", "content-encoding": "gzip" },
  }),
  http("200 that says br and is none", 200, {
    body: "event: ping\ndata: {}\n\n",
    headers: { "content-type": "text/event-stream", "content-encoding": "br" },
  }),
  http("500 that says gzip and is none", 500, { headers: { "content-encoding": "gzip" } }),
];

export const STATUS_FAULTS: readonly FaultCase[] = [
  ...WAITS,
  ...LIMITS,
  ...REFUSALS,
  ...FAILURES,
  ...OVERFLOWS,
  ...REDIRECTS,
  ...STRANGE,
];
