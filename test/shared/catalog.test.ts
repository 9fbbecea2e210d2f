/** The vocabulary is closed: these numbers change only with the document that says so. */
import { expect, test } from "bun:test";
import { CATALOG, durableDefinition, jsonSchema } from "../../src/shared/index.ts";
import { DURABLE } from "../support/generators.ts";

test("there are exactly 40 durable events and 6 ephemeral ones", () => {
  const ephemeral = CATALOG.filter((definition) => !definition.durable).map(({ type }) => type as string);
  expect(DURABLE.length).toBe(40);
  expect(ephemeral.sort()).toEqual([
    "model.text-delta",
    "model.thinking-delta",
    "model.tool-call-started",
    "model.tool-input-delta",
    "process.output",
    "tool.output",
  ]);
});

test("type names are unique and read domain.fact", () => {
  const names = CATALOG.map(({ type }) => type);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^[a-z]+\.[a-z]+(-[a-z]+)*$/.test(name))).toEqual([]);
});

test("every older version has its step to the next, and no step leads elsewhere", () => {
  const steps = DURABLE.map(({ type, v, upcast }) => ({ type, steps: Object.keys(upcast).map(Number), v }));
  expect(steps).toEqual(
    DURABLE.map(({ type, v }) => ({ type, steps: Array.from({ length: v - 1 }, (_, at) => at + 1), v })),
  );
});

test("every payload is an object with a supported definition, and every event says what it means", () => {
  for (const { payload, meaning, type } of CATALOG) {
    expect({ type, kind: jsonSchema(payload).type, ends: meaning.at(-1) }).toEqual({ type, kind: "object", ends: "." });
  }
});

test("only durable types are found by name", () => {
  const found = ["tool.completed", "tool.output", "tool.unknown", "constructor"].map((name) => durableDefinition(name));
  expect(found.map((definition) => definition?.type)).toEqual(["tool.completed", undefined, undefined, undefined]);
});
