/**
 * A small HTTP/1.1 server over plain sockets, because a test must be able to cut a connection where and how it likes. Knows
 * nothing of messages; reads each request whole, up to a limit, and serves one after another on a connection.
 */
import { createServer, type Server, type Socket } from "node:net";
import { createRequestReader, type HttpRequest } from "./http-request.ts";

export interface Exchange {
  readonly request: HttpRequest;
  /** Aborts when the connection is gone, whoever closed it. */
  readonly closed: AbortSignal;
  respond(status: number, headers: Readonly<Record<string, string>>, body: string): Promise<void>;
  /** Sends status 200 and the headers of a chunked body. */
  open(headers: Readonly<Record<string, string>>): Promise<ResponseBody>;
  /** RST instead of any answer. */
  hangUp(): void;
  /** Bytes as they are, in place of a response, and the end of the connection; only where the wire is one of bytes. */
  raw?(bytes: string | Uint8Array): Promise<void>;
  end?(): void;
}

export interface ResponseBody {
  /** Resolves when the socket takes more. */
  write(bytes: Uint8Array): Promise<void>;
  end(): Promise<void>;
  /** FIN in the middle of the body. */
  cut(): void;
  /** RST in the middle of the body. */
  reset(): void;
}

export interface HttpServer {
  readonly port: number;
  openConnections(): number;
  close(): Promise<void>;
}

export type ServeExchange = (exchange: Exchange) => Promise<void>;

export async function serveHttp(port: number, serve: ServeExchange): Promise<HttpServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    converse(socket, serve);
  });
  await listen(server, port);
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    openConnections: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });

/** Answers the requests of one connection in their order. */
function converse(socket: Socket, serve: ServeExchange): void {
  const reader = createRequestReader();
  const gone = new AbortController();
  let busy = false;
  socket.on("close", () => gone.abort());
  socket.on("data", (bytes: Buffer) => {
    reader.push(bytes);
    if (reader.wantsContinue()) socket.write("HTTP/1.1 100 Continue\r\n\r\n");
    void next();
  });

  async function next(): Promise<void> {
    if (busy) return;
    const request = reader.take();
    if (request === "broken") return void socket.destroy();
    if (!request) return;
    busy = true;
    try {
      await serve(exchange(socket, request, gone.signal));
    } catch (error) {
      socket.destroy();
      throw error;
    } finally {
      busy = false;
    }
    if (request.headers.connection?.toLowerCase() === "close") socket.end();
    else void next();
  }
}

function exchange(socket: Socket, request: HttpRequest, closed: AbortSignal): Exchange {
  return {
    request,
    closed,
    respond: (status, headers, body) => {
      const length = Buffer.byteLength(body);
      return send(socket, closed, `${head(status, { ...headers, "content-length": String(length) })}${body}`);
    },
    open: async (headers) => {
      await send(socket, closed, head(200, { ...headers, "transfer-encoding": "chunked" }));
      return responseBody(socket, closed);
    },
    hangUp: () => void socket.resetAndDestroy(),
    raw: (bytes) => send(socket, closed, bytes),
    end: () => void socket.end(),
  };
}

function responseBody(socket: Socket, closed: AbortSignal): ResponseBody {
  return {
    write: (bytes) => {
      if (bytes.length === 0) return Promise.resolve();
      const size = Buffer.from(`${bytes.length.toString(16)}\r\n`);
      return send(socket, closed, Buffer.concat([size, bytes, Buffer.from("\r\n")]));
    },
    end: () => send(socket, closed, "0\r\n\r\n"),
    cut: () => void socket.end(),
    reset: () => void socket.resetAndDestroy(),
  };
}

const head = (status: number, headers: Readonly<Record<string, string>>): string => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${status === 200 ? "OK" : "Simulated"}\r\n${lines.join("")}\r\n`;
};

/** Resolves when the socket has room again, or is gone: the caller looks at `closed`. */
function send(socket: Socket, closed: AbortSignal, data: string | Uint8Array): Promise<void> {
  if (closed.aborted || socket.write(data)) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off("drain", done);
      closed.removeEventListener("abort", done);
      resolve();
    };
    socket.once("drain", done);
    closed.addEventListener("abort", done, { once: true });
  });
}
