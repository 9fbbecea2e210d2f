/** Whether an answer is the JSON that was asked for: keyword by keyword, and in words that say where and what. */
import { describe, expect, test } from "bun:test";
import { answerFits } from "../../src/agent/index.ts";

const problem = (schema: Readonly<Record<string, unknown>>, answer: unknown): string | undefined =>
  answerFits(schema)(JSON.stringify(answer));

const PERSON = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 1 },
    age: { type: "integer", minimum: 0 },
    tags: { $ref: "#/$defs/tags" },
  },
  required: ["name"],
  additionalProperties: false,
  $defs: { tags: { type: "array", items: { enum: ["a", "b"] }, maxItems: 2 } },
};

test("an answer that fits has no problem", () => {
  expect(problem(PERSON, { name: "Ada", age: 36, tags: ["a", "b"] })).toBeUndefined();
  expect(answerFits(PERSON)(' \n{"name":"Ada"}\n')).toBeUndefined();
});

test("what is no JSON is said to be none", () => {
  for (const text of ['Here it is: {"name":"Ada"}', "```json\n{}\n```", "", '{"name":']) {
    expect(answerFits(PERSON)(text)).toStartWith("it is not JSON (");
  }
});

test("a per cent sign in a reference is an escape where it can be one, and else stands for itself", () => {
  const schema = {
    properties: { share: { $ref: "#/$defs/100%" }, name: { $ref: "#/$defs/a%20name" } },
    $defs: { "100%": { type: "integer" }, "a name": { type: "string" } },
  };
  expect(problem(schema, { share: "x" })).toBe("at /share the schema expects integer, not string");
  expect(problem(schema, { name: 1 })).toBe("at /name the schema expects string, not number");
});

test("neither a schema that leads back to itself nor a long list takes longer than an answer is worth", () => {
  const itself = { allOf: [{ $ref: "#" }, { $ref: "#" }], not: { type: "string" } };
  expect(problem(itself, 1)).toBeUndefined();
  expect(problem(itself, "x")).toBeUndefined(); // it was not judged to its end
  const chain = Array.from({ length: 50 }, (_, at) => {
    const next = { $ref: `#/$defs/d${at + 1}` };
    return [`d${at}`, { allOf: [next, next] }] as const;
  });
  expect(problem({ $ref: "#/$defs/d0", $defs: { ...Object.fromEntries(chain), d50: {} } }, 1)).toBeUndefined();
  const many = Array.from({ length: 100_000 }, (_, at) => ({ at }));
  expect(problem({ uniqueItems: true }, many)).toBeUndefined();
  expect(problem({ uniqueItems: true }, [...many, { at: 7 }])).toBe("at the whole the schema expects no item twice");
});

describe("the first misfit is named with its place", () => {
  const rows: readonly (readonly [schema: Readonly<Record<string, unknown>>, value: unknown, problem: string])[] = [
    [PERSON, [], "at the whole the schema expects object, not array"],
    [PERSON, { age: 1 }, 'at the whole the schema expects the property "name"'],
    [PERSON, { name: "" }, "at /name the schema expects a text of at least so many characters: 1"],
    [PERSON, { name: "x", age: 1.5 }, "at /age the schema expects integer, not number"],
    [PERSON, { name: "x", age: -1 }, "at /age the schema expects at least 0"],
    [PERSON, { name: "x", more: 1 }, "at /more the schema expects nothing here"],
    [PERSON, { name: "x", tags: ["a", "c"] }, 'at /tags/1 the schema expects one of ["a","b"]'],
    [PERSON, { name: "x", tags: ["a", "a", "a"] }, "at /tags the schema expects at most so many items: 2"],
    [{ type: ["string", "null"] }, 3, "at the whole the schema expects string or null, not number"],
    [{ const: { a: [1] } }, { a: [2] }, 'at the whole the schema expects one of [{"a":[1]}]'],
    [
      { anyOf: [{ type: "string" }, { type: "null" }] },
      1,
      "at the whole the schema expects what one of the forms under anyOf allows",
    ],
    [
      { oneOf: [{ type: "number" }, { type: "integer" }] },
      1,
      "at the whole the schema expects what exactly one of the forms under oneOf allows",
    ],
    [{ allOf: [{ type: "number" }, { maximum: 3 }] }, 4, "at the whole the schema expects at most 3"],
    [{ not: { type: "string" } }, "x", "at the whole the schema expects anything but what stands under not"],
    [{ pattern: "^v\\d+$" }, "w1", "at the whole the schema expects a text that matches ^v\\d+$"],
    [
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      "at the whole the schema expects no item twice",
    ],
    [{ prefixItems: [{ type: "string" }], items: false }, ["x", 1], "at /1 the schema expects nothing here"],
    [
      { patternProperties: { "^n_": { type: "number" } } },
      { n_a: "x" },
      "at /n_a the schema expects number, not string",
    ],
    [{ additionalProperties: { exclusiveMinimum: 3 } }, { a: 3 }, "at /a the schema expects more than 3"],
  ];
  for (const [schema, value, expected] of rows) {
    test(expected, () => expect(problem(schema, value)).toBe(expected));
  }
});

test("what is not known, or is none, is not judged; nothing throws and nothing runs for ever", () => {
  const odd = [
    {},
    { type: 3 },
    { pattern: "(" },
    { $ref: "http://x/y" },
    { $ref: "#/none" },
    { $ref: "#" },
    { format: "date" },
  ];
  for (const schema of odd) expect(problem(schema, "x")).toBeUndefined();
  expect(problem({ properties: { constructor: { type: "string" } } }, {})).toBeUndefined();
  expect(problem({ required: ["__proto__"] }, {})).toContain("__proto__");
});
