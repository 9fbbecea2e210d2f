/** The building blocks of the schema interpreter: each rule finds a misfit and knows its JSON Schema. */

export type Json = { readonly [key: string]: unknown };

/** The first place where a value does not fit, and what was expected there. */
export interface Misfit {
  readonly path: readonly (string | number)[];
  readonly expected: string;
}
export interface Rule {
  readonly misfit: (value: unknown) => Misfit | undefined;
  readonly json: Json;
}

export const here = (expected: string): Misfit => ({ path: [], expected });
export const under = (key: string | number, inner: Misfit): Misfit => ({
  path: [key, ...inner.path],
  expected: inner.expected,
});
export const isObject = (x: unknown): x is object => typeof x === "object" && x !== null;

function simple(accepts: (value: unknown) => boolean, expected: string, json: Json): Rule {
  const refusal = here(expected);
  return { misfit: (value) => (accepts(value) ? undefined : refusal), json };
}
export const literal = (value: unknown): Rule => simple((x) => x === value, JSON.stringify(value), { const: value });

const WORDS: Readonly<Record<string, Rule>> = {
  string: simple((x) => typeof x === "string", "a string", { type: "string" }),
  number: simple((x) => typeof x === "number" && !Number.isNaN(x), "a number", { type: "number" }),
  "number.integer": simple(Number.isInteger, "an integer", { type: "integer" }),
  boolean: simple((x) => typeof x === "boolean", "true or false", { type: "boolean" }),
  object: simple(isObject, "an object", { type: "object" }),
  unknown: simple(() => true, "anything", {}),
  null: literal(null),
  true: literal(true),
  false: literal(false),
};

export function list(item: Rule): Rule {
  const misfit = (value: unknown): Misfit | undefined => {
    if (!Array.isArray(value)) return here("a list");
    for (let at = 0; at < value.length; at++) {
      const inner = item.misfit(value[at]);
      if (inner) return under(at, inner);
    }
    return undefined;
  };
  return { misfit, json: { type: "array", items: item.json } };
}

export function union(members: readonly Rule[]): Rule {
  const constants = members.map(({ json }) => json.const);
  const json = constants.includes(undefined) ? { anyOf: members.map((m) => m.json) } : { enum: constants };
  const expected = () => members.map((m) => m.misfit(Symbol.iterator)?.expected ?? "anything").join(" or ");
  return { misfit: (value) => (members.some((m) => !m.misfit(value)) ? undefined : here(expected())), json };
}

/** Bounds a number, or the length of a string or list. */
export function bounded(inner: Rule, low: number, high: number): Rule {
  if (low === Number.NEGATIVE_INFINITY && high === Number.POSITIVE_INFINITY) return inner;
  const kind = { string: "Length", array: "Items" }[String(inner.json.type)] ?? "imum";
  const limits = Object.entries({ [`min${kind}`]: low, [`max${kind}`]: high }).filter(([, n]) => Number.isFinite(n));
  const what = kind === "imum" ? "a number" : "a length";
  const expected = `${what} ${limits.map(([, n]) => (n === low ? `of at least ${n}` : `of at most ${n}`)).join(" and ")}`;
  const size = (x: unknown) => (typeof x === "number" ? x : (x as { readonly length: number }).length);
  const misfit = (value: unknown) =>
    inner.misfit(value) ?? (size(value) >= low && size(value) <= high ? undefined : here(expected));
  return { misfit, json: { ...inner.json, ...Object.fromEntries(limits) } };
}

/** A number greater than the bound. */
export function above(inner: Rule, bound: number): Rule {
  const refusal = here(`a number greater than ${bound}`);
  const misfit = (value: unknown) => inner.misfit(value) ?? (Number(value) > bound ? undefined : refusal);
  return { misfit, json: { ...inner.json, exclusiveMinimum: bound } };
}

export const word = (name: string): Rule =>
  (Object.hasOwn(WORDS, name) ? WORDS[name] : undefined) ?? unsupported(`unknown word ${name}`);

export function unsupported(why: string): never {
  throw new Error(`unsupported definition: ${why}`);
}
