/**
 * Whether a model that knows the tools of an earlier version can go on calling those of this one: tools and their inputs may
 * be added to, never taken away or made narrower. Pure.
 */
import type { ToolSchema } from "../anthropic/index.ts";

/** A tool that is not what it was: its name, and why a call made after the old description would not be understood. */
interface UnfitTool {
  readonly name: string;
  readonly why: string;
}

export function unfitTools(before: readonly ToolSchema[], now: readonly ToolSchema[]): readonly UnfitTool[] {
  return before.flatMap((old) => {
    const tool = now.find(({ name }) => name === old.name);
    const why = tool ? narrowed(inputsOf(old), inputsOf(tool)) : "it is gone";
    return why === undefined ? [] : [{ name: old.name, why }];
  });
}

interface Inputs {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
  readonly isOpen: boolean;
}

/** A part that is not as JSON Schema has it counts as empty: what stands there cannot be relied on. */
function inputsOf({ input_schema: { properties, required, additionalProperties } }: ToolSchema): Inputs {
  return {
    properties: isObject(properties) ? properties : {},
    required: Array.isArray(required) ? required.filter((name) => typeof name === "string") : [],
    isOpen: additionalProperties !== false,
  };
}

function narrowed(before: Inputs, now: Inputs): string | undefined {
  const added = now.required.find((name) => !before.required.includes(name));
  if (added !== undefined) return `it now needs "${added}"`;
  for (const [name, old] of Object.entries(before.properties)) {
    const property = now.properties[name];
    if (property === undefined && !now.isOpen) return `it takes no "${name}" any more`;
    if (property !== undefined && !takes(property, old)) return `its "${name}" is another`;
  }
  return undefined;
}

/** Whether whatever fits the one still fits the other, as far as types and choices tell. */
function takes(now: unknown, before: unknown): boolean {
  if (!isObject(now) || !isObject(before)) return JSON.stringify(now) === JSON.stringify(before);
  const types = listOf(now.type);
  const known = before.enum === undefined ? undefined : listOf(before.enum);
  const had = known?.map(typeOf) ?? listOf(before.type);
  const isWide = types.length === 0 || (had.length > 0 && had.every((type) => covers(types, type)));
  const choices = now.enum === undefined ? undefined : listOf(now.enum);
  const isChoice = choices === undefined || (known?.every((choice) => choices.includes(choice)) ?? false);
  const hadLists = had.length === 0 || had.includes("array");
  return isWide && isChoice && (now.items === undefined || !hadLists || takes(now.items, before.items ?? {}));
}

const covers = (types: readonly unknown[], type: unknown): boolean =>
  types.includes(type) || (type === "integer" && types.includes("number"));

/** Of a value, as JSON Schema names it. */
function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

const listOf = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
