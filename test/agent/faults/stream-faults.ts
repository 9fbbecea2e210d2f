/** Streams that come whole and say something strange: errors in the middle, grammar that is broken, contents nobody expects. */
import type { Fault, ScriptedBlock, ScriptedTurn, SseEvent, StreamOptions } from "../../../src/simulator/index.ts";
import { bash, call, read, say, text, thinking, turn } from "../driving.ts";
import { type FaultCase, SECRET } from "./fault-run.ts";

type Json = Readonly<Record<string, unknown>>;

const answer = turn(thinking("Hm, let me see."), text("This is what I think of it."));
const writing = turn(text("I write it."), bash("echo written >> ran.md"));

const given = (name: string, struck: ScriptedTurn): FaultCase => ({ name, turn: struck });
const told = (name: string, stream: StreamOptions, of: ScriptedTurn = answer): FaultCase =>
  given(name, { ...of, stream });

/** Also with words that say too much, and in a form that a proxy of ten years ago knows. */
const TYPES: readonly (readonly [type: string, message: string])[] = [
  ["invalid_request_error", "something odd"],
  ["authentication_error", `invalid x-api-key ${SECRET}`],
  ["billing_error", "your credit balance is too low"],
  ["permission_error", "not allowed"],
  ["not_found_error", "model: claude-opus-5-5"],
  ["conflict_error", "conflict"],
  ["request_too_large", "too large"],
  ["rate_limit_error", "slow down"],
  ["api_error", "Internal server error"],
  ["timeout_error", "took too long"],
  ["overloaded_error", "Overloaded"],
  ["error_of_next_year", "nobody knows"],
];

const errorIn = (where: string, of: ScriptedTurn, afterSeen: string, more: object = {}): readonly FaultCase[] =>
  TYPES.map(([type, message]) => ({
    name: `an error event, ${type}, ${where}`,
    turn: of,
    fault: { kind: "error-event", afterSeen, error: { type, message }, ...more } as Fault,
  }));

const ERRORS: readonly FaultCase[] = [
  ...errorIn("after text", answer, "text_delta"),
  ...errorIn("in the input of a call", writing, "input_json_delta"),
  {
    name: "an error event that is called an overflow",
    turn: answer,
    fault: {
      kind: "error-event",
      afterEvents: 1,
      error: { type: "invalid_request_error", message: "prompt is too long: 1000123 tokens > 1000000 maximum" },
    },
  },
  {
    name: "an error event without its name",
    turn: answer,
    fault: { kind: "error-event", afterEvents: 4, unnamed: true },
  },
  {
    name: "an error event after the stop reason",
    turn: answer,
    fault: { kind: "error-event", afterSeen: "message_delta" },
  },
];

const altered = (name: string, alter: ScriptedTurn["alter"], of: ScriptedTurn = answer): FaultCase =>
  given(name, { ...of, ...(alter && { alter }) });

const isBlockEvent = ({ event }: SseEvent, kind: string): boolean => event === `content_block_${kind}`;
const without =
  (isLeftOut: (event: SseEvent) => boolean) =>
  (events: readonly SseEvent[]): readonly SseEvent[] => {
    const at = events.findIndex(isLeftOut);
    return events.filter((_event, index) => index !== at);
  };
const inserted =
  (place: number, ...extra: readonly Json[]) =>
  (events: readonly SseEvent[]): readonly SseEvent[] => [
    ...events.slice(0, place),
    ...extra.map((data) => ({ event: String(data.type), data })),
    ...events.slice(place),
  ];
const doubled =
  (isDoubled: (event: SseEvent) => boolean) =>
  (events: readonly SseEvent[]): readonly SseEvent[] =>
    events.flatMap((event) => (isDoubled(event) ? [event, event] : [event]));
const changed =
  (change: (data: Json) => Json) =>
  (events: readonly SseEvent[]): readonly SseEvent[] =>
    events.map(({ event, data }) => ({ event, data: typeof data === "string" ? data : change(data) }));

const usageIn = (data: Json, usage: unknown): Json => {
  if (data.type === "message_delta") return { ...data, usage };
  return data.type === "message_start" ? { ...data, message: { ...(data.message as Json), usage } } : data;
};
const delta = (index: number, type: string, more: Json = {}): Json => ({
  type: "content_block_delta",
  index,
  delta: { type, ...more },
});

const GRAMMAR: readonly FaultCase[] = [
  altered(
    "no message_start",
    without(({ event }) => event === "message_start"),
  ),
  altered(
    "message_start twice",
    doubled(({ event }) => event === "message_start"),
  ),
  altered("message_start again behind a block", (events) => [...events.slice(0, 8), ...events]),
  altered(
    "a block that begins twice",
    doubled((event) => isBlockEvent(event, "start")),
  ),
  altered(
    "a block without its beginning",
    without((event) => isBlockEvent(event, "start")),
  ),
  altered(
    "a block without its end",
    without((event) => isBlockEvent(event, "stop")),
  ),
  altered(
    "a block that ends twice",
    doubled((event) => isBlockEvent(event, "stop")),
  ),
  altered("a delta of a block that is not there", inserted(4, delta(9, "text_delta", { text: "lost" }))),
  altered("a delta behind the end of its block", (events) => {
    const at = events.findIndex((event) => isBlockEvent(event, "stop"));
    return inserted(at + 1, delta(0, "text_delta", { text: "late" }))(events);
  }),
  altered(
    "blocks without an index",
    changed(({ index: _index, ...data }) => data),
  ),
  altered(
    "gaps between the indices",
    changed((data) => (typeof data.index === "number" ? { ...data, index: data.index * 3 } : data)),
  ),
  altered(
    "no message_delta",
    without(({ event }) => event === "message_delta"),
  ),
  altered(
    "no message_stop",
    without(({ event }) => event === "message_stop"),
  ),
  altered("message_stop first", (events) => [...events.slice(-1), ...events.slice(0, -1)]),
  altered("more behind message_stop", (events) => [...events, ...events]),
  altered(
    "deltas that are null",
    changed((data) => (data.type === "content_block_delta" ? { ...data, delta: null } : data)),
  ),
  altered("events that are lists", (events) =>
    events.map(({ event, data }) => ({ event, data: JSON.stringify([data]) })),
  ),
  altered("JSON that is cut in every event", (events) =>
    events.map(({ event, data }) => ({ event, data: JSON.stringify(data).slice(0, -1) })),
  ),
  altered("the marker of another API at the end", (events) => [...events, { event: "done", data: "[DONE]" }]),
  told("no event lines", { omitEventLines: true }),
  told("CRLF", { crlf: true }),
  told("padding in the JSON", { padding: true }),
  told("characters in two chunks", { splitUtf8: true }, turn(text("Grüße, 日本, 🙂!"))),
  told("empty first deltas", { emptyDeltas: true }),
  told("unknown events and deltas", { unknownEvents: true }),
  told("two message_delta", { twoMessageDeltas: true }),
  told("a ping after every delta", { pingEvery: 1, deltaChars: 3 }),
];

const raw = (start: Json, ...deltas: readonly Json[]): ScriptedBlock => ({ type: "raw", start, deltas });
const twelve = Array.from({ length: 12 }, () => read("a.md"));

const CONTENT: readonly FaultCase[] = [
  altered(
    "no usage at all",
    changed((data) => usageIn(data, undefined)),
  ),
  altered(
    "usage that is negative",
    changed((data) => usageIn(data, { input_tokens: -5, output_tokens: -7 })),
  ),
  altered(
    "usage that is words",
    changed((data) => usageIn(data, "many")),
  ),
  altered(
    "usage of half a token",
    changed((data) => usageIn(data, { input_tokens: 0.5, output_tokens: 1e300 })),
  ),
  given("a block of an unknown type", turn(raw({ type: "hologram", data: "x" }), text("Seen."))),
  given("nothing but a block of an unknown type", turn(raw({ type: "hologram", data: "x" }))),
  given("no content", turn()),
  given("empty text", turn(text(""))),
  given("blank text", turn(text(" \n\t "))),
  given("a line of two megabytes", { ...say("word ".repeat(400_000)), stream: { deltaChars: 2_000_000 } }),
  {
    ...given("fifty thousand deltas of one character", { ...say("wort ".repeat(10_000)), stream: { deltaChars: 1 } }),
    isOnce: true,
  },
  given("twelve calls at once", { ...turn(...twelve), stream: { deltaChars: 1000 } }),
  given("a call without arguments", turn(call("glob", {}))),
  given("a call whose JSON is broken", turn({ type: "tool_use", name: "bash", json: '{"command": "echo a' })),
  given("a call whose JSON is no object", turn({ type: "tool_use", name: "bash", json: "[1]" })),
  given("a call of a tool that is not there", turn(call("teleport", { to: "home" }))),
  given("a call whose name no API takes back", turn(call("rm -rf /; ü", {}))),
  given(
    "calls of one id",
    turn(...["a", "b"].map((word) => ({ ...bash(`echo ${word}`), id: "toolu_same" }) as ScriptedBlock)),
  ),
  given("tool_use without a call", { ...say("I call."), stopReason: "tool_use" }),
  given("end_turn with a call", { ...turn(read("a.md")), stopReason: "end_turn" }),
  given("max_tokens in the text", { ...say("So far and no"), stopReason: "max_tokens" }),
  given("max_tokens in the input of a call", {
    ...turn({ type: "tool_use", name: "bash", json: '{"command": "echo cut >> ran.md' }),
    stopReason: "max_tokens",
  }),
  given("a refusal before anything was said", {
    ...turn(),
    stopReason: "refusal",
    stopDetails: { type: "refusal", category: "cyber", explanation: "No." },
  }),
  given("a refusal in the middle of a call", { ...writing, stopReason: "refusal" }),
  {
    ...given("pause_turn", { ...say("Wait."), stopReason: "pause_turn" }),
    setup: { flags: { limits: { maxTurns: 5 } } },
  },
  given("stop_sequence", { ...say("Up to here"), stopReason: "stop_sequence" }),
  given("the window is full", { ...say("As far as"), stopReason: "model_context_window_exceeded" }),
  given("a stop reason that nobody knows", { ...writing, stopReason: "eclipse" }),
  given("thinking that is redacted", turn({ type: "redacted_thinking" }, text("Thought."))),
  given("thinking that is left out", turn(thinking(""), text("Thought."))),
  altered(
    "thinking without its signature",
    without(({ data }) => JSON.stringify(data).includes("signature_delta")),
  ),
  given("words that drive a terminal", say("\u001b[2J\u001b]0;title\u0007red\u0000\u009b31m")),
  given("half of an emoji", {
    ...turn(text("x")),
    alter: (events) =>
      events.map(({ event, data }) => ({
        event,
        data: JSON.stringify(data).replace('"text":"x"', '"text":"x\\ud83d"'),
      })),
  }),
  given("the key in its words", say(`It is ${SECRET}.`)),
];

export const STREAM_FAULTS: readonly FaultCase[] = [...ERRORS, ...GRAMMAR, ...CONTENT];
