/**
 * What is written is what is read, for every durable event: deep-equal, and the same bytes each time. The property takes
 * the two ends of the codec, so that broken ones can show that it would notice.
 */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  canonical,
  type DecodeError,
  type DurableDefinition,
  type DurableEvent,
  type DurableType,
  decode,
  encode,
  type Json,
  jsonSchema,
  type LogEvent,
  type Result,
} from "../../src/shared/index.ts";
import { DURABLE, eventOf, foreignText } from "../support/generators.ts";

interface Codec {
  /** The line of an event as its producer made it. */
  readonly encode: (event: DurableEvent, definition: DurableDefinition) => string;
  readonly decode: (line: string) => Result<LogEvent, DecodeError>;
}

/** How the session writes and reads a line. */
const CODEC: Codec = {
  encode: (event, { payload }) =>
    // The canonical form of a payload is a payload of the same event.
    encode({ ...event, payload: canonical(event.payload, payload) } as DurableEvent),
  decode,
};

/** What must be read back: the same values, with each lone surrogate replaced. Written without the codec's own means. */
const expected = (event: DurableEvent): unknown =>
  JSON.parse(JSON.stringify(event).replace(/\\ud[89a-f][0-9a-f]{2}/g, "\ufffd"));

/** The same value from a producer that puts declared keys in another order. What no definition covers stays as it is. */
function rekeyed(value: unknown, schema: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => rekeyed(item, (schema.items ?? {}) as Json));
  const properties = schema.properties as Readonly<Record<string, Json>> | undefined;
  if (typeof value !== "object" || value === null || !properties || Object.keys(properties).length === 0) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, rekeyed(inner, properties[key] ?? {})] as const);
  return Object.fromEntries(entries.reverse());
}

function roundTrip(definition: DurableDefinition, codec: Codec) {
  const schema = jsonSchema(definition.payload);
  return fc.property(eventOf(definition, foreignText), (given) => {
    const event = given as DurableEvent; // one of the types that a durable definition can have
    const line = codec.encode(event, definition);
    expect({ oneLine: !/[\r\n]/.test(line), utf8: Buffer.from(line).toString() === line }).toEqual({
      oneLine: true,
      utf8: true,
    });

    const read = codec.decode(line);
    if (!read.ok) throw new Error(`${read.error.kind}: ${read.error.message}`);
    expect(read.value).toEqual(expected(event) as LogEvent);
    // Deep equality knows no order of keys, but a signed turn is bound to the order inside a tool's input.
    expect(JSON.stringify(read.value)).toBe(JSON.stringify(expected(event)));

    const again = read.value as DurableEvent; // it equals one
    expect(codec.encode(again, definition)).toBe(line);
    const otherOrder = { ...event, payload: rekeyed(event.payload, schema) } as DurableEvent;
    expect(codec.encode(otherOrder, definition)).toBe(line);
  });
}

describe("a written event is read back equal, and written again gives the same bytes", () => {
  test.each(DURABLE.map((definition) => [definition.type, definition] as const))("%s", (_type, definition) => {
    fc.assert(roundTrip(definition, CODEC), { numRuns: 60, seed: 1 });
  });
});

/** The codec with the parsed line changed between encoding and the disk. */
const writing = (change: (line: LineShape) => unknown): Codec => ({
  ...CODEC,
  encode: (event, definition) => JSON.stringify(change(JSON.parse(CODEC.encode(event, definition)))),
});
interface LineShape {
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
}
const sortKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sortKeys(inner)]),
  );
};
const withPayload = (line: LineShape, change: (payload: LineShape["payload"]) => unknown) => ({
  ...line,
  payload: change(line.payload),
});
const withText = (line: LineShape, change: (text: string) => string) =>
  JSON.parse(JSON.stringify(line), (_key, value) => (typeof value === "string" ? change(value) : value));

/** Each with an event on which it shows. */
const MUTANTS: Readonly<Record<string, readonly [DurableType, Codec]>> = {
  "sorts the keys of a tool's input": [
    "tool.requested",
    writing((line) =>
      withPayload(line, (payload) => ("input" in payload ? { ...payload, input: sortKeys(payload.input) } : payload)),
    ),
  ],
  "drops an optional field": [
    "tool.completed",
    writing((line) => withPayload(line, ({ spillFile: _, ...rest }) => rest)),
  ],
  "writes an absent field as null": [
    "file.read",
    writing((line) =>
      withPayload(line, (payload) => (line.type === "file.read" ? { toolUseId: null, ...payload } : payload)),
    ),
  ],
  "trims text": ["model.text-block-completed", writing((line) => withText(line, (text) => text.trimEnd()))],
  "normalises line ends": [
    "user.message-created",
    writing((line) => withText(line, (text) => text.replaceAll("\r\n", "\n"))),
  ],
  "composes characters": ["memory.written", writing((line) => withText(line, (text) => text.normalize("NFC")))],
  "cuts long text": ["tool.failed", writing((line) => withText(line, (text) => text.slice(0, 10_000)))],
  "rounds numbers": [
    "verify.result",
    writing((line) =>
      withPayload(line, (payload) =>
        Object.fromEntries(Object.entries(payload).map(([k, v]) => [k, typeof v === "number" ? Math.round(v) : v])),
      ),
    ),
  ],
  "keeps lone surrogates": ["session.renamed", { ...CODEC, encode: (event) => encode(event) }],
  "writes the payload in the producer's order": [
    "file.modified",
    {
      ...CODEC,
      encode: (event) => encode(JSON.parse(JSON.stringify(event).replace(/\\ud[89a-f][0-9a-f]{2}/g, "\ufffd"))),
    },
  ],
  "indents its lines": [
    "task.failed",
    {
      ...CODEC,
      encode: (event, definition) => JSON.stringify(JSON.parse(CODEC.encode(event, definition)), null, 1),
    },
  ],
  "loses inherited names on reading": [
    "phase.entered",
    {
      ...CODEC,
      decode(line) {
        const read = decode(line);
        if (!read.ok) return read;
        const copy = JSON.parse(JSON.stringify(read.value), (key, value) => (key === "__proto__" ? undefined : value));
        return { ok: true, value: copy };
      },
    },
  ],
  "validates what it reads too strictly": [
    "user.message-created",
    {
      ...CODEC,
      decode: (line) =>
        line.includes('"attachments"') ? { ok: false, error: { kind: "payload", message: "" } } : decode(line),
    },
  ],
};

describe("the property catches a codec that", () => {
  test.each(Object.entries(MUTANTS))("%s", (_name, [type, mutant]) => {
    const definition = DURABLE.find((one) => one.type === type);
    if (!definition) throw new Error(`${type} is no durable event`);
    expect(fc.check(roundTrip(definition, mutant), { numRuns: 300, seed: 2, endOnFailure: true }).failed).toBe(true);
  });
});
