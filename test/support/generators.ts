/**
 * Test data derived from the event catalogue: nothing here knows an event by name, so a new definition is covered as soon
 * as it stands in its family.
 */
import fc from "fast-check";
import {
  CATALOG,
  type Definition,
  type DurableDefinition,
  type DurableEvent,
  type EventOf,
  type Json,
  jsonSchema,
  type Payload,
} from "../../src/shared/index.ts";

const AWKWARD = [
  "",
  " ",
  "\u2028\u2029",
  "\u0000\u0007\u001b[31m\u009b2J\u007f",
  "a\r\nb\rc\n",
  "👩‍👩‍👧‍👦🇩🇪é中",
  "\ufeffbom",
  "\u202eoverride\u2066",
  "\"\\/\b\f\t'`$",
  "__proto__",
  "constructor",
  "1",
] as const;

/** Well-formed text: ordinary, awkward, and now and then long. */
export const text: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
  { weight: 4, arbitrary: fc.constantFrom(...AWKWARD) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom("x", "é", "👍", "\n"), fc.integer({ min: 1, max: 20_000 }))
      .map(([unit, times]) => unit.repeat(times)),
  },
);

/** Text as it may reach the program from outside: also with surrogates that have no partner. */
export const foreignText: fc.Arbitrary<string> = fc
  .array(fc.oneof(text, fc.constantFrom("\ud83d", "\udc4d", "\udbff\udbff")), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join(""));

/** Names of fields: any text, and often one that JavaScript treats in its own way. */
const keysFrom = (strings: fc.Arbitrary<string>) =>
  fc.oneof(strings, fc.constantFrom("__proto__", "toString", "b", "a", "2", "10"));

/** Objects with any keys, in any order; `__proto__` is a key like others. */
const anyKeys = (strings: fc.Arbitrary<string>, values: fc.Arbitrary<unknown>): fc.Arbitrary<object> =>
  fc
    .uniqueArray(fc.tuple(keysFrom(strings), values), { selector: ([key]) => key.toWellFormed(), maxLength: 4 })
    .map((entries) => Object.fromEntries(entries));

/** Any JSON value whose numbers survive a round trip; keys come in any order and may be named like inherited ones. */
export const json = (strings: fc.Arbitrary<string> = text): fc.Arbitrary<unknown> =>
  fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small", maxDepth: 3 },
      fc.oneof(strings, fc.integer(), finite({}), fc.boolean(), fc.constant(null)),
      fc.array(tie("value"), { maxLength: 3 }),
      anyKeys(strings, tie("value")),
    ),
  })).value;

/** A number as JSON can hold it: finite, and no negative zero. */
const finite = (schema: Json): fc.Arbitrary<number> =>
  fc
    .double({
      noNaN: true,
      min: bound(schema.exclusiveMinimum ?? schema.minimum, -1e15),
      minExcluded: schema.exclusiveMinimum !== undefined,
      max: bound(schema.maximum, 1e15),
    })
    .map((value) => (Object.is(value, -0) ? 0 : value));

/** Values that fit a JSON Schema as `jsonSchema` derives it. */
export function valuesOf(schema: Json, strings: fc.Arbitrary<string> = text): fc.Arbitrary<unknown> {
  if (Object.hasOwn(schema, "const")) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  if (Array.isArray(schema.anyOf)) return fc.oneof(...(schema.anyOf as Json[]).map((one) => valuesOf(one, strings)));
  switch (schema.type) {
    case "string":
      return sized(schema, strings);
    case "integer":
      return fc.integer({ min: bound(schema.minimum, -3), max: bound(schema.maximum, 2 ** 40) });
    case "number":
      return finite(schema);
    case "boolean":
      return fc.boolean();
    case "array":
      return fc.array(valuesOf(schema.items as Json, strings), {
        minLength: bound(schema.minItems, 0),
        maxLength: Math.min(3, bound(schema.maxItems, 3)),
      });
    case "object":
      return schema.properties ? objectOf(schema, strings) : anyKeys(strings, json(strings));
    default:
      return json(strings);
  }
}

function objectOf(schema: Json, strings: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const { properties, required, additionalProperties: rest } = schema;
  const named = Object.entries(properties as Readonly<Record<string, Json>>);
  if (named.length === 0 && typeof rest === "object" && rest !== null) {
    return anyKeys(strings, valuesOf(rest as Json, strings));
  }
  const model = Object.fromEntries(named.map(([key, inner]) => [key, valuesOf(inner, strings)]));
  return fc.record(model, { requiredKeys: required as string[], noNullPrototype: true });
}

/** Short limits are met exactly; long ones by staying far below. */
function sized(schema: Json, strings: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const min = bound(schema.minLength, 0);
  const max = bound(schema.maxLength, Number.POSITIVE_INFINITY);
  if (min === 0 && max === Number.POSITIVE_INFINITY) return strings;
  return fc.oneof(
    fc.string({ minLength: min, maxLength: Math.min(max, min + 20) }),
    strings.filter((value) => value.length >= min && value.length <= max),
  );
}

const bound = (limit: unknown, otherwise: number): number => (typeof limit === "number" ? limit : otherwise);

/** Payloads of a definition, with and without each optional field. */
export const payloadOf = <D extends Definition>(
  definition: D,
  strings: fc.Arbitrary<string> = text,
): fc.Arbitrary<Payload<D["type"]>> =>
  // The schema is derived from the definition that also gives the type.
  valuesOf(jsonSchema(definition.payload), strings) as fc.Arbitrary<Payload<D["type"]>>;

/** Whole events of a definition; a durable one stands anywhere in its log. */
export function eventOf<D extends Definition>(
  definition: D,
  strings: fc.Arbitrary<string> = text,
): fc.Arbitrary<EventOf<D["type"]>> {
  const common = { id: fc.ulid(), sessionId: fc.ulid() };
  const tail = {
    ts: fc.integer({ min: 0, max: 2 ** 42 }),
    type: fc.constant(definition.type),
    payload: payloadOf(definition as Definition, strings),
  };
  const envelope = definition.durable
    ? { v: fc.constant(definition.v), ...common, seq: fc.integer({ min: 1, max: 2 ** 31 }), ...tail }
    : { ...common, ...tail };
  return fc.record<Record<string, unknown>>(envelope, { noNullPrototype: true }) as unknown as fc.Arbitrary<
    EventOf<D["type"]>
  >;
}

export const DURABLE: readonly DurableDefinition[] = CATALOG.filter((one): one is DurableDefinition => one.durable);

const durables = (strings: fc.Arbitrary<string>): fc.Arbitrary<DurableEvent> =>
  fc.oneof(...DURABLE.map((definition) => eventOf(definition, strings) as fc.Arbitrary<DurableEvent>));

/** A durable event of any type. */
export const anyDurable: fc.Arbitrary<DurableEvent> = durables(text);

/** A log by form only: one session, `seq` gapless from 1. Its story need not make sense. */
export const anyLog = (maxLength = 20, strings: fc.Arbitrary<string> = text): fc.Arbitrary<DurableEvent[]> =>
  fc
    .tuple(fc.ulid(), fc.array(strings === text ? anyDurable : durables(strings), { maxLength }))
    .map(([sessionId, events]) => events.map((event, at) => ({ ...event, sessionId, seq: at + 1 })));
