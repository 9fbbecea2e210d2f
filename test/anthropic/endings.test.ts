/** How a request ends before its answer does: by the user, by silence, by a cut. Nothing may stay behind. */
import { describe, expect, test } from "bun:test";
import { getEventListeners } from "node:events";
import { ModelError, type ModelEvent } from "../../src/anthropic/index.ts";
import { systemClock } from "../../src/shared/index.ts";
import {
  ending,
  HELLO,
  hello,
  PING,
  refusal,
  START,
  STOP,
  stopBlock,
  textBlock,
  textDelta,
  textStart,
} from "./answers.ts";
import { type Client, clientOf, gather, REQUEST, textOf, typesOf, withServer } from "./driver.ts";
import type { Answer, Exchange, ScriptedServer } from "./scripted-server.ts";

const silent: Answer = () => undefined;
const opened: Answer = (exchange) => {
  exchange.openStream();
  exchange.send(START, textStart(), textDelta("part"));
};
const endlessRefusal: Answer = (exchange) => {
  exchange.raw("HTTP/1.1 400 X\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n{");
};

/** An answer that hands its exchange to the test. */
function held(answer: Answer): { readonly answer: Answer; readonly exchange: Promise<Exchange> } {
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
async function until(iterator: AsyncIterator<ModelEvent>, type: ModelEvent["type"]): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  while (events.at(-1)?.type !== type) {
    const { done, value } = await iterator.next();
    if (done) throw new Error(`the stream ended before ${type}`);
    events.push(value);
  }
  return events;
}

async function failureOf(pending: Promise<unknown>): Promise<ModelError["failure"]> {
  const error = await pending.then(
    () => new Error("it did not fail"),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ModelError)) throw error;
  return error.failure;
}

/** Nothing is armed, listens, or is connected any more. */
async function expectNothingLeft(server: ScriptedServer, client: Client, signal: AbortSignal): Promise<void> {
  await server.allClosed();
  expect(client.clock.pending()).toBe(0);
  expect(getEventListeners(signal, "abort")).toEqual([]);
}

const begin = (client: Client, signal: AbortSignal) => client.stream(REQUEST, signal)[Symbol.asyncIterator]();

describe("an abort ends the request as cancelled and leaves nothing behind", () => {
  test("before it began", async () => {
    await withServer([hello], async (server) => {
      const client = clientOf(server.url);
      const outcome = await gather(client, AbortSignal.abort());
      expect([outcome.failure?.kind, outcome.events, server.requests]).toEqual(["cancelled", [], []]);
    });
  });

  test("after `started`, before anything went out", async () => {
    await withServer([hello], async (server) => {
      const [client, user] = [clientOf(server.url), new AbortController()];
      const iterator = begin(client, user.signal);
      await iterator.next();
      user.abort();
      expect((await failureOf(iterator.next())).kind).toBe("cancelled");
      expect(server.requests).toEqual([]);
      await expectNothingLeft(server, client, user.signal);
    });
  });

  for (const [name, answer] of [
    ["while the server is silent", silent],
    ["while a refusal's body never ends", endlessRefusal],
  ] as const) {
    test(name, async () => {
      const { answer: script, exchange } = held(answer);
      await withServer([script], async (server) => {
        const [client, user] = [clientOf(server.url), new AbortController()];
        const iterator = begin(client, user.signal);
        await iterator.next();
        const pending = failureOf(iterator.next());
        await exchange;
        user.abort();
        expect(await pending).toEqual({ kind: "cancelled", message: "cancelled", attempts: 1 });
        await expectNothingLeft(server, client, user.signal);
      });
    });
  }

  test("in mid-stream, with the usage that had been reported", async () => {
    await withServer([opened], async (server) => {
      const [client, user] = [clientOf(server.url), new AbortController()];
      const iterator = begin(client, user.signal);
      await until(iterator, "text-delta");
      const pending = failureOf(iterator.next());
      user.abort();
      expect(await pending).toMatchObject({ kind: "cancelled", usage: { inputTokens: 100, outputTokens: 1 } });
      await expectNothingLeft(server, client, user.signal);
    });
  });

  test("while the consumer holds an event, even if it never comes back", async () => {
    await withServer([opened], async (server) => {
      const [client, user] = [clientOf(server.url), new AbortController()];
      const iterator = begin(client, user.signal);
      await until(iterator, "text-delta");
      user.abort();
      await server.allClosed();
      expect((await failureOf(iterator.next())).kind).toBe("cancelled");
      await expectNothingLeft(server, client, user.signal);
    });
  });

  test("while it waits for the next attempt", async () => {
    await withServer([refusal(529, "", { connection: "close" })], async (server) => {
      const [client, user] = [clientOf(server.url), new AbortController()];
      const iterator = begin(client, user.signal);
      await until(iterator, "attempt-failed");
      const pending = failureOf(iterator.next());
      user.abort();
      expect(await pending).toMatchObject({ kind: "cancelled", attempts: 1 });
      await expectNothingLeft(server, client, user.signal);
    });
  });

  test("at the finish line there is either `finished` or `cancelled`, never both", async () => {
    for (let stop = 1; stop <= HELLO.length; stop++) {
      await withServer([hello], async (server) => {
        const [client, user] = [clientOf(server.url), new AbortController()];
        const seen: string[] = [];
        const run = async (): Promise<void> => {
          for await (const event of client.stream(REQUEST, user.signal)) {
            seen.push(event.type);
            if (seen.length === stop) user.abort();
          }
        };
        await run().catch((error: ModelError) => seen.push(error.failure.kind));
        expect(seen.filter((each) => each === "finished" || each === "cancelled")).toHaveLength(1);
        expect(client.clock.pending()).toBe(0);
        expect(getEventListeners(user.signal, "abort")).toEqual([]);
      });
    }
  });
});

test("a consumer that walks away closes the connection", async () => {
  await withServer([opened], async (server) => {
    const [client, user] = [clientOf(server.url), new AbortController()];
    for await (const event of client.stream(REQUEST, user.signal)) if (event.type === "text-delta") break;
    await expectNothingLeft(server, client, user.signal);
  });
});

test("a finished request leaves no timer and no listener", async () => {
  await withServer([refusal(500, ""), hello], async (server) => {
    const [client, user] = [clientOf(server.url), new AbortController()];
    const outcome = await gather(client, user.signal);
    expect(typesOf(outcome.events).at(-1)).toBe("finished");
    expect([client.clock.pending(), getEventListeners(user.signal, "abort")]).toEqual([0, []]);
  });
});

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
