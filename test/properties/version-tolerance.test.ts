/**
 * A log that a later KHAELOR wrote: unknown fields, union members and types pass through reading and folding and change
 * nothing that this build knows; what is marked critical, or is of a newer version of a known type, is refused. The
 * property takes the reader and the folds, so that intolerant ones can show that it would notice.
 */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createFoldedState } from "../../src/session/folds.ts";
import {
  accepts,
  type DecodeError,
  type DurableDefinition,
  type DurableEvent,
  decode,
  durableDefinition,
  encode,
  fold,
  type Json,
  jsonSchema,
  type LogEvent,
  projection,
  type Result,
} from "../../src/shared/index.ts";
import { anyDurable, anyLog, DURABLE, eventOf, json } from "../support/generators.ts";

interface Reader {
  readonly decode: (line: string) => Result<LogEvent, DecodeError>;
  /** A fold over events, from its start. */
  readonly fold: (events: readonly LogEvent[]) => unknown;
}

const titles = projection<readonly string[]>("titles", () => [], {
  "session.renamed": (state, { payload }) => [...state, payload.title],
  "tool.completed": (state, { payload }) => [...state, payload.ui.summary],
  "task.failed": (state, { payload }) => [...state, payload.reason],
});
const READER: Reader = { decode, fold: (events) => fold(titles, events) };

/** A payload in which every declared object has fields that this build does not know. */
function withUnknownFields(value: unknown, schema: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => withUnknownFields(item, (schema.items ?? {}) as Json));
  const properties = schema.properties as Readonly<Record<string, Json>> | undefined;
  if (typeof value !== "object" || value === null || !properties || schema.additionalProperties) return value;
  const known = Object.entries(value).map(([key, inner]) => [key, withUnknownFields(inner, properties[key] ?? {})]);
  return { ...Object.fromEntries(known), addedLater: { deep: [1, null] }, "": false };
}

/** A payload in which every choice between words is one that this build does not know. */
function withUnknownMembers(value: unknown, schema: Json): unknown {
  const choices = [schema.const, ...((schema.enum ?? []) as unknown[])];
  if (typeof value === "string" && choices.includes(value)) return "chosen-later";
  if (Array.isArray(value)) return value.map((item) => withUnknownMembers(item, (schema.items ?? {}) as Json));
  if (typeof value !== "object" || value === null) return value;
  const { properties = {}, additionalProperties: rest = {} } = schema as { [key: string]: Record<string, Json> };
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withUnknownMembers(inner, properties[key] ?? rest)]),
  );
}

const schemaOf = ({ type }: DurableEvent): Json => jsonSchema(durableDefinition(type)?.payload);
type Change = (value: unknown, schema: Json) => unknown;
const later = (event: DurableEvent, change: Change) => ({ ...event, payload: change(event.payload, schemaOf(event)) });

function read(reader: Reader, value: object): LogEvent {
  const result = reader.decode(JSON.stringify(value));
  if (!result.ok) throw new Error(`${result.error.kind}: ${result.error.message}`);
  return result.value;
}

const unknownFieldsPass = (reader: Reader, definition: DurableDefinition) =>
  fc.property(eventOf(definition), (given) => {
    const event = given as DurableEvent;
    const written = later(event, withUnknownFields);
    const found = read(reader, written);
    expect(found).toEqual(written as LogEvent);
    expect(reader.fold([found])).toEqual(reader.fold([event]));
  });

const unknownMembersPass = (reader: Reader, definition: DurableDefinition) =>
  fc.property(eventOf(definition), (given) => {
    const written = later(given as DurableEvent, withUnknownMembers);
    expect(read(reader, written)).toEqual(written as LogEvent);
  });

const unknownTypesPass = (reader: Reader) =>
  fc.property(anyLog(), json(), fc.nat(), (log, payload, place) => {
    const stranger = { v: 7, id: "x", sessionId: "s", seq: 1, ts: 0, type: "future.fact", payload: { payload } };
    const opaque = read(reader, stranger);
    expect(opaque).toEqual({ ...stranger, opaque: true });
    const at = place % (log.length + 1);
    expect(reader.fold([...log.slice(0, at), opaque, ...log.slice(at)])).toEqual(reader.fold(log));
  });

const whatCannotBeUnderstoodIsRefused = (reader: Reader) =>
  fc.property(anyDurable, fc.integer({ min: 1, max: 9 }), (event, ahead) => {
    const newer = { ...event, v: event.v + ahead };
    const critical = { ...event, type: "future.fact", critical: true };
    const verdicts = [newer, critical].map((value) => reader.decode(JSON.stringify(value)));
    expect(verdicts.map((verdict) => (verdict.ok ? "read" : verdict.error.kind))).toEqual(["newer", "newer"]);
  });

const settings = { numRuns: 30, seed: 1 };

describe("unknown fields and union members pass, and known things keep their meaning", () => {
  test.each(DURABLE.map((definition) => [definition.type, definition] as const))("%s", (_type, definition) => {
    fc.assert(unknownFieldsPass(READER, definition), settings);
    fc.assert(unknownMembersPass(READER, definition), settings);
  });
});

test("unknown types are read whole and change no fold", () => {
  fc.assert(unknownTypesPass(READER), { numRuns: 100, seed: 1 });
});

test("a newer version of a known type and a critical unknown type are refused as newer, not as damage", () => {
  fc.assert(whatCannotBeUnderstoodIsRefused(READER), { numRuns: 100, seed: 1 });
});

/** A value of a kind that the field does not take: required fields are never a literal `true`. */
const wrongFor = ({ type }: Json): unknown => (type === "boolean" ? 7 : true);

test("tolerance has an end: a known field of another kind is damage", () => {
  fc.assert(
    fc.property(anyDurable, (event) => {
      const { required, properties } = schemaOf(event) as { required: string[]; properties: Record<string, Json> };
      for (const key of required.filter((name) => Object.keys(properties[name] ?? {}).length > 0)) {
        const payload = { ...event.payload, [key]: wrongFor(properties[key] ?? {}) };
        const verdict = decode(JSON.stringify({ ...event, payload }));
        expect({ key, verdict: verdict.ok ? "read" : verdict.error.kind }).toEqual({ key, verdict: "payload" });
      }
    }),
    { numRuns: 200, seed: 1 },
  );
});

describe("the session's own folds", () => {
  const fresh = () => createFoldedState(() => null);
  /** Names without a meaning of their own. */
  const plain = fc.string({ unit: fc.constantFrom("a", "é", "\n", "👍"), maxLength: 3 });

  test("meet an unknown type, and only count its line", () => {
    fc.assert(
      fc.property(anyLog(12, plain), (log) => {
        const [pure, mixed] = [fresh(), fresh()];
        for (const event of log) {
          pure.apply(event);
          mixed.apply({ ...event, type: "future.fact", payload: {}, opaque: true });
          mixed.apply(event);
        }
        const { meta, ...rest } = mixed.read();
        const { meta: pureMeta, ...pureRest } = pure.read();
        expect(rest).toEqual(pureRest);
        expect({ ...meta, events: log.length }).toEqual(pureMeta);
      }),
      { numRuns: 80, seed: 1 },
    );
  });

  const survivesWhatCameLater = (strings: fc.Arbitrary<string>) =>
    fc.property(anyLog(12, strings), (log) => {
      const state = fresh();
      for (const change of [withUnknownFields, withUnknownMembers]) {
        for (const event of log) state.apply(read(READER, later(event, change)));
      }
      expect(state.read().lastSeq).toBe(log.length);
    });

  test("meet unknown fields and union members without a failure", () => {
    fc.assert(survivesWhatCameLater(plain), { numRuns: 80, seed: 2 });
  });

  // A log is foreign data: an id in it may be any text.
  test("meet ids that are named like inherited properties without a failure", () => {
    fc.assert(survivesWhatCameLater(fc.constantFrom("constructor", "__proto__", "toString", "a")), {
      numRuns: 300,
      seed: 3,
    });
  });
});

const failed: Result<LogEvent, DecodeError> = { ok: false, error: { kind: "payload", message: "" } };
/** Reads as the real one does, and judges what came of it once more. */
const judging = (judge: (event: LogEvent, line: string) => Result<LogEvent, DecodeError>): Reader => ({
  ...READER,
  decode(line) {
    const result = decode(line);
    return result.ok ? judge(result.value, line) : result;
  },
});
const fieldsOf = (event: LogEvent) => Object.keys(durableDefinition(event.type)?.payload ?? {});
const knownOnly = (event: LogEvent): LogEvent => {
  const names = fieldsOf(event).map((key) => key.replace(/\?$/, ""));
  const kept = Object.entries(event.payload as object).filter(([key]) => names.includes(key));
  return { ...event, payload: Object.fromEntries(kept) } as LogEvent;
};

const MUTANTS: Readonly<Record<string, Reader>> = {
  "takes only the union members it knows": judging((event) => {
    const definition = durableDefinition(event.type);
    return definition && !accepts(definition.payload, event.payload) ? failed : { ok: true, value: event };
  }),
  "refuses unknown fields": judging((event) =>
    durableDefinition(event.type) && JSON.stringify(knownOnly(event)) !== JSON.stringify(event)
      ? failed
      : { ok: true, value: event },
  ),
  "forgets unknown fields": judging((event) => ({
    ok: true,
    value: durableDefinition(event.type) ? knownOnly(event) : event,
  })),
  "refuses unknown types": judging((event) => (durableDefinition(event.type) ? { ok: true, value: event } : failed)),
  "forgets what an unknown type held": judging((event) => ({
    ok: true,
    value: durableDefinition(event.type) ? event : ({ ...event, payload: {} } as LogEvent),
  })),
  "ignores the critical mark": {
    ...READER,
    decode: (line) => decode(line.replace('"critical":true', '"critical":false')),
  },
  "reads a newer version as its own": { ...READER, decode: (line) => decode(line.replace(/^\{"v":\d+/, '{"v":1')) },
  "calls a newer version damage": {
    ...READER,
    decode(line) {
      const result = decode(line);
      return !result.ok && result.error.kind === "newer" ? failed : result;
    },
  },
  "folds unknown types": { ...READER, fold: (events) => [fold(titles, events), events.length] },
  "folds unknown fields": {
    ...READER,
    fold: (events) => events.map(({ payload }) => Object.keys(payload as object).length),
  },
};

describe("the properties catch a reader that", () => {
  const survives = (reader: Reader) => {
    const perType = DURABLE.slice(0, 8).flatMap((one) => [
      unknownFieldsPass(reader, one),
      unknownMembersPass(reader, one),
    ]);
    const all = [...perType, unknownTypesPass(reader), whatCannotBeUnderstoodIsRefused(reader)];
    return all.every(
      (property) => !fc.check(property as fc.IProperty<unknown>, { ...settings, endOnFailure: true }).failed,
    );
  };

  test.each(Object.entries(MUTANTS))("%s", (_name, mutant) => {
    expect(survives(mutant)).toBe(false);
  });

  test("and spare the real one", () => {
    expect(survives(READER)).toBe(true);
    expect(
      read(READER, JSON.parse(encode(fc.sample(anyDurable, { numRuns: 1, seed: 1 })[0] as DurableEvent))),
    ).toBeDefined();
  });
});
