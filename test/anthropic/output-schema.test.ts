/** Schemas of answers on their way to the API: closed, complete, and refused before anything is asked where they cannot be sent. */
import { describe, expect, test } from "bun:test";
import { sendableSchema } from "../../src/anthropic/index.ts";

const TEXT = { type: "string" };
const closed = (properties: object, more: object = {}) => ({
  type: "object",
  properties,
  additionalProperties: false,
  ...more,
});

describe("a schema is sent", () => {
  test("with a union of types said member by member where one of them is an object or a list", async () => {
    const person = { type: ["object", "null"], properties: { name: TEXT }, required: ["name"], title: "Person" };
    const tags = { type: ["null", "array", "string"], items: { type: ["object", "null"], properties: {} } };
    const schema = { type: "object", properties: { person, tags, plain: { type: ["string", "null"] } } };
    expect(await sendableSchema(schema)).toEqual({
      ok: true,
      value: closed({
        person: { anyOf: [closed({ name: TEXT }, { required: ["name"] }), { type: "null" }], title: "Person" },
        tags: {
          anyOf: [{ type: "null" }, { type: "array", items: { anyOf: [closed({}), { type: "null" }] } }, TEXT],
        },
        plain: { type: ["string", "null"] },
      }),
    });
  });

  test("with its definitions where older drafts keep them", async () => {
    const schema = {
      definitions: { node: { type: "object", properties: { next: { $ref: "#/definitions/node" } } } },
      type: "object",
      properties: { definitions: TEXT, first: { $ref: "#/definitions/node" } },
    };
    expect(await sendableSchema(schema)).toEqual({
      ok: true,
      value: closed(
        { definitions: TEXT, first: { $ref: "#/$defs/node" } },
        { $defs: { node: closed({ next: { $ref: "#/$defs/node" } }) } },
      ),
    });
  });
});

test.each(["#/nope", "#/$defs/gone", "https://example.com/schema.json", "other.json#/a"])(
  "the reference %s, which leads nowhere, is refused",
  async ($ref) => {
    const schema = { type: "array", items: { $ref } };
    expect(await sendableSchema(schema)).toEqual({
      ok: false,
      error: `its $ref ${JSON.stringify($ref)} leads to nothing that can be sent`,
    });
  },
);
