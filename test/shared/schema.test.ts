/** The interpreter of definitions against its oracle, arktype, which reads the same definitions. */
import { describe, expect, test } from "bun:test";
import { type } from "arktype";
import fc from "fast-check";
import { accepts, CATALOG, explain, jsonSchema, misfit, readable } from "../../src/shared/index.ts";
import { valuesOf } from "../support/generators.ts";

/** What tool inputs and config use beyond the events. */
const BEYOND_EVENTS = {
  "a described path and bounded numbers": {
    file_path: ["string >= 1", "@", "The file"],
    "offset?": "number.integer >= 1",
    "limit?": "1 <= number.integer <= 2000",
    "share?": "0 <= number <= 1",
    "amount?": "number > 0",
    "+": "reject",
  },
  "unions over kinds, and lists of them": {
    pattern: "string | string[]",
    "mode?": "'content' | 'files' | 'count'",
    "mixed?": "(string | number)[]",
    "sized?": "1 <= number.integer <= 3 | 'all'",
    "+": "reject",
  },
  "bounded lengths": { "names?": "string[] <= 3", "word?": "2 <= string <= 4", "rows?": "number[][]" },
  "nested objects and any keys": {
    outer: { inner: [{ a: "boolean", "b?": "null | string" }, "[]"] },
    "rest?": { "[string]": "number" },
  },
  "any keys with known ones among them": { known: "string", "[string]": "string" },
};

const DEFINITIONS: readonly (readonly [string, unknown])[] = [
  ...CATALOG.map(({ type, payload }) => [type, payload] as const),
  ...Object.entries(BEYOND_EVENTS),
];

interface Oracle {
  (value: unknown): unknown;
  allows(value: unknown): boolean;
}
// arktype types its argument by its content, which a table of definitions does not have.
const oracleOf = (definition: unknown): Oracle => (type as unknown as (d: unknown) => Oracle)(definition);

const JUNK = fc.oneof(
  fc.constantFrom<unknown>(null, undefined, "", "a", "read", 0, -1, 1.5, 2001, 1e21, true, false, [], {}),
  fc.constantFrom<unknown>(Number.NaN, Number.POSITIVE_INFINITY, [null], { "": 1 }, ["x", 1]),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Puts junk somewhere into a value, drops a key there, or adds one; `at` chooses the place and what is done. */
function damage(value: unknown, at: number, junk: unknown): unknown {
  if (typeof value !== "object" || value === null || at % 4 === 0) return junk;
  const keys = Object.keys(value);
  const chosen = keys[at % Math.max(1, keys.length)];
  const deeper = Math.floor(at / 3);
  if (Array.isArray(value)) return value.map((item, i) => (String(i) === chosen ? damage(item, deeper, junk) : item));
  if (at % 7 === 0) return Object.fromEntries(Object.entries(value).filter(([key]) => key !== chosen));
  if (at % 11 === 0) return { ...value, surplus: junk };
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === chosen ? damage(inner, deeper, junk) : inner]),
  );
}

describe("the interpreter decides as arktype does", () => {
  test.each(DEFINITIONS)("%s", (_name, definition) => {
    const oracle = oracleOf(definition);
    const values = valuesOf(jsonSchema(definition));
    fc.assert(
      fc.property(values, (value) => {
        expect([accepts(definition, value), oracle.allows(value)]).toEqual([true, true]);
      }),
      { numRuns: 30, seed: 1 },
    );
    fc.assert(
      fc.property(values, fc.nat(1e6), JUNK, (value, at, junk) => {
        const damaged = damage(value, at, junk);
        const accepted = accepts(definition, damaged);
        expect({ damaged, accepted }).toEqual({ damaged, accepted: oracle.allows(damaged) });
        if (accepted) expect(readable(definition, damaged)).toBe(true);
      }),
      { numRuns: 150, seed: 2 },
    );
  });
});

test("a misfit names a place that arktype finds wrong too", () => {
  let refused = 0;
  for (const [, definition] of DEFINITIONS) {
    const oracle = oracleOf(definition);
    fc.assert(
      fc.property(valuesOf(jsonSchema(definition)), fc.nat(1e6), JUNK, (value, at, junk) => {
        const damaged = damage(value, at, junk);
        const found = misfit(definition, damaged);
        expect(found === undefined).toBe(accepts(definition, damaged));
        if (!found) return;
        refused++;
        const verdict = oracle(damaged);
        const places = verdict instanceof type.errors ? verdict.map((error) => [...error.path]) : [];
        expect(places).toContainEqual([...found.path]);
      }),
      { numRuns: 20, seed: 3 },
    );
  }
  expect(refused).toBeGreaterThan(100);
});

test("a misfit says what was expected, where", () => {
  const definition = {
    path: "string >= 1",
    "range?": { start: "number.integer" },
    "mode?": "'a' | 'b'",
    "names?": "string[]",
    "limit?": "1 <= number.integer <= 9",
    "+": "reject",
  };
  const found = [
    {},
    { path: 1 },
    { path: "" },
    { path: "x", range: { start: 1.5 } },
    { path: "x", mode: "c" },
    { path: "x", names: ["a", 2] },
    { path: "x", limit: 10 },
    { path: "x", extra: 1 },
    { path: "x" },
  ].map((value) => misfit(definition, value));
  expect(found).toEqual([
    { path: ["path"], expected: "to be present" },
    { path: ["path"], expected: "a string" },
    { path: ["path"], expected: "a length of at least 1" },
    { path: ["range", "start"], expected: "an integer" },
    { path: ["mode"], expected: '"a" or "b"' },
    { path: ["names", 1], expected: "a string" },
    { path: ["limit"], expected: "a number of at least 1 and of at most 9" },
    { path: ["extra"], expected: "to be absent" },
    undefined,
  ]);
});

test("the full explanation comes from arktype", async () => {
  const definition = { path: "string", "range?": { start: "number.integer" } };
  expect(await explain(definition, { path: 1, range: { start: 1.5 } })).toBe(
    "path must be a string (was a number)\nrange.start must be an integer (was 1.5)",
  );
  expect(await explain(definition, { path: "x" })).toBe("");
});

test.each([
  ["an unknown word", { a: "string.email" }],
  ["a name of every object", { a: "constructor" }],
  ["an operator", { a: "string & number" }],
  ["an open bracket", { a: "(string | number" }],
  ["a dangling union", { a: "string |" }],
  ["a pattern", { a: "/x/" }],
  ["another tuple", { a: ["string", "|", "number"] }],
  ["a function", { a: () => true }],
  ["a number", { a: 1 }],
])("%s is no supported definition and throws when first used", (_name, definition) => {
  expect(() => accepts(definition, { a: "x" })).toThrow("unsupported definition");
  expect(() => jsonSchema(definition)).toThrow("unsupported definition");
});

test("what a later version wrote is readable: new union members and new fields pass, wrong kinds do not", () => {
  const definition = { reason: "'refused' | 'budget'", attempt: "1 | 2", "list?": "('a' | 'b')[]" };
  const values = [
    { reason: "refused", attempt: 1 },
    { reason: "tired", attempt: 1 },
    { reason: "refused", attempt: 1, list: ["c"], added: {} },
    { reason: "refused", attempt: 3 },
    { reason: 1, attempt: 1 },
    { reason: "tired", attempt: 1, list: [1] },
  ];
  expect(values.map((value) => [accepts(definition, value), readable(definition, value)])).toEqual([
    [true, true],
    [false, true],
    [false, true],
    [false, false],
    [false, false],
    [false, false],
  ]);
});

test("a definition that nobody holds any more is forgotten", async () => {
  const made = Array.from({ length: 50 }, (_, at) => {
    const definition = { path: "string", "limit?": `1 <= number.integer <= ${at + 1}` };
    accepts(definition, { path: "a" });
    readable(definition, { path: "a" });
    return new WeakRef(definition);
  });
  await new Promise((resolve) => void setImmediate(resolve)); // until then every reference that was made holds
  Bun.gc(true);
  const left = made.filter((definition) => definition.deref() !== undefined).length;
  expect(left).toBeLessThan(25); // one or the other may still lie on the stack
});
