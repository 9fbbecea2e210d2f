/**
 * The closed vocabulary: 40 durable and 6 ephemeral events. Types, codec, validation, JSON Schemas, documentation and
 * test data are all derived from this table; nothing may describe an event a second time.
 */
import * as context from "./context.ts";
import type { PayloadOf } from "./define.ts";
import * as file from "./file.ts";
import * as later from "./later.ts";
import * as model from "./model.ts";
import type { CHECK_RESULT, DIFF_STATS, MODEL_USAGE } from "./parts.ts";
import * as permission from "./permission.ts";
import * as processes from "./process.ts";
import * as session from "./session.ts";
import * as task from "./task.ts";
import * as tool from "./tool.ts";
import * as user from "./user.ts";

const FAMILIES = {
  ...session,
  ...user,
  ...model,
  ...permission,
  ...tool,
  ...file,
  ...processes,
  ...context,
  ...task,
  ...later,
} as const;

export type Definition = (typeof FAMILIES)[keyof typeof FAMILIES];
export type DurableDefinition = Extract<Definition, { readonly durable: true }>;
export type EphemeralDefinition = Extract<Definition, { readonly durable: false }>;

/** Every definition, in the order of the families. */
export const CATALOG: readonly Definition[] = Object.values(FAMILIES);

const byType: ReadonlyMap<string, Definition> = new Map(CATALOG.map((definition) => [definition.type, definition]));

/** The definition of a durable event type, or nothing when this build does not know the type. */
export function durableDefinition(type: string): DurableDefinition | undefined {
  const found = byType.get(type);
  return found?.durable ? found : undefined;
}

export type DurableType = DurableDefinition["type"];
export type EphemeralType = EphemeralDefinition["type"];
export type EventType = DurableType | EphemeralType;

/** Resolved once per type: looked up by name, so that generic code stays cheap for the compiler. */
type Payloads = { readonly [D in Definition as D["type"]]: PayloadOf<D> };
export type Payload<T extends EventType> = Payloads[T];

/** What a producer hands over; the envelope is assigned when the line is written. */
type DurableInputs = { readonly [T in DurableType]: { readonly type: T; readonly payload: Payload<T> } };
export type DurableInput<T extends DurableType = DurableType> = DurableInputs[T];

/** One line of the log. `seq` is gapless from 1, `ts` is epoch milliseconds, `v` the version of this type's payload. */
interface Envelope<T extends DurableType> {
  readonly v: number;
  readonly id: string;
  readonly sessionId: string;
  readonly seq: number;
  readonly ts: number;
  readonly type: T;
  readonly payload: Payload<T>;
}
type DurableEvents = { readonly [T in DurableType]: Envelope<T> };
export type DurableEvent<T extends DurableType = DurableType> = DurableEvents[T];

/** A line whose type this build does not know: kept, shown, and skipped by every fold. */
export interface OpaqueEvent {
  readonly v: number;
  readonly id: string;
  readonly sessionId: string;
  readonly seq: number;
  readonly ts: number;
  readonly type: string;
  readonly payload: unknown;
  readonly opaque: true;
}

/** What reading a log yields. */
export type LogEvent = DurableEvent | OpaqueEvent;

type EphemeralInputs = { readonly [T in EphemeralType]: { readonly type: T; readonly payload: Payload<T> } };
export type EphemeralInput<T extends EphemeralType = EphemeralType> = EphemeralInputs[T];

interface Passing<T extends EphemeralType> {
  readonly id: string;
  readonly sessionId: string;
  readonly ts: number;
  readonly type: T;
  readonly payload: Payload<T>;
}
type EphemeralEvents = { readonly [T in EphemeralType]: Passing<T> };
export type EphemeralEvent<T extends EphemeralType = EphemeralType> = EphemeralEvents[T];

export type KhaelorEvent = DurableEvent | EphemeralEvent;
export type EventOf<T extends EventType> = (DurableEvents & EphemeralEvents)[T];

export type ModelUsage = PayloadOf<{ payload: typeof MODEL_USAGE }>;
export const NO_USAGE: ModelUsage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
export type CheckResult = PayloadOf<{ payload: typeof CHECK_RESULT }>;
export type DiffStats = PayloadOf<{ payload: typeof DIFF_STATS }>;
export type CompletionEvidence = Payload<"task.completed">["evidence"];
export type GitBaseline = Payload<"git.baseline-recorded">["baseline"];
export type ModelErrorKind = Payload<"model.request-failed">["kind"];
export type ToolErrorKind = Payload<"tool.failed">["errorKind"];
export type PermissionMode = NonNullable<Payload<"session.started">["permissionMode"]>;
