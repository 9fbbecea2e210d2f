/** Connections that never come to an answer, go silent or are cut, and bytes that are no HTTP. */
import type { Fault } from "../../../src/simulator/index.ts";
import { say, text, thinking, turn } from "../driving.ts";
import type { FaultCase } from "./fault-run.ts";

const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n";
const CHUNKED = `${HEAD}transfer-encoding: chunked\r\n\r\n`;
const PING = 'event: ping\ndata: {"type":"ping"}\n\n';

const raw = (name: string, bytes: string | Uint8Array, then?: "close" | "reset"): FaultCase => ({
  name,
  fault: { kind: "raw", bytes, ...(then && { then }) },
});

const RAW: readonly FaultCase[] = [
  raw("a connection that is closed without a byte", ""),
  raw("half a status line", "HTTP/1.1 20"),
  raw("half of the headers", `${HEAD}x-half: `),
  raw("bytes that are no HTTP", "SSH-2.0-OpenSSH_9.9\r\n"),
  raw("a record of TLS", new Uint8Array([0x15, 3, 1, 0, 2, 2, 70])),
  raw("a chunk whose size is no number", `${CHUNKED}zz\r\n${PING}\r\n`),
  raw("a chunk that is longer than it says", `${CHUNKED}5\r\n${PING}\r\n0\r\n\r\n`),
  raw("a chunk of a size beyond all sense", `${CHUNKED}ffffffffffffffffff\r\n${PING}\r\n`),
  raw("a chunk that is shorter than it says", `${CHUNKED}ffff\r\n${PING}`),
  raw("a body that is shorter than it says", `${HEAD}content-length: 5000\r\n\r\n${PING}`),
  raw("a body that is longer than it says", `${HEAD}content-length: 10\r\n\r\n${PING}`),
  raw("two lengths that differ", `${HEAD}content-length: 10\r\ncontent-length: 20\r\n\r\n${PING}`),
  raw("a header of a megabyte", `${HEAD}x-long: ${"x".repeat(1_000_000)}\r\n\r\n`),
  raw("a reset in the headers", HEAD, "reset"),
  { name: "a reset before any byte", fault: { kind: "hang-up" } },
];

const FIRST = { afterEvents: 1 } as const;
const LATER = { afterEvents: 5 } as const;
const FOR_EVER_MS = 100_000_000;

const answer = turn(thinking("Hm, let me see."), text("This is what I think of it."));

const broken = (name: string, fault: Fault): FaultCase => ({ name, fault, turn: answer });

const CUTS: readonly FaultCase[] = (["cut", "reset", "clean-end"] as const).flatMap((kind) => [
  broken(`${kind} right after the headers`, { kind, afterEvents: 0 }),
  broken(`${kind} after the first event`, { kind, ...FIRST }),
  broken(`${kind} in the middle`, { kind, ...LATER }),
  broken(`${kind} in the middle of an event`, { kind, afterBytes: 700 }),
  broken(`${kind} before message_stop`, { kind, afterSeen: "message_delta" }),
]);

const SILENCES: readonly FaultCase[] = [
  { name: "silence before the headers", silentAfter: -1, turn: { ...say("late"), delayMs: FOR_EVER_MS } },
  ...(
    [
      ["right after the headers", 0],
      ["after the first event", 1],
      ["in the middle", 5],
    ] as const
  ).map(([where, afterEvents]) => ({
    ...broken(`silence ${where}`, { kind: "silence", afterEvents, ms: FOR_EVER_MS }),
    silentAfter: afterEvents,
  })),
  {
    ...broken("silence for three minutes, then the rest", { kind: "silence", ...LATER, ms: 180_000 }),
    silentAfter: 5,
  },
  {
    ...broken("pings alone, a minute apart, for ever", {
      kind: "silence",
      ...LATER,
      ms: FOR_EVER_MS,
      pingEveryMs: 60_000,
    }),
    silentAfter: 5,
  },
  {
    ...broken("pings alone for three minutes, then the rest", {
      kind: "silence",
      ...LATER,
      ms: 180_000,
      pingEveryMs: 10_000,
    }),
    silentAfter: 5,
  },
];

export const WIRE_FAULTS: readonly FaultCase[] = [...RAW, ...CUTS, ...SILENCES];
