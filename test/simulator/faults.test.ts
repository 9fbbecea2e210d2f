/** Each fault does to the bytes what its name says, once, and the retry gets the same answer without it. */
import { describe, expect, test } from "bun:test";
import type { Fault, FaultPlace, RecordedRequest } from "../../src/simulator/index.ts";
import { manualClock } from "../support/clock.ts";
import { type Body, post, user, withSimulator } from "./harness.ts";
import { exchange, open, parseEvents, readReply, requestBytes } from "./wire.ts";

const ask: Body = { model: "claude-opus-5-5", max_tokens: 4000, stream: true, messages: [user("hi")] };
const content = [
  { type: "text", text: "a text of some length" },
  { type: "tool_use", name: "bash", input: { command: "make" } },
] as const;
const stream = { deltaChars: 5 };

/** The bytes of the first attempt under a fault, and of the second. */
async function attempts(fault: Fault) {
  const script = () => ({ content, stream, fault });
  const seen: {
    readonly first: Awaited<ReturnType<typeof exchange>>;
    readonly second: Awaited<ReturnType<typeof exchange>>;
    readonly requests: RecordedRequest[];
  }[] = [];
  await withSimulator({ script }, async (simulator) => {
    const first = await exchange(simulator, ask);
    const second = await exchange(simulator, ask);
    seen.push({ first, second, requests: [...simulator.requests] });
  });
  const [only] = seen;
  if (!only) throw new Error("no attempt was made");
  return only;
}

describe("in the middle of a stream", () => {
  const places: readonly FaultPlace[] = [
    {},
    { afterEvents: 3 },
    { afterBytes: 700 },
    { afterSeen: "input_json_delta", times: 2 },
  ];
  const endings = { cut: "fin", reset: "reset", "clean-end": "whole" } as const;
  for (const kind of ["cut", "reset", "clean-end"] as const) {
    test.each([...places])(`${kind} at %o`, async (place) => {
      const { first, second, requests } = await attempts({ kind, ...place });
      expect(second.ending).toBe("whole");
      expect(second.body).toContain("message_stop");
      expect(first.ending).toBe(endings[kind]);
      expect(first.body).not.toContain("message_stop");
      if (place.afterBytes !== undefined) expect(Buffer.byteLength(first.body)).toBe(place.afterBytes);
      if (place.afterEvents !== undefined) expect(parseEvents(first.body).length).toBe(place.afterEvents);
      if (place.afterSeen !== undefined) expect(first.body.match(/input_json_delta/g)?.length).toBe(2);
      expect(requests.map(({ outcome }) => outcome)).toEqual(["fault", "answered"]);
      expect(requests[0]?.fault).toEqual({ kind, ...place });
    });
  }

  test("an error event ends the stream, with or without its name", async () => {
    const error = { type: "api_error", message: "broken" };
    const named = await attempts({ kind: "error-event", error, afterSeen: "text_delta" });
    expect(named.first.ending).toBe("whole");
    expect(parseEvents(named.first.body).at(-1)).toMatchObject({ event: "error", data: { type: "error", error } });
    const unnamed = await attempts({ kind: "error-event", unnamed: true, afterEvents: 2 });
    expect(parseEvents(unnamed.first.body).at(-1)).toMatchObject({
      event: undefined,
      data: { error: { type: "overloaded_error" } },
    });
  });
});

describe("in place of a stream", () => {
  test("an answer with its own status, headers and body", async () => {
    const body = { type: "error", error: { type: "rate_limit_error", message: "slow down" } };
    const limited = await attempts({ kind: "http", status: 429, headers: { "retry-after": "2" }, body });
    expect(limited.first.head).toMatch(/^HTTP\/1\.1 429 /);
    expect(limited.first.head).toContain("retry-after: 2");
    expect(JSON.parse(limited.first.body)).toEqual(body);
    const overloaded = await attempts({ kind: "http", status: 529 });
    expect(JSON.parse(overloaded.first.body)).toMatchObject({ error: { type: "overloaded_error" } });
    const portal = await attempts({ kind: "http", status: 200, body: "<html>log in</html>" });
    expect(portal.first.head).toContain("content-type: text/html");
    expect(portal.first.body).toBe("<html>log in</html>");
    expect(portal.second.body).toContain("message_stop");
  });

  test("a hang-up resets before any byte", async () => {
    const { first, requests } = await attempts({ kind: "hang-up" });
    expect({ ending: first.ending, head: first.head }).toEqual({ ending: "reset", head: "" });
    expect(requests[0]?.outcome).toBe("fault");
  });

  test("no answer lasts until the client leaves", async () => {
    const done = Promise.withResolvers<RecordedRequest>();
    await withSimulator({ faults: [{ kind: "no-answer" }], onDone: done.resolve }, async (simulator) => {
      const aborted = AbortSignal.timeout(20);
      const failure = await fetch(`${simulator.url}/v1/messages`, {
        method: "POST",
        headers: { authorization: "Bearer k", "anthropic-version": "2026-10-21", "content-type": "application/json" },
        body: JSON.stringify(ask),
        signal: aborted,
      }).catch((error: unknown) => error);
      expect(failure).toMatchObject({ name: "TimeoutError" });
      expect((await done.promise).fault).toEqual({ kind: "no-answer" });
    });
  });
});

describe("silence", () => {
  const tick = () => Bun.sleep(1);

  test("of a given time, with pings meanwhile, and then the stream goes on", async () => {
    const clock = manualClock();
    const fault: Fault = { kind: "silence", ms: 180_000, pingEveryMs: 30_000, afterEvents: 4 };
    await withSimulator({ script: () => ({ content, stream, fault }), clock }, async (simulator) => {
      const reply = exchange(simulator, ask);
      for (let i = 0; i < 6; i++) {
        while (clock.pending() === 0) await tick();
        clock.advance(30_000);
        await tick();
      }
      const events = parseEvents((await reply).body).map(({ event }) => event);
      expect(events.slice(4, 10)).toEqual(Array(6).fill("ping"));
      expect(events.at(-1)).toBe("message_stop");
    });
  });

  test("for ever, until the client leaves", async () => {
    const done = Promise.withResolvers<RecordedRequest>();
    const script = () => ({ content, stream, fault: { kind: "silence", afterEvents: 2 } as const });
    await withSimulator({ script, onDone: done.resolve }, async (simulator) => {
      const socket = open(simulator);
      socket.write(requestBytes(ask));
      await new Promise((resolve) => socket.once("data", resolve));
      socket.destroy();
      expect((await done.promise).outcome).toBe("client-closed");
    });
  });
});

describe("how often a fault strikes", () => {
  test("each of a turn's faults once, then the answer", () =>
    withSimulator(
      {
        script: () => ({
          content,
          fault: [
            { kind: "http", status: 529 },
            { kind: "http", status: 500 },
          ],
        }),
      },
      async (simulator) => {
        const statuses: number[] = [];
        for (let i = 0; i < 4; i++) statuses.push((await post(simulator, { ...ask, stream: false })).status);
        expect(statuses).toEqual([529, 500, 200, 200]);
        const other = await post(simulator, { ...ask, stream: false, messages: [user("another conversation")] });
        expect(other.status).toBe(529);
      },
    ));

  test("the server's list by position, and what is asked for in between, each once", () =>
    withSimulator({ faults: [undefined, { kind: "http", status: 503 }] }, async (simulator) => {
      const status = async () => (await post(simulator, { ...ask, stream: false })).status;
      expect([await status(), await status(), await status()]).toEqual([200, 503, 200]);
      simulator.failNext({ kind: "http", status: 401 }, { kind: "http", status: 402 });
      expect([await status(), await status(), await status()]).toEqual([401, 402, 200]);
    }));

  test("an invalid request is refused before any fault, and uses none up", () =>
    withSimulator({ faults: [{ kind: "http", status: 529 }] }, async (simulator) => {
      expect((await post(simulator, { ...ask, messages: [] })).status).toBe(400);
      expect((await post(simulator, ask)).status).toBe(529);
    }));

  test("a script that throws is a 400 that names it, and is recorded", () =>
    withSimulator(
      {
        script: () => {
          throw new Error("no idea");
        },
      },
      async (simulator) => {
        expect((await post(simulator, ask)).status).toBe(400);
        expect(simulator.refusals).toEqual([{ rule: "script", status: 400, message: "simulator: no idea" }]);
      },
    ));
});

test("a cut stream has been billed: its usage is recorded and its prompt is in the cache", () =>
  withSimulator({ faults: [{ kind: "cut", afterEvents: 3 }] }, async (simulator) => {
    const body = { ...ask, system: "s".repeat(9000), cache_control: { type: "ephemeral" } };
    await exchange(simulator, body);
    await exchange(simulator, body);
    const [first, second] = simulator.requests;
    expect(first?.usage?.cache_creation_input_tokens).toBeGreaterThan(2000);
    expect(second?.usage?.cache_read_input_tokens).toBe(first?.usage?.cache_creation_input_tokens ?? -1);
  }));

test("a socket serves one request after another", () =>
  withSimulator({}, async (simulator) => {
    const socket = open(simulator);
    socket.write(
      Buffer.concat([
        requestBytes({ ...ask, stream: false }),
        requestBytes({ ...ask, stream: false }, "connection: close\r\n"),
      ]),
    );
    const all: Buffer[] = [];
    socket.on("data", (bytes: Buffer) => all.push(bytes));
    await new Promise((resolve) => socket.once("close", resolve));
    expect(
      Buffer.concat(all)
        .toString()
        .match(/HTTP\/1\.1 200/g)?.length,
    ).toBe(2);
    const third = open(simulator);
    third.write("nonsense\r\n\r\n");
    expect((await readReply(third)).ending).toBe("fin");
  }));
