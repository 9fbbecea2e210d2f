/**
 * Keys as people write them, `limits.maxTurns`, and the definitions behind them. Names that the user chooses, of models and
 * profiles, may hold dots themselves.
 */
import { misfit, nearest } from "../shared/index.ts";
import { CONFIG_FILE } from "./types.ts";

export interface KeyPlace {
  readonly path: readonly string[];
  /** Plain data in arktype's syntax. */
  readonly definition: unknown;
}

/** Undefined when no such key exists. */
export const findKey = (dotted: string): KeyPlace | undefined =>
  dotted === "" || dotted.endsWith(".") ? undefined : find(CONFIG_FILE, dotted);

function find(definition: unknown, dotted: string): KeyPlace | undefined {
  if (dotted === "") return { path: [], definition };
  const [head = "", ...rest] = dotted.split(".");
  const named = fieldOf(definition, head);
  if (named !== undefined) return below(head, find(named, rest.join(".")));
  const any = anyOf(definition);
  if (any === undefined) return undefined;
  // The shortest name that leaves a known key behind it, else all of it.
  for (let at = dotted.indexOf("."); at !== -1; at = dotted.indexOf(".", at + 1)) {
    const inner = at > 0 && at < dotted.length - 1 ? find(any, dotted.slice(at + 1)) : undefined;
    if (inner) return below(dotted.slice(0, at), inner);
  }
  return { path: [dotted], definition: any };
}

const below = (head: string, inner: KeyPlace | undefined): KeyPlace | undefined =>
  inner && { ...inner, path: [head, ...inner.path] };

type Fields = Readonly<Record<string, unknown>>;

/** The definition of an object's fields; lists and words have none. */
export const isFields = (definition: unknown): definition is Fields =>
  typeof definition === "object" && definition !== null && !Array.isArray(definition);

/** What is defined for one key of an object. */
export function fieldOf(definition: unknown, key: string): unknown {
  if (!isFields(definition) || !/^\w/.test(key)) return undefined; // "+" and "[string]" are no names
  if (Object.hasOwn(definition, `${key}?`)) return definition[`${key}?`];
  return Object.hasOwn(definition, key) ? definition[key] : undefined;
}

/** What is defined for every key that has no definition of its own. */
export const anyOf = (definition: unknown): unknown => (isFields(definition) ? definition["[string]"] : undefined);

/** The names of an object's own fields, in the order of the definition. */
export const fieldNames = (definition: unknown): readonly string[] =>
  isFields(definition)
    ? Object.keys(definition).flatMap((name) => (/^\w/.test(name) ? [name.replace("?", "")] : []))
    : [];

/** Every key that can be written down without knowing a chosen name, objects before what is in them. */
export const KNOWN_KEYS: readonly string[] = keysBelow(CONFIG_FILE, "");

function keysBelow(definition: unknown, prefix: string): readonly string[] {
  return fieldNames(definition).flatMap((name) => [
    `${prefix}${name}`,
    ...keysBelow(fieldOf(definition, name), `${prefix}${name}.`),
  ]);
}

/** The known name that was meant, however it was written: `max_turns`, `MaxTurns`, `maxTrns`. */
export function nearestName(typed: string, known: readonly string[]): string | undefined {
  if (typed.length > MAX_TYPED_CHARS) return undefined;
  const plain = (name: string) => name.replace(/[-_]/g, "").toLowerCase();
  const found = nearest(
    plain(typed),
    known.map((name) => plain(name)),
  );
  return known.find((name) => plain(name) === found);
}

/** A longer name is no slip. */
const MAX_TYPED_CHARS = 60;

/** What a word of the command line says: JSON where it is some, unless only the word itself fits. */
export function valueIn(text: string, definition: unknown): unknown {
  const value = parsed(text);
  return misfit(definition, value) && !misfit(definition, text) ? text : value;
}

/** A number beyond all numbers is none, here as in a file. */
function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY ? text : value;
  } catch {
    return text;
  }
}

/** `["limits", "maxTurns"]` and 5 become `{"limits": {"maxTurns": 5}}`. */
export const nested = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight((inner, key) => Object.fromEntries([[key, inner]]), value);
