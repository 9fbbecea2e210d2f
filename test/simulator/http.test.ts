/** The server's own manners: bodies of every framing, limits, endpoints, records and connections. */
import { expect, test } from "bun:test";
import { MODELS, type RecordedRequest } from "../../src/simulator/index.ts";
import { type Body, errorOf, HEADERS, post, user, withSimulator } from "./harness.ts";
import { open, readReply, requestBytes } from "./wire.ts";

const ask: Body = { model: "claude-opus-5-5", max_tokens: 100, messages: [user("hü")] };

test("a body may come in chunks, byte by byte, or after a 100 Continue", () =>
  withSimulator({}, async (simulator) => {
    const text = Buffer.from(JSON.stringify(ask));
    const head = `POST /v1/messages HTTP/1.1\r\n${Object.entries(HEADERS)
      .map(([k, v]) => `${k}: ${v}\r\n`)
      .join("")}`;
    const chunked = open(simulator);
    chunked.write(`${head}transfer-encoding: chunked\r\n\r\n`);
    for (const part of [text.subarray(0, 70), text.subarray(70)]) {
      chunked.write(`${part.length.toString(16)};name=value\r\n`);
      chunked.write(part);
      chunked.write("\r\n");
    }
    chunked.write("0\r\ntrailer: x\r\n\r\n");
    expect((await readReply(chunked)).head).toStartWith("HTTP/1.1 200");

    const dripping = open(simulator);
    dripping.setNoDelay(true);
    for (const byte of requestBytes(ask)) dripping.write(Buffer.from([byte]));
    expect((await readReply(dripping)).head).toStartWith("HTTP/1.1 200");

    const polite = open(simulator);
    polite.write(`${head}expect: 100-continue\r\ncontent-length: ${text.length}\r\n\r\n`);
    const first = await new Promise<Buffer>((resolve) => polite.once("data", resolve));
    expect(first.toString()).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    polite.write(text);
    expect((await readReply(polite)).head).toStartWith("HTTP/1.1 200");
    expect(simulator.requests.map(({ body }) => body)).toEqual([ask, ask, ask]);
  }));

test("a body over 32 MB is a 413, and the connection lives on", () =>
  withSimulator({}, async (simulator) => {
    const large = await post(simulator, Buffer.alloc(32 * 1024 * 1024 + 1, 0x20));
    expect({ status: large.status, type: errorOf(large).type }).toEqual({ status: 413, type: "request_too_large" });
    const fits = Buffer.alloc(32 * 1024 * 1024, 0x20);
    fits.write(JSON.stringify(ask), 0);
    expect((await post(simulator, fits)).status).toBe(200);
  }));

test("what does not exist is a 404", () =>
  withSimulator({}, async (simulator) => {
    expect((await post(simulator, ask, { path: "/v1/complete" })).status).toBe(404);
    expect((await fetch(`${simulator.url}/v1/messages`)).status).toBe(404);
    expect((await fetch(`${simulator.url}/v1/models/claude-none`, { headers: HEADERS })).status).toBe(404);
    expect((await fetch(`${simulator.url}/v1/models`)).status).toBe(401);
  }));

test("models come in pages, retired ones only when asked for", () =>
  withSimulator({}, async (simulator) => {
    const get = async (query: string): Promise<Body> => {
      const response = await fetch(`${simulator.url}/v1/models${query}`, { headers: HEADERS });
      return (await response.json()) as Body;
    };
    const ids = (page: Body): unknown[] => (page.data as Body[]).map(({ id }) => id);
    const all = MODELS.filter(({ lifecycle }) => lifecycle !== "retired").map(({ id }) => id);
    const first = await get("?limit=5");
    const second = await get(`?limit=100&after_id=${first.last_id}`);
    expect([...ids(first), ...ids(second)]).toEqual(all);
    expect([first.has_more, second.has_more]).toEqual([true, false]);
    expect(ids(await get(`?limit=2&before_id=${first.last_id}`))).toEqual(all.slice(2, 4));
    expect(ids(await get("?lifecycle[]=retired"))).toEqual(["claude-opus-4-1-20250805"]);
    const haiku = await get("/claude-haiku-5-5");
    expect(haiku).toMatchObject({
      max_input_tokens: 1_000_000,
      max_tokens: 128_000,
      line: "haiku",
      lifecycle: "active",
    });
    expect(haiku.capabilities).toMatchObject({
      thinking: { supported: true, types: { adaptive: { supported: true }, enabled: { supported: false } } },
      effort: { supported: true, xhigh: { supported: true } },
    });
  }));

test("records keep bodies as they came and no credentials, and forget the oldest", () =>
  withSimulator({ keepRequests: 2 }, async (simulator) => {
    const pretty = JSON.stringify(ask, null, 2);
    await post(simulator, { ...ask, max_tokens: 1 });
    await post(simulator, "not json");
    await post(simulator, pretty, { headers: { "x-api-key": "hush", cookie: "hush" } });
    expect(simulator.requests.map(({ raw, body, status }) => ({ raw, body, status }))).toEqual([
      { raw: "not json", body: undefined, status: 400 },
      { raw: pretty, body: ask, status: 200 },
    ]);
    const headers = simulator.requests[1]?.headers ?? {};
    expect(headers["anthropic-version"]).toBe("2026-10-21");
    expect(JSON.stringify(headers)).not.toMatch(/hush|Bearer/);
  }));

test("connections are counted, and closing ends them and frees the port", async () => {
  const done = Promise.withResolvers<RecordedRequest>();
  let url = "";
  await withSimulator({ faults: [{ kind: "no-answer" }], onDone: done.resolve }, async (simulator) => {
    url = simulator.url;
    const socket = open(simulator);
    await new Promise((resolve) => socket.once("connect", resolve));
    socket.write(requestBytes(ask));
    while (simulator.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(simulator.openConnections()).toBe(1);
    socket.on("error", () => undefined);
  });
  expect((await done.promise).outcome).toBe("fault");
  expect(await fetch(url).catch(() => "refused")).toBe("refused");
});
