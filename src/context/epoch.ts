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
  readonly system?: Part<readonly string[]>;
  readonly tools?: Part<readonly ToolSchema[]>;
  readonly outputSchema?: FrozenSchema;
  /** The log names none, or its blob is missing or damaged. A log of which no schema was ever asked misses none. */
  readonly isMissing: Readonly<Record<"system" | "tools" | "outputSchema", boolean>>;
}

interface Part<T> {
  readonly value: T;
  readonly sha256: string;
}

export async function loadParts(blobs: BlobStore, names: PrefixNames): Promise<PrefixParts> {
  const { systemSha256, toolsSha256, outputSchemaSha256 } = names;
  const [system, tools, schema] = await Promise.all(
    [systemSha256, toolsSha256, outputSchemaSha256].map(async (sha256) =>
      sha256 === undefined ? undefined : { sha256, value: parsed(await blobs.get(sha256)) },
    ),
  );
  // as: `object` in the definitions admits any object; what was stored is a schema.
  const parts = {
    ...(system && accepts(SYSTEM, system.value) && { system: { ...system, value: system.value } }),
    ...(tools && accepts(TOOLS, tools.value) && { tools: { ...tools, value: tools.value as readonly ToolSchema[] } }),
    ...(schema &&
      accepts(SCHEMA, schema.value) && {
        outputSchema: { ...(schema.value as OutputSchema), sha256: schema.sha256 },
      }),
  };
  const isMissing = {
    system: !("system" in parts),
    tools: !("tools" in parts),
    outputSchema: schema !== undefined && !("outputSchema" in parts),
  };
  return { ...parts, isMissing };
}

/** The whole prefix of an earlier run, or undefined when a part is missing or damaged. */
export async function loadPrefix(
  blobs: BlobStore,
  systemSha256: string,
  toolsSha256: string,
  outputSchemaSha256?: string,
): Promise<FrozenPrefix | undefined> {
  const parts = await loadParts(blobs, { systemSha256, toolsSha256, outputSchemaSha256 });
  const { system, tools, outputSchema, isMissing } = parts;
  if (!system || !tools || isMissing.outputSchema) return undefined;
  const texts = { system: system.value, tools: tools.value, systemSha256, toolsSha256 };
  return outputSchema ? { ...texts, outputSchema } : texts;
}

function parsed(bytes: Uint8Array | undefined): unknown {
  if (!bytes) return undefined;
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined; // a foreign blob under this name: treated as missing
  }
}
