/**
 * A few combinators that describe JSON as the API's schema does, and name the first misfit with its path. What the
 * description does not name is refused; a field that needs a beta header is unknown without it.
 */
import { type Refusal, refuse } from "./table.ts";

export interface ShapeContext {
  readonly betas: ReadonlySet<string>;
}

export type Shape = (value: unknown, path: string, context: ShapeContext) => Refusal | undefined;

interface BetaField {
  readonly beta: string;
  readonly shape: Shape;
}

/** A key that ends in "?" may be absent. */
type Fields = Readonly<Record<string, Shape | BetaField>>;

const expected =
  (words: string, fits: (value: unknown) => boolean): Shape =>
  (value, path) =>
    fits(value) ? undefined : refuse("6a", { path, expected: words });

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const text = expected("a valid string", (value) => typeof value === "string");
export const flag = expected("a valid boolean", (value) => typeof value === "boolean");
export const whole = expected("a valid integer", (value) => Number.isInteger(value));
export const record = expected("a valid dictionary", isRecord);
export const anything: Shape = () => undefined;

export const oneOf = (...words: readonly string[]): Shape =>
  expected(
    words.map((word) => `'${word}'`).join(" or "),
    (value) => typeof value === "string" && words.includes(value),
  );

export const nullable =
  (shape: Shape): Shape =>
  (value, path, context) =>
    value === null ? undefined : shape(value, path, context);

export const beta = (header: string, shape: Shape): BetaField => ({ beta: header, shape });

export const list =
  (item: Shape): Shape =>
  (value, path, context) => {
    if (!Array.isArray(value)) return refuse("6a", { path, expected: "a valid list" });
    for (let i = 0; i < value.length; i++) {
      const misfit = item(value[i], `${path}.${i}`, context);
      if (misfit) return misfit;
    }
    return undefined;
  };

/** A string, or what the list says. */
export const textOr =
  (other: Shape): Shape =>
  (value, path, context) =>
    typeof value === "string" ? undefined : other(value, path, context);

export function object(fields: Fields): Shape {
  const known = new Map(
    Object.entries(fields).map(([key, field]) => [
      key.replace(/\?$/, ""),
      typeof field === "function" ? { shape: field, beta: undefined } : field,
    ]),
  );
  const required = Object.keys(fields).filter((key) => !key.endsWith("?"));
  const misfitOf = (value: Readonly<Record<string, unknown>>, key: string, at: string, context: ShapeContext) => {
    const field = known.get(key);
    const isKnown = field && (!field.beta || context.betas.has(field.beta));
    return isKnown ? field.shape(value[key], at, context) : refuse("6", { path: at });
  };
  return (value, path, context) => {
    if (!isRecord(value)) return refuse("6a", { path, expected: "a valid dictionary" });
    const missing = required.find((key) => !Object.hasOwn(value, key));
    if (missing !== undefined) return refuse("5", { path: under(path, missing) });
    for (const key of Object.keys(value)) {
      const misfit = misfitOf(value, key, under(path, key), context);
      if (misfit) return misfit;
    }
    return undefined;
  };
}

/** A variant whose tag is unknown without one of these headers. */
export const tagOfBeta =
  (headers: readonly string[], shape: Shape): Shape =>
  (value, path, context) =>
    headers.some((header) => context.betas.has(header))
      ? shape(value, path, context)
      : refuse("6b", { path, tag: isRecord(value) ? String(value.type) : "" });

/** Chooses by the value's `type`. `otherwise` refuses a type that is known, but not here. */
export function tagged(
  shapes: Readonly<Record<string, Shape>>,
  otherwise?: (type: string, path: string) => Refusal | undefined,
): Shape {
  return (value, path, context) => {
    if (!isRecord(value)) return refuse("6a", { path, expected: "a valid dictionary" });
    const type = value.type;
    if (typeof type !== "string") return refuse("5", { path: under(path, "type") });
    const shape = Object.hasOwn(shapes, type) ? shapes[type] : undefined;
    if (shape) return shape(value, path, context);
    return otherwise?.(type, path) ?? refuse("6b", { path, tag: type });
  };
}

const under = (path: string, key: string): string => (path === "" ? key : `${path}.${key}`);
