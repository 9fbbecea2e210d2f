/** The user or the consumer ends a request before its answer does. Nothing may stay behind. */
import { describe, expect, test } from "bun:test";
import { getEventListeners } from "node:events";
import type { ModelError } from "../../src/anthropic/index.ts";
import { hello, opened, refusal, silent } from "./answers.ts";
import {
  begin,
  type Client,
  clientOf,
  failureOf,
  gather,
  held,
  REQUEST,
  typesOf,
  until,
  withServer,
} from "./driver.ts";
import type { Answer, ScriptedServer } from "./scripted-server.ts";

const endlessRefusal: Answer = (exchange) => {
  exchange.raw("HTTP/1.1 400 X\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n{");
};

/** Nothing is armed, listens, or is connected any more. */
async function expectNothingLeft(server: ScriptedServer, client: Client, signal: AbortSignal): Promise<void> {
  await server.allClosed();
  expect(client.clock.pending()).toBe(0);
  expect(getEventListeners(signal, "abort")).toEqual([]);
}

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

  test("at whichever event: then `cancelled` follows, unless that event was `finished`", async () => {
    for (let stop = 1; stop <= 4; stop++) {
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
        const last = seen[stop - 1] === "finished" ? "finished" : "cancelled";
        expect(seen.filter((each) => each === "finished" || each === "cancelled")).toEqual([last]);
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
