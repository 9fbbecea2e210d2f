/**
 * Whether a JSON value fits a JSON Schema: the keywords that answers of a model are asked for with. What it does not know it
 * does not judge (`format`, `if`, `$dynamicRef`, remote references), so it can miss a misfit and never makes one up.
 */

import { isSameJson, sortedJson } from "../shared/index.ts";

type Schema = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

export interface SchemaMisfit {
  readonly path: Path;
  readonly expected: string;
}

interface Judging {
  readonly root: Schema;
  readonly depth: number;
  /** How many more may be taken, by all together. */
  readonly steps: { left: number };
}

const MAX_DEPTH = 256;
/** Several times what the longest answer needs; definitions that each name the next one twice would never be done. */
const MAX_STEPS = 1_000_000;

/** The first misfit in the order of the value, or undefined; also where judging would take too long. Never throws. */
export function schemaMisfit(schema: Schema, value: unknown): SchemaMisfit | undefined {
  const steps = { left: MAX_STEPS };
  const misfit = judge(schema, value, [], { root: schema, depth: 0, steps });
  return steps.left > 0 ? misfit : undefined;
}

function judge(schema: unknown, value: unknown, path: Path, at: Judging): SchemaMisfit | undefined {
  if (schema === false) return { path, expected: "nothing here" };
  if (!isObject(schema) || at.steps.left === 0) return undefined;
  at.steps.left = at.depth > MAX_DEPTH ? 0 : at.steps.left - 1;
  const inner = { ...at, depth: at.depth + 1 };
  for (const check of CHECKS) {
    const misfit = check(schema, value, path, inner);
    if (misfit) return misfit;
  }
  return undefined;
}

type Check = (schema: Schema, value: unknown, path: Path, at: Judging) => SchemaMisfit | undefined;

const kindOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value === "object" ? "object" : typeof value;

const isOfType = (value: unknown, type: string): boolean =>
  type === "integer" ? Number.isInteger(value) : kindOf(value) === type;

const typed: Check = ({ type }, value, path) => {
  const types = (Array.isArray(type) ? type : [type]).filter((one): one is string => typeof one === "string");
  if (types.length === 0 || types.some((one) => isOfType(value, one))) return undefined;
  return { path, expected: `${types.join(" or ")}, not ${kindOf(value)}` };
};

const listed: Check = (schema, value, path) => {
  const allowed = Array.isArray(schema.enum)
    ? schema.enum
    : Object.hasOwn(schema, "const")
      ? [schema.const]
      : undefined;
  if (!allowed || allowed.some((one) => isSameJson(one, value))) return undefined;
  return { path, expected: `one of ${JSON.stringify(allowed).slice(0, 200)}` };
};

const referred: Check = ({ $ref }, value, path, at) => {
  const target = typeof $ref === "string" ? resolve(at.root, $ref) : undefined;
  return target === undefined ? undefined : judge(target, value, path, at);
};

const combined: Check = ({ allOf, anyOf, oneOf, not }, value, path, at) => {
  const fits = (schema: unknown): boolean => judge(schema, value, path, at) === undefined;
  for (const schema of Array.isArray(allOf) ? allOf : []) {
    const misfit = judge(schema, value, path, at);
    if (misfit) return misfit;
  }
  if (Array.isArray(anyOf) && !anyOf.some(fits)) return { path, expected: "what one of the forms under anyOf allows" };
  if (Array.isArray(oneOf) && oneOf.filter(fits).length !== 1) {
    return { path, expected: "what exactly one of the forms under oneOf allows" };
  }
  return not !== undefined && fits(not) ? { path, expected: "anything but what stands under not" } : undefined;
};

const fields: Check = (schema, value, path, at) => {
  if (!isObject(value)) return undefined;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const missing = required.find((key) => typeof key === "string" && !Object.hasOwn(value, key));
  if (missing !== undefined) return { path, expected: `the property ${JSON.stringify(missing)}` };
  for (const [key, inner] of Object.entries(value)) {
    for (const one of schemasFor(schema, key)) {
      const misfit = judge(one, inner, [...path, key], at);
      if (misfit) return misfit;
    }
  }
  return undefined;
};

function schemasFor({ properties, patternProperties, additionalProperties }: Schema, key: string): readonly unknown[] {
  const own = isObject(properties) && Object.hasOwn(properties, key) ? [properties[key]] : [];
  const patterns = isObject(patternProperties) ? Object.entries(patternProperties) : [];
  const matching = patterns.filter(([pattern]) => matches(pattern, key)).map(([, schema]) => schema);
  return own.length + matching.length > 0 ? [...own, ...matching] : [additionalProperties];
}

const items: Check = (schema, value, path, at) => {
  if (!Array.isArray(value)) return undefined;
  const first = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  for (const [index, inner] of value.entries()) {
    const misfit = judge(index < first.length ? first[index] : schema.items, inner, [...path, index], at);
    if (misfit) return misfit;
  }
  const repeats = schema.uniqueItems === true && new Set(value.map(sortedJson)).size < value.length;
  return repeats ? { path, expected: "no item twice" } : undefined;
};

/** The bounds that a number, a text, a list or an object must keep: keyword, its words, and what it lets through. */
const BOUNDS: readonly (readonly [keyword: string, words: string, (value: unknown, bound: number) => boolean])[] = [
  ["minimum", "at least", (value, bound) => typeof value !== "number" || value >= bound],
  ["maximum", "at most", (value, bound) => typeof value !== "number" || value <= bound],
  ["exclusiveMinimum", "more than", (value, bound) => typeof value !== "number" || value > bound],
  ["exclusiveMaximum", "less than", (value, bound) => typeof value !== "number" || value < bound],
  ["minLength", "a text of at least so many characters:", (value, bound) => lengthOf(value) >= bound],
  ["maxLength", "a text of at most so many characters:", (value, bound) => lengthOf(value, 0) <= bound],
  ["minItems", "at least so many items:", (value, bound) => !Array.isArray(value) || value.length >= bound],
  ["maxItems", "at most so many items:", (value, bound) => !Array.isArray(value) || value.length <= bound],
];

const lengthOf = (value: unknown, otherwise = Number.POSITIVE_INFINITY): number =>
  typeof value === "string" ? [...value].length : otherwise;

const bounded: Check = (schema, value, path) => {
  for (const [keyword, words, holds] of BOUNDS) {
    const bound = schema[keyword];
    if (typeof bound === "number" && !holds(value, bound)) return { path, expected: `${words} ${bound}` };
  }
  const { pattern } = schema;
  if (typeof pattern !== "string" || typeof value !== "string" || matches(pattern, value)) return undefined;
  return { path, expected: `a text that matches ${pattern}` };
};

const CHECKS: readonly Check[] = [typed, listed, referred, combined, fields, items, bounded];

/** A pattern that is none judges nothing. */
function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return true;
  }
}

function resolve(root: Schema, reference: string): unknown {
  if (!reference.startsWith("#")) return undefined;
  let found: unknown = root;
  for (const step of reference.slice(1).split("/").slice(1)) {
    const key = unescaped(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (!isObject(found) || !Object.hasOwn(found, key)) return undefined;
    found = found[key];
  }
  return found;
}

/** A per cent sign that escapes nothing stands for itself: not every writer of schemas knows of it. */
function unescaped(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

const isObject = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
