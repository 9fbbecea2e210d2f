/**
 * A JSON schema as the API takes it: a subset, in which every object is closed. What the subset cannot say goes into the
 * descriptions, where the model reads it. The library's own transformation, loaded at first use.
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
    const made: unknown = transformJSONSchema(schema);
    return isObject(made) ? ok(made) : err("it is no schema");
  } catch (error) {
    return err(errorMessage(error));
  }
}
