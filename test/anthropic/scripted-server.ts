/** A loopback server on raw sockets: each request is answered, byte for byte, by the next line of a script. */

import type { AddressInfo } from "node:net";
import { createServer, type Server, type Socket } from "node:net";

export interface SeenRequest {
  readonly head: string;
  readonly body: string;
}

export interface Exchange {
  readonly request: SeenRequest;
  /** Raw bytes, as they are. */
  raw(bytes: string | Uint8Array): void;
  /** A response head of its own choice, then the body with its length. */
  respond(status: number, headers: Readonly<Record<string, string>>, body: string): void;
  /** Opens an event stream; `chunk` and `send` follow. */
  openStream(): void;
  chunk(bytes: string | Uint8Array): void;
  send(...events: readonly object[]): void;
  /** Ends the stream as HTTP wants it. */
  finish(): void;
  /** Ends the connection in the middle of the body. */
  cut(): void;
  reset(): void;
  /** Resolves when the other side has gone. */
  readonly gone: Promise<void>;
}

export type Answer = (exchange: Exchange) => void | Promise<void>;

export interface ScriptedServer {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  /** Connections that were ever made. */
  connections(): number;
  /** Resolves when no connection is open. */
  allClosed(): Promise<void>;
  stop(): Promise<void>;
}

/** The last answer is given again when the script is used up. */
export async function scriptedServer(...script: readonly Answer[]): Promise<ScriptedServer> {
  const requests: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  const waiting: (() => void)[] = [];
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => {
      sockets.delete(socket);
      if (sockets.size === 0) for (const done of waiting.splice(0)) done();
    });
    let input = "";
    socket.on("data", (bytes) => {
      input += bytes.toString("latin1");
      const request = complete(input);
      if (!request) return;
      input = "";
      const answer = script[Math.min(requests.length, script.length - 1)];
      requests.push(request);
      void answer?.(exchangeOn(socket, request));
    });
  });
  const port = await listening(server);
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    connections: () => connections,
    allClosed: () => (sockets.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)); // it listens on TCP
  });
}

function complete(input: string): SeenRequest | null {
  const end = input.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const head = input.slice(0, end);
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? "0");
  const body = input.slice(end + 4);
  return body.length < length ? null : { head, body: Buffer.from(body, "latin1").toString("utf8") };
}

function exchangeOn(socket: Socket, request: SeenRequest): Exchange {
  const chunk = (bytes: string | Uint8Array): void => {
    const buffer = Buffer.from(bytes as string); // both forms are accepted
    if (buffer.length === 0) return;
    socket.write(Buffer.concat([Buffer.from(`${buffer.length.toString(16)}\r\n`), buffer, Buffer.from("\r\n")]));
  };
  return {
    request,
    raw: (bytes) => void socket.write(bytes),
    respond(status, headers, body) {
      const lines = Object.entries({ "content-length": String(Buffer.byteLength(body)), ...headers });
      socket.write(
        `HTTP/1.1 ${status} X\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`,
      );
    },
    openStream: () =>
      void socket.write(
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nrequest-id: req_stream\r\ntransfer-encoding: chunked\r\n\r\n",
      ),
    chunk,
    send: (...events) => chunk(events.map(sse).join("")),
    finish: () => void socket.write("0\r\n\r\n"),
    cut: () => void socket.end(),
    reset: () => void socket.resetAndDestroy(),
    gone: new Promise((resolve) => socket.once("close", () => resolve())),
  };
}

export const sse = (event: object): string =>
  `event: ${"type" in event ? event.type : "message"}\ndata: ${JSON.stringify(event)}\n\n`;
