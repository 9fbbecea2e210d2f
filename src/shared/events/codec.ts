/**
 * One event, one line. Writing gives the same value the same bytes: envelope keys in a fixed order, payload keys in the
 * order of the definition. Reading is one path: parse, envelope, upcast, validate, known or opaque.
 */
import type { Result } from "../result.ts";
import { err, ok } from "../result.ts";
import { readable } from "../schema.ts";
import { wellFormed } from "../text.ts";
import { type DurableDefinition, type DurableEvent, durableDefinition, type LogEvent } from "./catalog.ts";

/** The largest line the log accepts, in bytes. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

export interface DecodeError {
  /** `newer` means that a later KHAELOR wrote it: the log is healthy, this build is not enough. */
  readonly kind: "json" | "envelope" | "payload" | "newer";
  readonly message: string;
}

interface Envelope {
  readonly v: number;
  readonly id: string;
  readonly sessionId: string;
  readonly seq: number;
  readonly ts: number;
  readonly type: string;
  readonly payload: object;
  readonly critical?: true;
}

/**
 * The payload as it will be read back: keys in definition order, then unknown ones as they came, `undefined` dropped,
 * lone surrogates replaced. What an `unknown` definition covers (a tool's input) keeps its own key order.
 */
export function canonical(value: unknown, definition: unknown): unknown {
  if (typeof value === "string") return wellFormed(value);
  if (Array.isArray(value)) {
    const item = Array.isArray(definition) && definition[1] === "[]" ? definition[0] : undefined;
    return value.map((entry) => canonical(entry, item));
  }
  if (value === null || typeof value !== "object") return value;
  const source = value as Readonly<Record<string, unknown>>;
  const isShape = typeof definition === "object" && definition !== null && !Array.isArray(definition);
  const declared = isShape ? declaredKeys(definition) : NONE;
  const made: Record<string, unknown> = {};
  for (const [key, inner] of declared) if (Object.hasOwn(source, key)) put(made, key, canonical(source[key], inner));
  for (const key of Object.keys(source)) {
    if (!declared.has(key)) put(made, wellFormed(key), canonical(source[key], undefined));
  }
  return made;
}

function put(made: Record<string, unknown>, key: string, value: unknown): void {
  if (value === undefined) return;
  if (key !== "__proto__") made[key] = value;
  else Object.defineProperty(made, key, { value, enumerable: true, configurable: true, writable: true }); // a key like any other
}

const NONE: ReadonlyMap<string, unknown> = new Map();
const DECLARED = new WeakMap<object, ReadonlyMap<string, unknown>>();

/** Definitions are constants: what each declares is read off once. */
function declaredKeys(definition: object): ReadonlyMap<string, unknown> {
  const found = DECLARED.get(definition);
  if (found) return found;
  const declared = new Map(Object.entries(definition).map(([key, inner]) => [key.replace(/\?$/, ""), inner]));
  DECLARED.set(definition, declared);
  return declared;
}

/** The line of an event whose payload is already canonical, without its newline. */
export function encode(event: DurableEvent): string {
  const { v, id, sessionId, seq, ts, type, payload } = event;
  return JSON.stringify({ v, id, sessionId, seq, ts, type, payload });
}

/** Reads one line, given without its newline. Never throws. */
export function decode(line: string): Result<LogEvent, DecodeError> {
  const parsed = parseJson(line);
  if (!parsed.ok) return parsed;
  const problem = envelopeProblem(parsed.value);
  if (problem) return err({ kind: "envelope", message: problem });
  const envelope = parsed.value as Envelope;
  const definition = durableDefinition(envelope.type);
  if (!definition) return opaque(envelope);
  if (envelope.v > definition.v) {
    return err({
      kind: "newer",
      message: `${envelope.type} is version ${envelope.v}; this build knows ${definition.v}`,
    });
  }
  return known(envelope, definition);
}

function parseJson(line: string): Result<unknown, DecodeError> {
  try {
    const value: unknown = JSON.parse(line);
    // An escaped surrogate is the only way a lone one can stand in a line; older builds may have written some.
    const isEscaped = line.includes("\\u") && /\\ud[89a-f]/i.test(line);
    return ok(isEscaped ? canonical(value, undefined) : value);
  } catch (cause) {
    return err({ kind: "json", message: cause instanceof Error ? cause.message : String(cause) });
  }
}

function envelopeProblem(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "not an object";
  const { v, id, sessionId, seq, ts, type, payload } = value as Readonly<Record<string, unknown>>;
  if (!Number.isInteger(v) || (v as number) < 1) return "v must be a positive integer";
  if (typeof id !== "string" || id === "") return "id must be a non-empty string";
  if (typeof sessionId !== "string" || sessionId === "") return "sessionId must be a non-empty string";
  if (!Number.isInteger(seq) || (seq as number) < 1) return "seq must be a positive integer";
  if (typeof ts !== "number") return "ts must be a number";
  if (typeof type !== "string" || type === "") return "type must be a non-empty string";
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) return "payload must be an object";
  return undefined;
}

function opaque(envelope: Envelope): Result<LogEvent, DecodeError> {
  if (envelope.critical === true) {
    return err({ kind: "newer", message: `${envelope.type} is marked critical and unknown to this build` });
  }
  const { v, id, sessionId, seq, ts, type, payload } = envelope;
  return ok({ v, id, sessionId, seq, ts, type, payload, opaque: true });
}

function known(envelope: Envelope, definition: DurableDefinition): Result<LogEvent, DecodeError> {
  let payload: unknown = envelope.payload;
  for (let version = envelope.v; version < definition.v; version++) {
    const step = definition.upcast[version];
    if (!step) return err({ kind: "payload", message: `${envelope.type}: no step from version ${version}` });
    payload = step(payload);
  }
  if (!readable(definition.payload, payload)) {
    return err({ kind: "payload", message: `the payload is not one of ${envelope.type}` });
  }
  const { id, sessionId, seq, ts } = envelope;
  // The definition vouches for the payload: this is the one place where text becomes a typed event.
  return ok({ v: definition.v, id, sessionId, seq, ts, type: definition.type, payload } as DurableEvent);
}
