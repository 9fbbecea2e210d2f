/** What stands before every message, and what answers have to be: by their names, as a blob store would find them. */
import type { FrozenPrefix } from "../../../src/context/index.ts";
import { sha256 } from "../../../src/shared/index.ts";

const TOOLS = [{ name: "read", description: "Reads.", input_schema: { type: "object", properties: {} } }];

/** The frozen prefix of an epoch. */
export function prefixOf(epoch: number): FrozenPrefix {
  const system = [`static tier of epoch ${epoch}`];
  const [systemSha256, toolsSha256] = [sha256(JSON.stringify(system)), sha256(JSON.stringify(TOOLS))];
  return { system, tools: TOOLS, systemSha256, toolsSha256 };
}

/** Every epoch of every story. */
const prefixes = new Map<string, FrozenPrefix>();

export function prefixNamed(systemSha256: string | undefined, outputSchemaSha256?: string): FrozenPrefix {
  for (let epoch = prefixes.size; epoch < 5_000 && !prefixes.has(systemSha256 ?? ""); epoch++) {
    const prefix = prefixOf(epoch);
    prefixes.set(prefix.systemSha256, prefix);
  }
  const found = prefixes.get(systemSha256 ?? "");
  if (!found) throw new Error("the log names a prefix that no epoch had");
  return withSchema(
    found,
    SCHEMAS.find((schema) => schema.sha256 === outputSchemaSha256),
  );
}

type Schema = NonNullable<FrozenPrefix["outputSchema"]>;

export const SCHEMAS: readonly Schema[] = ["a", "b"].map((name) => {
  const sent = { type: "object", properties: { [name]: { type: "integer" } }, additionalProperties: false };
  return { wanted: sent, sent, sha256: sha256(JSON.stringify({ wanted: sent, sent })) };
});

export function withSchema(prefix: FrozenPrefix, schema: Schema | undefined): FrozenPrefix {
  const { outputSchema: _before, ...rest } = prefix;
  return schema ? { ...rest, outputSchema: schema } : rest;
}

/** Every third answer is another than the schema wants; which, the answer alone decides. */
export const answerProblem = (text: string): string | undefined =>
  Number(/\d+/.exec(text)?.[0]) % 3 === 0 ? "it does not fit" : undefined;
