/** A good answer, however its bytes arrive, comes out whole; the request that asked for it is as it should be. */
import { describe, expect, test } from "bun:test";
import {
  delta,
  ending,
  HELLO,
  hello,
  PING,
  START,
  STOP,
  startBlock,
  stopBlock,
  streamed,
  textBlock,
  textDelta,
  textStart,
  toolBlock,
} from "./answers.ts";
import { ask, clientOf, gather, KEY, REQUEST, textOf, typesOf, withServer } from "./driver.ts";
import { type Answer, sse } from "./scripted-server.ts";

const USAGE = {
  inputTokens: 100,
  outputTokens: 12,
  cacheReadTokens: 20,
  cacheWriteTokens: 30,
  cacheWrite5m: 10,
  cacheWrite1h: 20,
};
describe("an answer that ends properly", () => {
  test("arrives as started, deltas, blocks and finished, from one request", async () => {
    const outcome = await ask([hello]);
    expect(outcome.events).toEqual([
      { type: "started", attempt: 1 },
      { type: "text-delta", blockIndex: 0, text: "hello" },
      { type: "block-completed", blockIndex: 0, block: { type: "text", text: "hello" } },
      {
        type: "finished",
        stopReason: "end_turn",
        usage: USAGE,
        messageId: "msg_1",
        resolvedModel: "claude-opus-5-5",
        durationMs: 0,
      },
    ]);
    expect(outcome.requests).toHaveLength(1);
  });

  test("is asked for with the key as a bearer, the API's version, and our own name", async () => {
    const { requests } = await ask([hello]);
    const head = requests[0]?.head.toLowerCase() ?? "";
    expect(head).toStartWith("post /v1/messages http/1.1");
    expect(head).toContain(`authorization: bearer ${KEY.toLowerCase()}`);
    expect(head).toContain("anthropic-version: 2026-10-21");
    expect(head).toContain("user-agent: khaelor/0.0.0-test");
    expect(JSON.parse(requests[0]?.body ?? "")).toEqual({
      model: "claude-opus-5-5",
      max_tokens: 1000,
      stream: true,
      system: [
        { type: "text", text: "static", cache_control: { type: "ephemeral" } },
        { type: "text", text: "project", cache_control: { type: "ephemeral" } },
      ],
      messages: [{ role: "user", content: [{ type: "text", text: "fix the test" }] }],
      thinking: { type: "adaptive", display: "summarized" },
    });
  });

  test("a token goes out as a bearer too", async () => {
    const { requests } = await ask([hello], { auth: { kind: "token", value: "a-token-of-mine" } });
    expect(requests[0]?.head).toMatch(/authorization: bearer a-token-of-mine/i);
  });

  test("goes out only after `started` was taken", async () => {
    await withServer([hello], async (server) => {
      const iterator = clientOf(server.url).stream(REQUEST, new AbortController().signal)[Symbol.asyncIterator]();
      await iterator.next();
      const before = server.requests.length;
      await iterator.next();
      expect([before, server.requests.length]).toEqual([0, 1]);
      await iterator.return?.();
    });
  });

  test("leaves its connection to the next one, even when its last bytes come a little late", async () => {
    const late: Answer = (exchange) => {
      exchange.openStream();
      exchange.send(...HELLO);
      setTimeout(() => exchange.finish(), 1);
    };
    await withServer([late, hello, hello], async (server) => {
      const client = clientOf(server.url);
      for (let at = 0; at < 3; at++) await gather(client);
      expect([server.requests.length, server.connections()]).toEqual([3, 1]);
    });
  });

  test("cache diagnosis stays away from servers that only imitate the API", async () => {
    await withServer([hello], async (server) => {
      await gather(clientOf(server.url), undefined, { ...REQUEST, previousMessageId: "msg_0" });
      expect(server.requests[0]?.body).not.toContain("diagnostics");
    });
  });

  test("survives every way of cutting its bytes into chunks, and CRLF line ends", async () => {
    const text = "grüße 🐢 漢字";
    const events = [START, PING, ...textBlock(text), ending("end_turn"), STOP];
    const bytes = Buffer.from(events.map(sse).join(""));
    const crlf = Buffer.from(events.map(sse).join("").replaceAll("\n", "\r\n"));
    for (const [form, size] of [
      [bytes, 1],
      [bytes, 3],
      [crlf, 1],
      [crlf, 7],
    ] as const) {
      const answer: Answer = (exchange) => {
        exchange.openStream();
        for (let at = 0; at < form.length; at += size) exchange.chunk(form.subarray(at, at + size));
        exchange.finish();
      };
      const outcome = await ask([answer]);
      expect(textOf(outcome.events)).toBe(text);
      expect(outcome.failure).toBeNull();
    }
  });

  test("fifty thousand deltas of one letter arrive as fifty thousand events", async () => {
    const many = Array.from({ length: 50_000 }, () => textDelta("x"));
    const outcome = await ask([streamed(START, textStart(), ...many, stopBlock(0), ending("end_turn"), STOP)]);
    expect(outcome.events).toHaveLength(50_003);
    expect(textOf(outcome.events)).toBe("x".repeat(50_000));
  }, 30_000);

  test("a line of two megabytes is one event", async () => {
    const outcome = await ask([streamed(START, ...textBlock("y".repeat(2_000_000)), ending("end_turn"), STOP)]);
    expect(textOf(outcome.events).length).toBe(2_000_000);
  });

  test("twelve parallel calls keep their order and their inputs' key order", async () => {
    const calls = Array.from({ length: 12 }, (_, at) => toolBlock(`t${at}`, "read", `{"z":${at},"a":1}`, at)).flat();
    const outcome = await ask([streamed(START, ...calls, ending("tool_use"), STOP)]);
    const inputs = outcome.events.flatMap((event) =>
      event.type === "block-completed" && event.block.type === "tool_use" ? [JSON.stringify(event.block.input)] : [],
    );
    expect(inputs).toEqual(Array.from({ length: 12 }, (_, at) => `{"z":${at},"a":1}`));
  });

  test("events that nobody knows, comments and lost event names do no harm", async () => {
    const answer: Answer = (exchange) => {
      exchange.openStream();
      exchange.chunk(`: a comment\n\ndata:${JSON.stringify(START)}\n\n`);
      exchange.send({ type: "from_the_future", index: 0 }, ...textBlock("kept"));
      exchange.chunk(`data: ${JSON.stringify(ending("end_turn"))}\n\nevent: odd\ndata: ${JSON.stringify(STOP)}\n\n`);
      exchange.finish();
    };
    const outcome = await ask([answer]);
    expect([textOf(outcome.events), outcome.failure]).toEqual(["kept", null]);
  });

  test("is complete without the blank line behind its last event", async () => {
    for (const tail of ["\n\n", "\n", ""]) {
      const outcome = await ask([
        (exchange) => {
          exchange.openStream();
          exchange.chunk(HELLO.map(sse).join("").trimEnd() + tail);
          exchange.finish();
        },
      ]);
      expect([typesOf(outcome.events).at(-1), outcome.failure]).toEqual(["finished", null]);
    }
  });

  test("what comes after its end is not waited for", async () => {
    const endless: Answer = (exchange) => {
      exchange.openStream();
      exchange.send(...HELLO);
    };
    await withServer([endless], async (server) => {
      const outcome = await gather(clientOf(server.url));
      expect(typesOf(outcome.events).at(-1)).toBe("finished");
      await server.allClosed();
    });
  });
});

test("thinking, redacted thinking and a call arrive whole", async () => {
  const outcome = await ask([
    streamed(
      START,
      startBlock(0, { type: "thinking", thinking: "", signature: "" }),
      delta(0, { type: "thinking_delta", thinking: "hm" }),
      delta(0, { type: "signature_delta", signature: "first" }),
      delta(0, { type: "signature_delta", signature: "sig" }),
      stopBlock(0),
      startBlock(1, { type: "redacted_thinking", data: "opaque==" }),
      stopBlock(1),
      startBlock(2, { type: "from_the_future", payload: 1 }),
      delta(2, { type: "odd_delta" }),
      stopBlock(2),
      ...toolBlock("t1", "bash", "", 3),
      ending("tool_use"),
      STOP,
    ),
  ]);
  expect(outcome.events.filter(({ type }) => type === "block-completed")).toEqual([
    { type: "block-completed", blockIndex: 0, block: { type: "thinking", thinking: "hm", signature: "sig" } },
    { type: "block-completed", blockIndex: 1, block: { type: "redacted_thinking", data: "opaque==" } },
    { type: "block-completed", blockIndex: 3, block: { type: "tool_use", id: "t1", name: "bash", input: {} } },
  ]);
});
