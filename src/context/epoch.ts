/**
 * The bytes before every message: frozen once, stored as blobs, and read back for as long as the session lives. Nothing is
 * rendered a second time, for a signature made under one prefix is worth nothing under another.
 */
import type { ToolSchema } from "../anthropic/index.ts";
import type { BlobStore, ConversationState } from "../session/index.ts";
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

type PrefixNames = Pick<ConversationState, "systemSha256" | "toolsSha256" | "outputSchemaSha256">;

/** What is left of the prefix of an earlier run, each part by itself. */
export interface PrefixParts {
  readonly system?: readonly string[];
  readonly tools?: readonly ToolSchema[];
  readonly outputSchema?: FrozenSchema;
  /** One was asked of the session, and its blob is missing or damaged. */
  readonly isSchemaLost: boolean;
}

export async function loadParts(blobs: BlobStore, names: PrefixNames): Promise<PrefixParts> {
  const { systemSha256, toolsSha256, outputSchemaSha256 } = names;
  const [system, tools, schema] = await Promise.all(
    [systemSha256, toolsSha256, outputSchemaSha256].map(async (sha256) =>
      sha256 === undefined ? undefined : { sha256, value: parsed(await blobs.get(sha256)) },
    ),
  );
  const outputSchema =
    schema && accepts(SCHEMA, schema.value)
      ? { ...(schema.value as OutputSchema), sha256: schema.sha256 } // as: `object` in the definitions admits any object
      : undefined;
  return {
    ...(system && accepts(SYSTEM, system.value) && { system: system.value }),
    ...(tools && accepts(TOOLS, tools.value) && { tools: tools.value as readonly ToolSchema[] }), // as: the same
    ...(outputSchema && { outputSchema }),
    isSchemaLost: schema !== undefined && !outputSchema,
  };
}

/** The texts that every request of an earlier run began with, or undefined when one is missing or damaged. */
export async function loadPrefix(
  blobs: BlobStore,
  systemSha256: string,
  toolsSha256: string,
): Promise<FrozenPrefix | undefined> {
  const { system, tools } = await loadParts(blobs, { systemSha256, toolsSha256 });
  return system && tools ? { system, tools, systemSha256, toolsSha256 } : undefined;
}

function parsed(bytes: Uint8Array | undefined): unknown {
  if (!bytes) return undefined;
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined; // a foreign blob under this name: treated as missing
  }
}
