/** Answers that break: what is asked for again, how often, and what is said about it. */
import { describe, expect, test } from "bun:test";
import {
  ending,
  errorBody,
  hello,
  jsonDelta,
  refusal,
  START,
  STOP,
  startBlock,
  streamed,
  textBlock,
  textDelta,
  textStart,
  toolBlock,
  toolStart,
} from "./answers.ts";
import { ask, typesOf } from "./driver.ts";
import type { Answer } from "./scripted-server.ts";

const USAGE = {
  inputTokens: 100,
  outputTokens: 12,
  cacheReadTokens: 20,
  cacheWriteTokens: 30,
  cacheWrite5m: 10,
  cacheWrite1h: 20,
};
/** What message_start alone reports. */
const EARLY_USAGE = { ...USAGE, outputTokens: 1 };

/** Broken answers that another try can mend. Each is followed by a good one. */
const BROKEN: readonly (readonly [name: string, answer: Answer, message: RegExp, usage: object | undefined])[] = [
  [
    "a clean end without message_stop",
    streamed(START, ...textBlock("part"), ending("end_turn")),
    /stopped before its end/,
    USAGE,
  ],
  ["an end right after the headers", streamed(), /stopped before its end/, undefined],
  [
    "an end with an open block",
    streamed(START, textStart(), textDelta("part"), ending("end_turn"), STOP),
    /open content block/,
    USAGE,
  ],
  [
    "a connection that is closed in mid-body",
    async (exchange) => {
      exchange.openStream();
      exchange.send(START, textStart(), textDelta("part"));
      exchange.cut();
    },
    /was cut/,
    undefined,
  ],
  [
    "a reset in mid-body",
    (exchange) => {
      exchange.openStream();
      exchange.send(START);
      exchange.reset();
    },
    /was cut|could not reach/,
    undefined,
  ],
  ["a connection that is closed before any answer", (exchange) => exchange.cut(), /was cut/, undefined],
  [
    "half an event",
    (exchange) => {
      exchange.openStream();
      exchange.send(START);
      exchange.chunk('event: content_block_start\ndata: {"type":"content_bl');
      exchange.finish();
    },
    /not JSON/,
    EARLY_USAGE,
  ],
  [
    "an event that is not JSON",
    (exchange) => {
      exchange.openStream();
      exchange.send(START);
      exchange.chunk("event: content_block_start\ndata: {oops\n\n");
      exchange.finish();
    },
    /not JSON/,
    EARLY_USAGE,
  ],
  [
    "a web page with status 200",
    (exchange) => exchange.respond(200, { "content-type": "text/html" }, "<html>Log in</html>"),
    /web page/,
    undefined,
  ],
  ["no content at all", (exchange) => exchange.respond(204, {}, ""), /without content/, undefined],
  [
    "an error after text",
    streamed(START, textStart(), textDelta("part"), JSON.parse(errorBody("overloaded_error", "Overloaded"))),
    /overloaded .*: Overloaded \(request req_body\)/,
    EARLY_USAGE,
  ],
  [
    "an error in the middle of a call's input",
    streamed(START, toolStart("t1", "bash"), jsonDelta('{"comm'), JSON.parse(errorBody("api_error", "boom"))),
    /the server failed.*boom/,
    EARLY_USAGE,
  ],
  [
    "an error after a complete call",
    streamed(START, ...toolBlock("t1", "bash", '{"command":"ls"}'), JSON.parse(errorBody("api_error", "boom"))),
    /the server failed.*boom/,
    EARLY_USAGE,
  ],
  ["a call without an id", streamed(START, startBlock(0, { type: "tool_use", name: "x" })), /no id/, EARLY_USAGE],
  [
    "an error page with status 500",
    refusal(500, "<html>oops</html>", { "content-type": "text/html" }),
    /failed \(500\)/,
    undefined,
  ],
  [
    "529",
    refusal(529, errorBody("overloaded_error", "Overloaded")),
    /overloaded \(529\).*\(request req_head\)/,
    undefined,
  ],
  ["408", refusal(408, ""), /timed out \(408\)/, undefined],
];

describe("an answer that breaks is asked for again", () => {
  for (const [name, answer, message, usage] of BROKEN) {
    test(name, async () => {
      const outcome = await ask([answer, hello]);
      const failed = outcome.events.find((event) => event.type === "attempt-failed");
      expect(failed?.failure.message).toMatch(message);
      expect(failed?.failure.kind).toBe("retryable");
      if (usage) expect(failed?.failure.usage).toEqual(usage as never);
      const finishes = outcome.events.filter((event) => event.type === "finished");
      expect(finishes.map((event) => event.usage)).toEqual([USAGE]);
      expect(typesOf(outcome.events).slice(-4)).toEqual(["started", "text-delta", "block-completed", "finished"]);
      expect(outcome.requests.map(({ body }) => body)).toEqual([
        outcome.requests[0]?.body,
        outcome.requests[0]?.body,
      ] as string[]);
    });
  }

  test("until the attempts are used up; then the last failure is thrown, with its number", async () => {
    const outcome = await ask([refusal(500, errorBody("api_error", "boom"))], { maxAttempts: 3 });
    expect(outcome.failure).toEqual({
      kind: "retryable",
      message:
        "the server failed (500): boom (request req_head) — 3 attempts did not help; try again later, or with another model",
      status: 500,
      errorType: "api_error",
      serverRequestId: "req_head",
      attempts: 3,
    });
    expect(outcome.waits).toEqual([500, 1000]);
    expect(typesOf(outcome.events)).toEqual(["started", "attempt-failed", "started", "attempt-failed", "started"]);
  });

  test("until the waits together would be too long", async () => {
    const outcome = await ask([refusal(500, "")], { maxTotalRetryWaitMs: 3000 });
    expect(outcome.waits).toEqual([500, 1000]);
    expect(outcome.failure?.rateLimited).toBeUndefined();
  });

  test("but an endless error body is cut short", async () => {
    const flood: Answer = async (exchange) => {
      exchange.raw("HTTP/1.1 500 X\r\ncontent-type: text/html\r\ntransfer-encoding: chunked\r\n\r\n");
      for (let at = 0; at < 40; at++) exchange.chunk("x".repeat(10_000));
    };
    const outcome = await ask([flood, hello]);
    expect(outcome.failure).toBeNull();
    expect(outcome.waits).toEqual([500]);
  });
});
