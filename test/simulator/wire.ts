/** The bytes of an exchange, read from the socket itself. */
import { connect, type Socket } from "node:net";
import type { Simulator } from "../../src/simulator/index.ts";
import { HEADERS } from "./harness.ts";

export interface RawReply {
  readonly head: string;
  /** With the framing of chunks taken off. */
  readonly body: string;
  readonly pieces: readonly Buffer[];
  /** `whole`: the body ended as HTTP wants it. */
  readonly ending: "whole" | "fin" | "reset";
}

export const requestBytes = (body: unknown, extra = ""): Buffer => {
  const text = JSON.stringify(body);
  const lines = Object.entries(HEADERS).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `POST /v1/messages HTTP/1.1\r\nhost: x\r\n${lines.join("")}${extra}content-length: ${Buffer.byteLength(text)}\r\n\r\n`;
  return Buffer.from(head + text);
};

export const open = (simulator: Simulator): Socket => connect(Number(new URL(simulator.url).port), "127.0.0.1");

/** Sends one request and reads until the answer or the connection ends. */
export function exchange(simulator: Simulator, body: unknown): Promise<RawReply> {
  const socket = open(simulator);
  socket.write(requestBytes(body));
  return readReply(socket);
}

export function readReply(socket: Socket): Promise<RawReply> {
  const received: Buffer[] = [];
  return new Promise((resolve) => {
    const finish = (ending: RawReply["ending"]): void => {
      socket.destroy();
      resolve({ ...split(Buffer.concat(received)), ending });
    };
    socket.on("data", (bytes: Buffer) => {
      received.push(bytes);
      if (isWhole(Buffer.concat(received))) finish("whole");
    });
    socket.on("end", () => finish("fin"));
    socket.on("error", () => finish("reset"));
  });
}

function isWhole(all: Buffer): boolean {
  const text = all.toString("latin1");
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return false;
  const length = /content-length: (\d+)/.exec(text.slice(0, end))?.[1];
  return length === undefined ? text.endsWith("\r\n0\r\n\r\n") : text.length - end - 4 >= Number(length);
}

function split(all: Buffer): { readonly head: string; readonly body: string; readonly pieces: readonly Buffer[] } {
  const end = all.indexOf("\r\n\r\n");
  if (end === -1) return { head: "", body: "", pieces: [] };
  const head = all.toString("latin1", 0, end);
  const rest = all.subarray(end + 4);
  if (!head.includes("chunked")) return { head, body: rest.toString(), pieces: [rest] };
  const pieces: Buffer[] = [];
  for (let at = 0; at < rest.length; ) {
    const line = rest.indexOf("\r\n", at);
    const size = line === -1 ? 0 : Number.parseInt(rest.toString("latin1", at, line), 16);
    if (size === 0) break;
    pieces.push(rest.subarray(line + 2, line + 2 + size));
    at = line + 4 + size;
  }
  return { head, body: Buffer.concat(pieces).toString(), pieces };
}

export interface Parsed {
  readonly event: string | undefined;
  readonly data: Record<string, unknown>;
}

/** The events of a body, as strictly as needed for a test. Comments are left out. */
export const parseEvents = (body: string): readonly Parsed[] =>
  body
    .replaceAll("\r\n", "\n")
    .split("\n\n")
    .filter((block) => block !== "" && block.includes("data:"))
    .map((block) => ({
      event: /^event: (.*)$/m.exec(block)?.[1],
      data: JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? "null"),
    }));
