/** The JSON schema of `--json-schema`: read, checked, made sendable, and frozen with the session's prefix. */
import { resolve } from "node:path";
import { type JsonObject, sendableSchema } from "../anthropic/index.ts";
import { type FrozenPrefix, freezeSchema, type OutputSchema } from "../context/index.ts";
import type { BlobStore, ConversationState } from "../session/index.ts";
import { EXIT, errorMessage, UserError } from "../shared/index.ts";
import { textFile } from "./text-file.ts";

/** Throws UserError that names the file and what is wrong with it. */
export async function readOutputSchema(file: string, cwd: string): Promise<OutputSchema> {
  const wanted = schemaIn(file, textFile(resolve(cwd, file), `--json-schema ${file}`));
  const sent = await sendableSchema(wanted);
  if (!sent.ok) throw wrong(file, `the schema cannot be used: ${sent.error}`);
  return { wanted, sent: sent.value };
}

function schemaIn(file: string, text: string): JsonObject {
  const parsed = parse(file, text);
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    throw wrong(file, 'it must hold a JSON Schema, an object such as {"type": "object", "properties": {…}}');
  }
  const schema = parsed as JsonObject; // as: just seen to be one
  const saysSomething = ["type", "properties", "anyOf", "oneOf", "allOf", "enum", "const", "$ref"].some(
    (key) => key in schema,
  );
  if (!saysSomething) throw wrong(file, "it is no JSON Schema: it names neither a type nor anything else to fit");
  return schema;
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw wrong(file, `it is not JSON (${errorMessage(error)})`, { cause: error });
  }
}

const wrong = (file: string, what: string, options?: ErrorOptions): UserError =>
  new UserError(`--json-schema ${file}: ${what}.`, EXIT.usage, options);

/** The prefix with the schema that was asked for now; without one, with the schema that it has. */
export async function withSchema(
  blobs: BlobStore,
  prefix: FrozenPrefix,
  asked: OutputSchema | undefined,
): Promise<FrozenPrefix> {
  return asked ? { ...prefix, outputSchema: await freezeSchema(blobs, asked) } : prefix;
}

/** For `session.resumed`: what is in force from here on, if that is another schema than before. */
export function schemaChange(
  { outputSchema }: FrozenPrefix,
  { outputSchemaSha256: before }: ConversationState,
): { readonly outputSchemaSha256?: string | null } {
  return outputSchema?.sha256 === before ? {} : { outputSchemaSha256: outputSchema?.sha256 ?? null };
}
