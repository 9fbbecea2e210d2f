/**
 * A JSON schema as the API takes it: a subset, in which every object is closed. What the subset cannot say goes into the
 * descriptions, where the model reads it. The library's own transformation, loaded at first use, behind a preparation for what
 * it does not know.
 */
import { err, errorMessage, ok, type Result } from "../shared/index.ts";
import { isObject, isShallow } from "./foreign.ts";
import type { JsonObject } from "./types.ts";

const MAX_LEVELS = 100;

/** The error is one sentence that says what cannot be sent. */
export async function sendableSchema(schema: JsonObject): Promise<Result<JsonObject, string>> {
  if (!isShallow(schema, MAX_LEVELS)) return err(`it is nested more than ${MAX_LEVELS} levels deep`);
  const { transformJSONSchema } = await import("@anthropic-ai/sdk/lib/transform-json-schema");
  try {
    const made: unknown = transformJSONSchema(prepared(schema));
    if (!isObject(made)) return err("it is no schema");
    const lost = referencesIn(made).find((reference) => !leadsSomewhere(made, reference));
    return lost === undefined ? ok(made) : err(`its $ref ${JSON.stringify(lost)} leads to nothing that can be sent`);
  } catch (error) {
    return err(errorMessage(error));
  }
}

const MAPS: ReadonlySet<string> = new Set(["properties", "$defs", "definitions"]);
const LISTS: ReadonlySet<string> = new Set(["anyOf", "oneOf", "allOf"]);

/** Definitions stand where newer drafts keep them, and a union of types that holds objects or lists is said as `anyOf`. */
function prepared(schema: JsonObject): JsonObject {
  const moves = !Object.hasOwn(schema, "$defs");
  const parts = Object.entries(schema).map(([key, value]) => {
    const name = key === "definitions" && moves ? "$defs" : key;
    return [name, preparedPart(key, value)] as const;
  });
  return withoutTypeList(Object.fromEntries(parts));
}

function preparedPart(key: string, value: unknown): unknown {
  const inner = (one: unknown): unknown => (isObject(one) ? prepared(one) : one);
  if (key === "items") return inner(value);
  if (key === "$ref" && typeof value === "string") return value.replace(/^#\/definitions\//, "#/$defs/");
  if (LISTS.has(key) && Array.isArray(value)) return value.map(inner);
  if (!MAPS.has(key) || !isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inner(one)]));
}

const NOT_TO_BE_SPLIT = ["enum", "const", "anyOf", "oneOf", "allOf"];

/** The other members of the union keep their type alone: the answer is checked against the whole schema later anyway. */
function withoutTypeList(schema: JsonObject): JsonObject {
  const { type, properties, required, items, ...rest } = schema;
  const isUnion = Array.isArray(type) && (type.includes("object") || type.includes("array"));
  if (!isUnion || NOT_TO_BE_SPLIT.some((key) => Object.hasOwn(schema, key))) return schema;
  const shapes: Readonly<Record<string, JsonObject>> = { object: { properties, required }, array: { items } };
  return { ...rest, anyOf: type.map((one: unknown) => ({ type: one, ...shapes[String(one)] })) };
}

/** Not what stands in a description, a literal or under a property of that name: only text can lead anywhere. */
function referencesIn(schema: unknown): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { $ref: own } = schema as JsonObject; // as: an array has no such field
  return [...(typeof own === "string" ? [own] : []), ...Object.values(schema).flatMap(referencesIn)];
}

function leadsSomewhere(root: JsonObject, reference: string): boolean {
  const [start, ...steps] = reference.split("/");
  const found = steps.reduce<unknown>((at, step) => {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    return typeof at === "object" && at !== null && Object.hasOwn(at, key) ? (at as JsonObject)[key] : undefined;
  }, root);
  return start === "#" && found !== undefined;
}
