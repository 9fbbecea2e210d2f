/** A recorded stream through the real client, whose wire hands out the same bytes in pieces of a given cut. */
import {
  type CompletedBlock,
  createModelClient,
  ModelError,
  type ModelEvent,
  type ModelRequest,
} from "../../src/anthropic/index.ts";
import { silentLogger, systemClock } from "../../src/shared/index.ts";

type Finished = Extract<ModelEvent, { type: "finished" }>;

export interface ClientReading {
  readonly events: readonly ModelEvent[];
  /** By their index in the answer. */
  readonly blocks: readonly (readonly [index: number, block: CompletedBlock])[];
  readonly finish: Omit<Finished, "type" | "durationMs"> | undefined;
  /** Why the answer does not count. */
  readonly failure: string | undefined;
}

export type Cut = (bytes: Uint8Array) => Iterable<Uint8Array>;

/** Longer streams are handed out in small pieces rather than in single bytes. */
const MAX_SINGLE_BYTES = 64 * 1024;
/** Odd, so that the cuts wander through lines and characters. */
const SMALL_PIECE = 61;

export const CUTS: Readonly<Record<string, Cut>> = {
  whole: (bytes) => [bytes],
  "by line": (bytes) => piecesAt(bytes, (at) => bytes[at - 1] === 0x0a),
  "by byte": (bytes) => piecesAt(bytes, (at) => bytes.length <= MAX_SINGLE_BYTES || at % SMALL_PIECE === 0),
  /** In front of every byte that is not the first of its character, and between the two line ends of an event. */
  "inside characters": (bytes) =>
    piecesAt(bytes, (at) => ((bytes[at] ?? 0) & 0xc0) === 0x80 || (bytes[at] === 0x0a && bytes[at - 1] === 0x0a)),
};

function* piecesAt(bytes: Uint8Array, isCut: (at: number) => boolean): Generator<Uint8Array> {
  let from = 0;
  for (let at = 1; at < bytes.length; at++) {
    if (!isCut(at)) continue;
    yield bytes.subarray(from, at);
    from = at;
  }
  yield bytes.subarray(from);
}

/** What is asked does not matter: the answer is on the tape. */
const REQUEST: ModelRequest = {
  model: "claude-opus-5-5",
  system: [],
  tools: [],
  messages: [{ role: "user", content: [{ type: "text", text: "go on" }] }],
  marks: [],
  maxOutputTokens: 1000,
  thinking: "adaptive",
};

export async function readThroughClient(stream: Uint8Array, cut: Cut): Promise<ClientReading> {
  const client = createModelClient({
    auth: { kind: "api-key", value: "recorded" },
    baseURL: "http://127.0.0.1:1",
    version: "0",
    clock: systemClock,
    random: () => 0,
    logger: silentLogger,
    maxAttempts: 1,
    fetch: async () => new Response(bodyOf(cut(stream)), { headers: { "content-type": "text/event-stream" } }),
  });
  const events: ModelEvent[] = [];
  let failure: string | undefined;
  try {
    for await (const event of client.stream(REQUEST, new AbortController().signal)) events.push(event);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    failure = error.failure.message;
  }
  const blocks = events.flatMap((event) =>
    event.type === "block-completed" ? [[event.blockIndex, event.block] as const] : [],
  );
  return { events, blocks, finish: finishOf(events), failure };
}

function finishOf(events: readonly ModelEvent[]): ClientReading["finish"] {
  const finished = events.find((event) => event.type === "finished");
  if (!finished) return undefined;
  const { type: _type, durationMs: _durationMs, ...finish } = finished;
  return finish;
}

function bodyOf(pieces: Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.iterator]();
  return new ReadableStream({
    pull(controller) {
      const { done, value } = iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}
