/**
 * Decides whether a value fits a definition, and derives its JSON Schema. Definitions are plain data in arktype's syntax,
 * of which this reads a subset: words, literals, unions, lists, bounds, objects with optional keys, "[string]" and
 * "+": "reject", and the tuples [def, "[]"] and [def, "@", description]. Anything else throws when first used, so that an
 * unsupported definition cannot pass a test. arktype itself only types definitions and explains refusals (see `explain`).
 */
import type { type } from "arktype";
import {
  above,
  bounded,
  here,
  isObject,
  type Json,
  list,
  literal,
  type Misfit,
  type Rule,
  under,
  union,
  unsupported,
  word,
} from "./schema-rules.ts";

export type Infer<def> = type.infer<def>;
export type Valid<def> = type.validate<def>;
export type { Json, Misfit } from "./schema-rules.ts";

const TOKEN = /\s*('[^']*'|"[^"]*"|<=|>=|>|[|()]|\[\]|-?\d+(?:\.\d+)?|[A-Za-z][\w.]*)\s*/y;

function parse(text: string, open: boolean): Rule {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) tokens.push(TOKEN.exec(text)?.[1] ?? unsupported(`cannot read "${text}"`));
  const take = () => tokens.shift() ?? unsupported(`"${text}" ends too early`);
  const skip = (token: string) => tokens[0] === token && take() === token;
  const isNumber = (token = "") => /^-?\d/.test(token);

  function alternatives(): Rule {
    const first = bounds();
    if (tokens[0] !== "|") return first;
    const members = [first];
    while (skip("|")) members.push(bounds());
    return union(members);
  }
  function bounds(): Rule {
    const low = isNumber(tokens[0]) && tokens[1] === "<=" ? Number(take()) : Number.NEGATIVE_INFINITY;
    skip("<=");
    let inner = primary();
    while (skip("[]")) inner = list(inner);
    if (skip(">")) return above(inner, Number(take()));
    const least = skip(">=") ? Number(take()) : low;
    return bounded(inner, least, skip("<=") ? Number(take()) : Number.POSITIVE_INFINITY);
  }
  function primary(): Rule {
    const token = take();
    if (token === "(") {
      const inner = alternatives();
      return skip(")") ? inner : unsupported(`missing ) in "${text}"`);
    }
    if (/^['"]/.test(token)) return open ? word("string") : literal(token.slice(1, -1));
    return isNumber(token) ? literal(Number(token)) : word(token);
  }
  const whole = alternatives();
  return tokens.length === 0 ? whole : unsupported(`unexpected ${tokens[0]} in "${text}"`);
}

interface Field {
  readonly key: string;
  readonly required: boolean;
  readonly rule: Rule;
}

function object(definition: Json, open: boolean): Rule {
  const { "+": undeclared, "[string]": index, ...named } = definition;
  const fields: readonly Field[] = Object.entries(named).map(([key, inner]) => ({
    key: key.replace(/\?$/, ""),
    required: !key.endsWith("?"),
    rule: compile(inner, open),
  }));
  const inherited = fields.find(({ key }) => key in Object.prototype);
  if (inherited) unsupported(`every object has ${inherited.key}`); // what a value has is its own
  const names = new Set(fields.map((f) => f.key));
  const rest = index === undefined ? undefined : compile(index, open);
  const misfit = (value: unknown): Misfit | undefined => {
    if (!isObject(value)) return here("an object");
    const inner = fieldsMisfit(value as Json, fields);
    return inner || !(rest || undeclared) ? inner : othersMisfit(value as Json, names, rest);
  };
  const closed = rest ? { additionalProperties: rest.json } : undeclared ? { additionalProperties: false } : {};
  const properties = Object.fromEntries(fields.map((f) => [f.key, f.rule.json]));
  const required = fields.filter((f) => f.required).map((f) => f.key);
  return { misfit, json: { type: "object", properties, required, ...closed } };
}

function fieldsMisfit(value: Json, fields: readonly Field[]): Misfit | undefined {
  for (const { key, required, rule } of fields) {
    const held = value[key];
    if (held !== undefined || Object.hasOwn(value, key)) {
      const inner = rule.misfit(held);
      if (inner) return under(key, inner);
    } else if (required) {
      return under(key, here("to be present"));
    }
  }
  return undefined;
}

function othersMisfit(value: Json, names: ReadonlySet<string>, rest: Rule | undefined): Misfit | undefined {
  for (const key of Object.keys(value)) {
    if (!rest && !names.has(key)) return under(key, here("to be absent"));
    const inner = rest?.misfit(value[key]);
    if (inner) return under(key, inner);
  }
  return undefined;
}

/** Whoever makes a definition anew for each session takes it along when that is over. */
const newCache = () => ({ texts: new Map<string, Rule>(), objects: new WeakMap<object, Rule>() });
const compiled = { strict: newCache(), open: newCache() };

function compile(definition: unknown, open = false): Rule {
  const { texts, objects } = open ? compiled.open : compiled.strict;
  if (typeof definition === "string") return remembered(texts, definition, open);
  return typeof definition === "object" && definition !== null
    ? remembered(objects, definition, open)
    : make(definition, open);
}

interface Cache<Key> {
  get(definition: Key): Rule | undefined;
  set(definition: Key, rule: Rule): void;
}

function remembered<Key>(cache: Cache<Key>, definition: Key, open: boolean): Rule {
  const found = cache.get(definition);
  if (found) return found;
  const made = make(definition, open);
  cache.set(definition, made);
  return made;
}

function make(definition: unknown, open: boolean): Rule {
  if (typeof definition === "string") return parse(definition, open);
  if (!Array.isArray(definition)) {
    return isObject(definition) ? object(definition as Json, open) : unsupported(String(definition));
  }
  const [head, operator, text] = definition as readonly unknown[];
  const inner = compile(head, open);
  if (operator === "[]") return list(inner);
  if (operator === "@") return { misfit: inner.misfit, json: { ...inner.json, description: text } };
  return unsupported(`tuple ${String(operator)}`);
}

/** Whether a value may be written: config, tool input, events of this build. */
export const accepts = <const def>(definition: def, value: unknown): value is Infer<def> =>
  compile(definition).misfit(value) === undefined;

/** Whether a recorded value can be read: as `accepts`, but a union of strings takes any string a later build may write. */
export const readable = (definition: unknown, value: unknown): boolean =>
  compile(definition, true).misfit(value) === undefined;

/** The first misfit of a value that `accepts` refuses. */
export const misfit = (definition: unknown, value: unknown): Misfit | undefined => compile(definition).misfit(value);

export const jsonSchema = (definition: unknown): Json => compile(definition).json;

/** Says in full what is wrong with a refused value. Loads arktype (100–400 ms), so only where a person waits for it. */
export async function explain(definition: unknown, value: unknown): Promise<string> {
  const { type: arktype } = await import("arktype");
  const verdict = (arktype as (d: unknown) => (v: unknown) => unknown)(definition)(value);
  return verdict instanceof arktype.errors ? verdict.summary : "";
}
