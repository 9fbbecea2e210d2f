/** What an error means, read from its shape alone. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { classify } from "../../src/anthropic/errors.ts";
import { errorBody } from "./answers.ts";

const answered = (status: number, type: string, message: string, details?: object) =>
  classify({ status, headers: new Headers(), error: JSON.parse(errorBody(type, message, details)) });
const thrown = (shape: object, message = "x") => classify(Object.assign(new Error(message), shape));

describe("a conversation that is too long", () => {
  const overflows: readonly (readonly [status: number, message: string])[] = [
    [400, "prompt is too long: 205000 tokens > 200000 maximum"],
    [400, "prompt is too long"],
    [
      400,
      "input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000, decrease input length or `max_tokens`",
    ],
    [413, "Request exceeds the maximum size"],
  ];
  for (const [status, message] of overflows) {
    test(`${status} ${message.slice(0, 40)}`, () => {
      const type = status === 413 ? "request_too_large" : "invalid_request_error";
      expect(answered(status, type, message)).toMatchObject({ kind: "context-overflow", repeat: "never" });
    });
  }

  test("in mid-stream, too", () => {
    const error = JSON.parse(errorBody("invalid_request_error", "prompt is too long: 2 tokens > 1 maximum"));
    expect(classify({ error })).toMatchObject({ kind: "context-overflow" });
  });

  test("is not a limit that compaction could not help", () => {
    for (const message of [
      "max_tokens: 68000 > 64000, which is the maximum allowed number of output tokens for this model",
      "messages.3.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.",
      "image dimensions exceed max allowed size for many-image requests: 2000 pixels",
      "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    ]) {
      expect(answered(400, "invalid_request_error", message)).toMatchObject({
        kind: "invalid-request",
        repeat: "never",
      });
    }
  });
});

test("each status has its meaning", () => {
  const meanings = [400, 401, 402, 403, 404, 408, 409, 413, 418, 422, 429, 500, 502, 503, 504, 529].map((status) => {
    const { kind, repeat } = classify({ status });
    return [status, kind, repeat];
  });
  expect(meanings).toEqual([
    [400, "invalid-request", "never"],
    [401, "auth", "never"],
    [402, "auth", "never"],
    [403, "auth", "never"],
    [404, "invalid-request", "never"],
    [408, "retryable", "soon"],
    [409, "retryable", "soon"],
    [413, "context-overflow", "never"],
    [418, "invalid-request", "never"],
    [422, "invalid-request", "never"],
    [429, "retryable", "later"],
    [500, "retryable", "soon"],
    [502, "retryable", "soon"],
    [503, "retryable", "soon"],
    [504, "retryable", "soon"],
    [529, "retryable", "later"],
  ]);
});

test("in mid-stream the error's type stands for the status; an unknown one may be tried again", () => {
  const meanings = ["overloaded_error", "api_error", "authentication_error", "from_the_future"].map((type) => {
    const { kind, repeat } = classify({ error: JSON.parse(errorBody(type, "x")) });
    return [type, kind, repeat];
  });
  expect(meanings).toEqual([
    ["overloaded_error", "retryable", "later"],
    ["api_error", "retryable", "soon"],
    ["authentication_error", "auth", "never"],
    ["from_the_future", "retryable", "soon"],
  ]);
});

test("in mid-stream an error without a type may be tried again too, and says what it can", () => {
  const said = [{}, { error: "boom" }, { error: { message: "boom" } }].map((more) => {
    const { kind, repeat, message } = classify({ error: { type: "error", ...more } });
    return [kind, repeat, message];
  });
  expect(said).toEqual([
    ["retryable", "soon", "the server failed"],
    ["retryable", "soon", "the server failed: boom"],
    ["retryable", "soon", "the server failed: boom"],
  ]);
});

test("an overload behind a gateway's plain 500 is still an overload", () => {
  expect(answered(500, "overloaded_error", "x")).toMatchObject({ repeat: "later", status: 500 });
});

test("a spending limit needs time or a person, not another try", () => {
  const limits = [
    answered(429, "rate_limit_error", "x", { error_code: "enforced_spend_limit_reached" }),
    answered(429, "rate_limit_error", "x", { error_code: "contract_spend_limit_reached" }),
    answered(
      400,
      "invalid_request_error",
      "You have reached your specified API usage limits. Access returns on 2026-12-01.",
    ),
  ];
  for (const fault of limits) expect(fault).toMatchObject({ kind: "retryable", repeat: "never", limitReached: true });
  const ramp = answered(429, "rate_limit_error", "x", { error_code: "ramp_limit_exceeded" });
  expect([ramp.repeat, ramp.limitReached]).toEqual(["later", undefined]);
});

test("certificates are final, connections are not", () => {
  for (const code of [
    "CERT_HAS_EXPIRED",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "SELF_SIGNED_CERT_IN_CHAIN",
  ]) {
    const fault = thrown({ name: "APIConnectionError", cause: Object.assign(new TypeError("x"), { code }) });
    expect(fault).toMatchObject({ kind: "invalid-request", repeat: "never", errorType: code });
    expect(fault.message).toContain("certificate problem");
  }
  for (const code of [
    "ECONNRESET",
    "ECONNREFUSED",
    "ENOTFOUND",
    "EAI_AGAIN",
    "ETIMEDOUT",
    "EPIPE",
    "Malformed_HTTP_Response",
    "ZlibError",
  ]) {
    expect(thrown({ code })).toMatchObject({ kind: "retryable", repeat: "soon", errorType: code });
  }
});

test("errors without a code are told by their name", () => {
  expect(thrown({ name: "TimeoutError", code: 23 })).toMatchObject({ kind: "retryable", repeat: "soon" });
  expect(thrown({ name: "APIConnectionTimeoutError" })).toMatchObject({ kind: "retryable", repeat: "soon" });
  expect(thrown({ name: "APIConnectionError" })).toMatchObject({ kind: "retryable", repeat: "soon" });
  expect(thrown({ name: "SyntaxError" })).toMatchObject({ kind: "retryable", repeat: "soon" });
  expect(thrown({ name: "AbortError", code: 20 })).toMatchObject({ kind: "cancelled", repeat: "never" });
  expect(thrown({ name: "APIUserAbortError" })).toMatchObject({ kind: "cancelled", repeat: "never" });
  expect(thrown({ name: "TypeError" }, "x is undefined")).toMatchObject({ kind: "invalid-request", repeat: "never" });
});

test("messages are one bounded line without escape sequences", () => {
  const fault = answered(400, "invalid_request_error", `bad\n\u001b[31mthing\u0007 ${"x".repeat(5000)}`);
  expect(fault.message).toStartWith("the server refused the request as invalid (400): bad thing xxx");
  for (const control of ["\n", "\u001b", "\u0007"]) expect(fault.message).not.toContain(control);
  expect(fault.message.length).toBeLessThan(800);
});

test("an error type is as foreign as the text beside it", () => {
  const type = `odd\n\u001b[31m Bearer sk-ant-0123456789 ${"x".repeat(5000)}`;
  for (const fault of [answered(500, type, "x"), thrown({ error: JSON.parse(errorBody(type, "x")) })]) {
    for (const text of [fault.message, fault.errorType ?? ""]) {
      for (const foreign of ["\n", "\u001b", "sk-ant"]) expect(text).not.toContain(foreign);
      expect(text.length).toBeLessThan(1000);
    }
  }
});

test("no value can make it throw, and none is repeated without end", () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true, maxDepth: 4 }), fc.anything(), (error, status) => {
      for (const value of [error, { status, error, headers: error, cause: error }]) {
        const fault = classify(value);
        expect(fault.kind).toBeOneOf(["retryable", "context-overflow", "auth", "invalid-request", "cancelled"]);
        expect(fault.message).not.toBe("");
        expect(fault.kind === "retryable" || fault.repeat === "never").toBe(true);
      }
    }),
    { seed: 9, numRuns: 500 },
  );
});
