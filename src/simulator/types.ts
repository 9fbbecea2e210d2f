/** What a scripted model says, what goes wrong on the way, and what the server tells afterwards. Data only. */
import type { Clock } from "../shared/index.ts";
import type { SimulatedModel } from "./models.ts";

export type Json = Readonly<Record<string, unknown>>;

/** One block of an answer. Thinking gets a real signature, a call gets an id; neither can be chosen wrongly by a script. */
export type ScriptedBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly thinking: string }
  | { readonly type: "redacted_thinking" }
  /** `id` is only for tests of repeated ids; `json` is sent in place of `input` and may be broken. */
  | {
      readonly type: "tool_use";
      readonly name: string;
      readonly input?: Json;
      readonly id?: string;
      readonly json?: string;
    }
  /** Any other block: its start as it goes over the wire, and its deltas. */
  | { readonly type: "raw"; readonly start: Json; readonly deltas?: readonly Json[] };

export interface ScriptedTurn {
  readonly content: readonly ScriptedBlock[];
  /** Left out: `tool_use` if the content holds a call, else `end_turn`. */
  readonly stopReason?: string;
  readonly stopDetails?: Json;
  /** Each strikes once, the first on the first attempt, the next on the next. */
  readonly fault?: Fault | readonly Fault[];
  /** Milliseconds between the request and the answer's first byte. */
  readonly delayMs?: number;
  readonly stream?: StreamOptions;
  /** A last hand on the events, for sequences that no option describes. */
  readonly alter?: (events: readonly SseEvent[]) => readonly SseEvent[];
}

/**
 * Answers a request for a summary too, whose `body.compaction` is set: its texts are the summary, no text is none, and
 * `{ type: "raw", start: { type: "compaction", content: null } }` is the server's failure.
 *
 * Decides from the request alone, so that a killed and resumed session goes on sensibly. May throw: the server answers 400.
 */
export type Script = (request: ScriptRequest) => ScriptedTurn;

export interface ScriptRequest {
  readonly body: Json;
  /** How many assistant turns the conversation holds, a summary not counted; the same for a retry. */
  readonly index: number;
  /** The text of the newest user message, results left out. */
  lastUserText(): string;
  /** The blocks of every assistant turn, oldest first. */
  assistantTurns(): readonly (readonly Json[])[];
  /** Every answered call of the conversation, oldest first. */
  toolResults(): readonly ScriptResult[];
  /** The answered calls of the newest user message. */
  lastResults(): readonly ScriptResult[];
}

export interface ScriptResult {
  readonly id: string;
  readonly name: string;
  readonly input: Json;
  readonly text: string;
  readonly isError: boolean;
}

/**
 * Where a stream fault strikes: after so many events, after so many bytes of the body (also in the middle of an event), or
 * after the `times`-th event that carries this type (`text_delta`, `content_block_stop`, …). Without any: right after the headers.
 */
export interface FaultPlace {
  readonly afterEvents?: number;
  readonly afterBytes?: number;
  readonly afterSeen?: string;
  readonly times?: number;
}

export type Fault =
  /** An answer in place of a stream. An object goes out as JSON, a string as HTML unless `headers` say otherwise. */
  | {
      readonly kind: "http";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
      /** The error code of the body where none is given, such as `compaction_unavailable` with the status 529. */
      readonly errorCode?: string;
    }
  /** The request is read and never answered. */
  | { readonly kind: "no-answer" }
  /** The connection is reset before any byte of an answer. */
  | { readonly kind: "hang-up" }
  /** These bytes in place of a response, head included, right or wrong. Then the connection ends, unless it is to be held. */
  | { readonly kind: "raw"; readonly bytes: string | Uint8Array; readonly then?: "close" | "reset" | "hold" }
  | StreamFault;

export type StreamFault =
  /** `unnamed` leaves out the `event:` line, as some gateways do. */
  | (FaultPlace & {
      readonly kind: "error-event";
      readonly error?: { readonly type: string; readonly message: string };
      readonly unnamed?: true;
    })
  /** FIN in the middle of a chunked body, RST there, and a body that ends properly but too early. */
  | (FaultPlace & { readonly kind: "cut" | "reset" | "clean-end" })
  /** Nothing, or only pings, for `ms`; for ever without `ms`. Afterwards the stream goes on. */
  | (FaultPlace & { readonly kind: "silence"; readonly ms?: number; readonly pingEveryMs?: number });

/** How an answer is cut into events and bytes. */
export interface StreamOptions {
  /** UTF-16 units in one delta; 24 if left out. */
  readonly deltaChars?: number;
  /** A wait before each delta, through the clock; 0 if left out. */
  readonly deltaMs?: number;
  /** A ping after every so many deltas, beside the one after `message_start`. */
  readonly pingEvery?: number;
  readonly crlf?: boolean;
  /** Blanks before the last braces of the data, as seen on the real wire. */
  readonly padding?: boolean;
  /** Cuts the bytes in the middle of multi-byte characters and sends the pieces apart. */
  readonly splitUtf8?: boolean;
  /** Empty first deltas of thinking and tool input. */
  readonly emptyDeltas?: boolean;
  /** Comment lines, an unknown event, an unknown delta: to be tolerated by any client. */
  readonly unknownEvents?: boolean;
  /** The usage comes in two cumulative `message_delta` events. */
  readonly twoMessageDeltas?: boolean;
  readonly omitEventLines?: boolean;
}

export interface SseEvent {
  readonly event: string;
  /** An object is sent as JSON; a string as it stands. */
  readonly data: Json | string;
}

export interface SimulatorUsage {
  readonly input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly cache_creation: {
    readonly ephemeral_5m_input_tokens: number;
    readonly ephemeral_1h_input_tokens: number;
  };
  readonly output_tokens: number;
  readonly output_tokens_details: { readonly thinking_tokens: number } | null;
  /** What a summary used; the sums above are zero then. */
  readonly iterations?: readonly Json[];
}

export interface SimulatorRefusal {
  /** The number of the rule in RULES, or `script` where the script itself failed. */
  readonly rule: string;
  readonly status: number;
  readonly message: string;
}

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  /** Without credentials and cookies. Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly raw: string;
  /** Parsed from `raw` at each call; undefined where that is no JSON. */
  readonly body: unknown;
  /** When it was read, by the server's clock. */
  readonly at: number;
  readonly status: number;
  readonly refusal?: SimulatorRefusal;
  readonly fault?: Fault;
  /** What the answer reported, also where its stream was cut later. */
  readonly usage?: SimulatorUsage;
  /** `client-closed`: the other side went away first. */
  readonly outcome: "answered" | "fault" | "client-closed" | "pending";
  /** Neighbours of one role that the API merges. Legal, but error paths then no longer match the client's own indices. */
  readonly mergedNeighbours: number;
}

export interface SimulatorOptions {
  readonly script: Script;
  /** For the n-th call of /v1/messages; `undefined` leaves that one alone. They strike before the turn's own faults. */
  readonly faults?: readonly (Fault | undefined)[];
  readonly clock?: Clock;
  /** The one key that is accepted. Without it any non-empty key is. */
  readonly apiKey?: string;
  readonly models?: readonly SimulatedModel[];
  /** Signs thinking. Constant by default, so that a restarted server accepts an older conversation. */
  readonly secret?: string;
  /** Makes the ids of answers reproducible. Random by default, so that a restarted server never repeats an id. */
  readonly seed?: string;
  readonly port?: number;
  readonly stream?: StreamOptions;
  /** How many requests are kept; older ones are forgotten. 400 by default. */
  readonly keepRequests?: number;
  /** Called when an event of a stream has been handed to the socket, so that a test can act at that very place. */
  readonly onEvent?: (event: SseEvent, request: RecordedRequest) => void;
  /** Called when an exchange is over, in whatever way. */
  readonly onDone?: (request: RecordedRequest) => void;
}

export interface Simulator {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly url: string;
  /** The newest `keepRequests` requests, oldest first. Grows while the server runs. */
  readonly requests: readonly RecordedRequest[];
  /** What was refused, among the newest `keepRequests` refusals. */
  readonly refusals: readonly SimulatorRefusal[];
  openConnections(): number;
  /** The next calls of /v1/messages fail like this, one each, before anything else does. */
  failNext(...faults: readonly Fault[]): void;
  /** Ends every connection and resolves when the port is free. */
  close(): Promise<void>;
}
