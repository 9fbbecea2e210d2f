/**
 * The subset of JSON Schema in which answers can be demanded: every object is closed, and bounds that a grammar cannot hold are
 * refused. Assumes that the format has its shape.
 */
import { isRecord } from "./shape.ts";
import { type Refusal, refuse } from "./table.ts";

const PATH = "output_config.format.schema";

/** Keywords that are refused rather than ignored. */
const UNSUPPORTED = [
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  ...["minLength", "maxLength", "maxItems", "uniqueItems", "minProperties", "maxProperties"],
  ...["patternProperties", "oneOf", "not", "if"],
];
const SAYS_SOMETHING = ["type", "anyOf", "allOf", "enum", "const", "$ref"];
const MAX_DEPTH = 100;

export function misfitOfFormat(format: unknown): Refusal | undefined {
  return isRecord(format) ? misfit(format.schema, PATH, 0) : undefined;
}

function misfit(schema: unknown, path: string, depth: number): Refusal | undefined {
  if (!isRecord(schema) || depth > MAX_DEPTH) return refuse("41", { path });
  if (!SAYS_SOMETHING.some((key) => Object.hasOwn(schema, key))) return refuse("41", { path });
  const unsupported = UNSUPPORTED.find((key) => Object.hasOwn(schema, key));
  if (unsupported !== undefined) return refuse("41b", { path, keyword: unsupported });
  if (Number(schema.minItems ?? 0) > 1) return refuse("41b", { path, keyword: "minItems" });
  const mayBeObject = [schema.type].flat().includes("object");
  if (mayBeObject && schema.additionalProperties !== false) return refuse("41a", { path });
  for (const [inner, where] of innerSchemas(schema)) {
    const found = misfit(inner, `${path}.${where}`, depth + 1);
    if (found) return found;
  }
  return undefined;
}

function innerSchemas(schema: Readonly<Record<string, unknown>>): readonly (readonly [unknown, string])[] {
  const named = ["properties", "$defs"].flatMap((key) => {
    const inner = schema[key];
    return isRecord(inner) ? Object.entries(inner).map(([name, one]) => [one, `${key}.${name}`] as const) : [];
  });
  const listed = ["anyOf", "allOf"].flatMap((key) => {
    const inner = schema[key];
    return Array.isArray(inner) ? inner.map((one, i) => [one, `${key}.${i}`] as const) : [];
  });
  return [...named, ...listed, ...(Object.hasOwn(schema, "items") ? [[schema.items, "items"] as const] : [])];
}
