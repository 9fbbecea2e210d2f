/** Refusals that stay, and what nobody may ever see: the key. */
import { describe, expect, test } from "bun:test";
import { errorBody, hello, refusal, START, streamed } from "./answers.ts";
import { ask, clientOf, gather, KEY, REQUEST, withServer } from "./driver.ts";

describe("a refusal that stays", () => {
  test("a wait that is longer than ours ends the request as rate-limited", async () => {
    const outcome = await ask([refusal(429, errorBody("rate_limit_error", "slow"), { "retry-after": "3600" })]);
    expect(outcome.failure).toMatchObject({ kind: "retryable", rateLimited: true, attempts: 1, status: 429 });
    expect(outcome.failure?.message).toContain("wait of 60 minutes");
    expect(outcome.waits).toEqual([]);
  });

  test("a spending limit is not retried and names the way out", async () => {
    const body = errorBody("rate_limit_error", "limit", { error_code: "enforced_spend_limit_reached" });
    const outcome = await ask([refusal(429, body)]);
    expect(outcome.failure).toMatchObject({ rateLimited: true, attempts: 1 });
    expect(outcome.failure?.message).toMatch(/spending limit.*raise the limit/);
    expect(outcome.requests).toHaveLength(1);
  });

  test("x-should-retry: false is obeyed", async () => {
    const outcome = await ask([refusal(529, errorBody("overloaded_error", "no"), { "x-should-retry": "false" })]);
    expect(outcome.requests).toHaveLength(1);
  });

  test("a body that is too large is an overflow, whatever page says so", async () => {
    const outcome = await ask([refusal(413, "<html>413</html>", { "content-type": "text/html" })]);
    expect(outcome.failure).toMatchObject({ kind: "context-overflow", status: 413, attempts: 1 });
  });

  test("a redirect is not followed, on the same host or another", async () => {
    await withServer([hello], async (other) => {
      for (const location of [`${other.url}/v1/messages`, "/elsewhere"]) {
        const outcome = await ask([refusal(307, "", { location })]);
        expect(outcome.failure).toMatchObject({ kind: "invalid-request", status: 307, attempts: 1 });
        expect(outcome.failure?.message).toMatch(/redirects.*base URL/);
        expect(outcome.requests).toHaveLength(1);
      }
      expect(other.requests).toEqual([]);
    });
  });

  test("without a key nothing goes out, and the message says how to set one", async () => {
    for (const value of [null, { kind: "api-key", value: "" }, { kind: "token", value: "two\nlines" }] as const) {
      const outcome = await ask([hello], { auth: value });
      expect(outcome.failure).toMatchObject({ kind: "auth", attempts: 0 });
      expect(outcome.failure?.message).toContain("ANTHROPIC_API_KEY");
      expect([outcome.events, outcome.requests]).toEqual([[], []]);
    }
  });

  test("a base URL that is none is final", async () => {
    const outcome = await gather(clientOf("nonsense"));
    expect(outcome.failure).toMatchObject({ kind: "invalid-request", attempts: 1 });
    expect(outcome.failure?.message).toContain("base URL");
  });
});

test("the key is in no event, error or log, even when the server repeats it", async () => {
  const echo = `your key ${KEY} and header Authorization: Bearer ${KEY} are bad`;
  const outcomes = [
    await ask([refusal(401, errorBody("authentication_error", echo))]),
    await ask([refusal(400, errorBody("invalid_request_error", echo))]),
    await ask([refusal(500, errorBody("api_error", echo), { "request-id": KEY })], { maxAttempts: 2 }),
    await ask([streamed(START, JSON.parse(errorBody("api_error", echo)))], { maxAttempts: 2 }),
    await ask([refusal(307, "", { location: `https://${KEY}.example/` })]),
  ];
  for (const { events, error, failure, log } of outcomes) {
    const shown = JSON.stringify([events, failure, log]) + Bun.inspect(error, { depth: 20 }) + String(error);
    expect(shown).not.toContain(KEY);
    expect(shown.toLowerCase()).not.toContain(KEY.toLowerCase());
    expect(failure).not.toBeNull();
  }
  expect(outcomes[0]?.failure?.message).toContain("[redacted]");
});

test("the library writes nothing to the console, not even about old models", async () => {
  const written: unknown[] = [];
  const methods = ["log", "info", "warn", "error", "debug"] as const;
  const originals = methods.map((method) => console[method]);
  for (const method of methods) console[method] = (...parts) => void written.push(parts);
  try {
    await withServer([hello], async (server) => {
      await gather(clientOf(server.url), undefined, { ...REQUEST, model: "claude-opus-4-5" });
    });
  } finally {
    methods.forEach((method, at) => {
      const original = originals[at];
      if (original) console[method] = original;
    });
  }
  expect(written).toEqual([]);
});
