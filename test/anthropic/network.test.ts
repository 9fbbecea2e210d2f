/** The client and the network between: certificates, dead ports, proxies. */
import { expect, test } from "bun:test";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { HELLO } from "./answers.ts";
import { EXPIRED, KEY, SELF_SIGNED } from "./certificates.ts";
import { clientOf, gather, textOf } from "./driver.ts";
import { scriptedServer, sse } from "./scripted-server.ts";

async function overTls(cert: string, options: Parameters<typeof clientOf>[1] = {}) {
  const asked: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    tls: { cert, key: KEY },
    fetch(request) {
      asked.push(request.url);
      return new Response(HELLO.map(sse).join(""), { headers: { "content-type": "text/event-stream" } });
    },
  });
  try {
    return { ...(await gather(clientOf(`https://localhost:${server.port}`, options))), asked };
  } finally {
    await server.stop(true);
  }
}

test("a certificate that has expired or that nobody vouches for is final and called a certificate problem", async () => {
  for (const [cert, code] of [
    [EXPIRED, "CERT_HAS_EXPIRED"],
    [SELF_SIGNED, "DEPTH_ZERO_SELF_SIGNED_CERT"],
  ] as const) {
    const { failure, asked } = await overTls(cert);
    expect(failure).toMatchObject({ kind: "invalid-request", attempts: 1, errorType: code });
    expect(failure?.message).toStartWith("certificate problem with localhost:");
    expect(asked).toEqual([]);
  }
});

test("a private certificate authority can be given", async () => {
  const { events, failure } = await overTls(SELF_SIGNED, { fetchOptions: { tls: { ca: SELF_SIGNED } } });
  expect([textOf(events), failure]).toEqual(["hello", null]);
});

test("a port where nobody listens is tried again, then named", async () => {
  const server = await scriptedServer(() => undefined);
  await server.stop();
  const { failure, waits } = await gather(clientOf(server.url, { maxAttempts: 3 }));
  expect(waits).toEqual([500, 1000]);
  expect(failure).toMatchObject({ kind: "retryable", errorType: "ECONNREFUSED", attempts: 3 });
  expect(failure?.message).toContain(new URL(server.url).host);
});

test("a server without TLS behind an https address is final", async () => {
  const plain = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.end("HTTP/1.1 400 X\r\ncontent-length: 0\r\n\r\n");
  });
  await new Promise<void>((resolve) => plain.listen(0, "127.0.0.1", resolve));
  const { port } = plain.address() as AddressInfo; // it listens on TCP
  const { failure } = await gather(clientOf(`https://127.0.0.1:${port}`));
  plain.close();
  expect(failure).toMatchObject({ kind: "invalid-request", attempts: 1 });
  expect(failure?.message).toContain("does not speak TLS");
});

/** Proxies are read when a process starts, so it takes a child to see them at work. */
async function askInChild(baseURL: string, env: Readonly<Record<string, string>>): Promise<string> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "ask-once.ts"), baseURL], {
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...env },
    stdout: "pipe",
    stderr: "inherit",
  });
  const output = await new Response(child.stdout).text();
  await child.exited;
  return output.trim();
}

test("a loopback server is reached without the proxy of the environment", async () => {
  const server = await scriptedServer((exchange) => {
    exchange.openStream();
    exchange.send(...HELLO);
    exchange.finish();
  });
  const dead = "http://127.0.0.1:1";
  for (const name of ["HTTP_PROXY", "http_proxy", "ALL_PROXY"]) {
    expect(await askInChild(server.url, { [name]: dead })).toBe("hello");
    expect(await askInChild(server.url.replace("127.0.0.1", "localhost"), { [name]: dead })).toBe("hello");
  }
  await server.stop();
}, 60_000);

test("any other server is asked through the proxy of the environment", async () => {
  const proxy = await scriptedServer(({ respond }) => respond(403, { "content-type": "text/plain" }, "no"));
  const output = await askInChild("http://api.example.test", { HTTP_PROXY: proxy.url });
  await proxy.stop();
  expect(output).toBe("auth");
  expect(proxy.requests[0]?.head).toStartWith("POST http://api.example.test/v1/messages");
}, 60_000);
