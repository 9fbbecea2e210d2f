/**
 * The bytes before every message: frozen once, stored as blobs, and read back for as long as the session lives. Nothing is
 * rendered a second time, for a signature made under one prefix is worth nothing under another.
 */
import type { ToolSchema } from "../anthropic/index.ts";
import type { BlobStore } from "../session/index.ts";
import { accepts, toBytes } from "../shared/index.ts";
import type { FrozenPrefix, FrozenSchema, OutputSchema } from "./types.ts";

const SYSTEM = "string[]";
const SCHEMA = { wanted: "object", sent: "object" } as const;
const TOOLS = [{ name: "string", description: "string", input_schema: "object", "+": "reject" }, "[]"] as const;

/**
 * Stores both parts and returns them as a later `loadPrefix` will: parsed from the stored bytes, so that a session sends the
 * same before and after a resume. Rejects when a blob cannot be written.
 */
export async function freezePrefix(
  blobs: BlobStore,
  system: readonly string[],
  tools: readonly ToolSchema[],
): Promise<FrozenPrefix> {
  const systemJson = JSON.stringify(system);
  const toolsJson = JSON.stringify(tools);
  const puts = [blobs.put(toBytes(systemJson)), blobs.put(toBytes(toolsJson))] as const;
  await Promise.allSettled(puts); // both have ended and cleaned up before one that failed can end the program
  const [systemSha256, toolsSha256] = await Promise.all(puts);
  // as: just made from values of these types.
  return {
    system: JSON.parse(systemJson) as readonly string[],
    tools: JSON.parse(toolsJson) as readonly ToolSchema[],
    systemSha256,
    toolsSha256,
  };
}

/** Stores a schema of answers, and returns it as a later `loadPrefix` will. Rejects when the blob cannot be written. */
export async function freezeSchema(blobs: BlobStore, { wanted, sent }: OutputSchema): Promise<FrozenSchema> {
  const json = JSON.stringify({ wanted, sent });
  const sha256 = await blobs.put(toBytes(json));
  return { ...(JSON.parse(json) as OutputSchema), sha256 }; // as: just made from a value of this type
}

/** The prefix of an earlier run, or undefined when a blob is missing or damaged: the caller then begins a new epoch. */
export async function loadPrefix(
  blobs: BlobStore,
  systemSha256: string,
  toolsSha256: string,
  outputSchemaSha256?: string,
): Promise<FrozenPrefix | undefined> {
  const prefix = await loadTexts(blobs, systemSha256, toolsSha256);
  if (!prefix || outputSchemaSha256 === undefined) return prefix;
  const schema = parsed(await blobs.get(outputSchemaSha256));
  if (!accepts(SCHEMA, schema)) return undefined;
  const frozen = { ...(schema as OutputSchema), sha256: outputSchemaSha256 }; // as: `object` admits any object
  return { ...prefix, outputSchema: frozen };
}

async function loadTexts(
  blobs: BlobStore,
  systemSha256: string,
  toolsSha256: string,
): Promise<FrozenPrefix | undefined> {
  const [systemBytes, toolsBytes] = await Promise.all([blobs.get(systemSha256), blobs.get(toolsSha256)]);
  const system = parsed(systemBytes);
  const tools = parsed(toolsBytes);
  if (!accepts(SYSTEM, system) || !accepts(TOOLS, tools)) return undefined;
  // as: `object` in the definition admits any object; what was stored is a schema.
  return { system, tools: tools as readonly ToolSchema[], systemSha256, toolsSha256 };
}

function parsed(bytes: Uint8Array | undefined): unknown {
  if (!bytes) return undefined;
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined; // a foreign blob under this name: treated as missing
  }
}
