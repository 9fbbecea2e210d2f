/** Answers that go silent, are cut, or only take long; and several at once. */
import { describe, expect, test } from "bun:test";
import { systemClock } from "../../src/shared/index.ts";
import { ending, hello, opened, PING, START, STOP, silent, stopBlock, textBlock, textDelta } from "./answers.ts";
import { begin, clientOf, gather, held, textOf, typesOf, until, withServer } from "./driver.ts";
import type { Answer } from "./scripted-server.ts";

describe("silence", () => {
  test("before the headers fails the attempt, and another follows", async () => {
    const { answer, exchange } = held(silent);
    await withServer([answer, hello], async (server) => {
      const client = clientOf(server.url, { headersTimeoutMs: 30_000 });
      const iterator = begin(client, new AbortController().signal);
      await iterator.next();
      const pending = iterator.next();
      await exchange;
      client.clock.advance(29_999);
      client.clock.advance(1);
      const { value } = await pending;
      expect(value).toEqual({
        type: "attempt-failed",
        failure: {
          kind: "retryable",
          message: "the server accepted the request and did not answer for 30 s",
          errorType: "STREAM_STALLED",
          attempts: 1,
        },
        retryAfterMs: 500,
      });
      await server.allClosed();
      await iterator.return?.();
    });
  });

  test("in mid-stream fails the attempt after the idle time, and another follows", async () => {
    await withServer([opened, hello], async (server) => {
      const client = clientOf(server.url);
      const iterator = begin(client, new AbortController().signal);
      await until(iterator, "text-delta");
      const pending = iterator.next();
      client.clock.advance(120_000);
      const { value } = await pending;
      expect(value).toMatchObject({
        type: "attempt-failed",
        failure: { kind: "retryable", usage: { inputTokens: 100 } },
      });
      expect(JSON.stringify(value)).toContain("stalled: nothing arrived for 120 s");
      await iterator.return?.();
      expect(client.clock.pending()).toBe(0);
    });
  });

  test("is none while something arrives now and then, however long the answer takes", async () => {
    const { answer, exchange } = held(opened);
    await withServer([answer], async (server) => {
      const client = clientOf(server.url);
      const iterator = begin(client, new AbortController().signal);
      await until(iterator, "text-delta");
      const { send } = await exchange;
      for (let minutes = 0; minutes < 12; minutes++) {
        const pending = iterator.next();
        client.clock.advance(60_000);
        send(textDelta("more"));
        expect((await pending).value).toEqual({ type: "text-delta", blockIndex: 0, text: "more" });
      }
      await iterator.return?.();
    });
  });

  test("does not count while the consumer holds an event", async () => {
    const { answer, exchange } = held(opened);
    await withServer([answer], async (server) => {
      const client = clientOf(server.url);
      const iterator = begin(client, new AbortController().signal);
      await until(iterator, "text-delta");
      client.clock.advance(3_600_000);
      const pending = until(iterator, "finished");
      const rest = await exchange;
      rest.send(stopBlock(0), ending("end_turn"), STOP);
      rest.finish();
      expect(typesOf(await pending)).toEqual(["block-completed", "finished"]);
      await iterator.next();
      expect(client.clock.pending()).toBe(0);
    });
  });

  test("with pings is waited out; pings for ever are not", async () => {
    const pinging: Answer = async (exchange) => {
      exchange.openStream();
      exchange.send(START);
      const timer = setInterval(() => exchange.send(PING), 10);
      await exchange.gone;
      clearInterval(timer);
    };
    await withServer([pinging, hello], async (server) => {
      const options = { clock: systemClock, idleTimeoutMs: 60_000, progressTimeoutMs: 150, maxAttempts: 1 };
      const outcome = await gather(clientOf(server.url, options));
      expect(outcome.failure).toMatchObject({
        kind: "retryable",
        errorType: "STREAM_STALLED",
        usage: { inputTokens: 100 },
      });
      expect(outcome.failure?.message).toContain("stalled: only keep-alive");
      await server.allClosed();
    });
  });
});

test("a cut that comes after text was seen keeps the usage, and the next answer starts anew", async () => {
  const { answer, exchange } = held(opened);
  await withServer([answer, hello], async (server) => {
    const client = clientOf(server.url);
    const iterator = begin(client, new AbortController().signal);
    await until(iterator, "text-delta");
    (await exchange).cut();
    const { value } = await iterator.next();
    expect(value).toMatchObject({ type: "attempt-failed", failure: { usage: { inputTokens: 100, outputTokens: 1 } } });
    const pending = until(iterator, "finished");
    client.clock.advance(500);
    expect(textOf(await pending)).toBe("hello");
  });
});

test("two requests of one client run side by side", async () => {
  await withServer(
    [
      hello,
      (exchange) => {
        exchange.openStream();
        exchange.send(START, ...textBlock("other"), ending("end_turn"), STOP);
        exchange.finish();
      },
    ],
    async (server) => {
      const client = clientOf(server.url);
      const outcomes = await Promise.all([gather(client), gather(client)]);
      expect(outcomes.map(({ events }) => textOf(events)).sort()).toEqual(["hello", "other"]);
    },
  );
});
