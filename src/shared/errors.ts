/** The few exceptions: broken invariants, and failures that end a run with a message and an exit code. */

/** Throws when a rule that the program relies on does not hold; `why` says why it must. */
export function invariant(condition: unknown, why: string): asserts condition {
  if (!condition) throw new Error(`internal error: ${why}`);
}

/** For the tail of a switch over a closed union. */
export function unreachable(value: never): never {
  throw new Error(`internal error: unexpected ${JSON.stringify(value)}`);
}

/** What the shell is told. The numbers are a contract with scripts (docs/GUIDE.md). */
export const EXIT = {
  done: 0,
  internal: 1,
  usage: 2,
  auth: 3,
  permission: 4,
  awaitingApproval: 5,
  notVerified: 6,
  limit: 7,
  model: 8,
  irreducible: 9,
  log: 10,
  rateLimited: 75,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A failure that a person can act on: what happened, to what, and what to do next. Ends the run with `exitCode`. */
export class UserError extends Error {
  readonly exitCode: ExitCode;
  constructor(message: string, exitCode: ExitCode, options?: ErrorOptions) {
    super(message, options);
    this.name = "UserError";
    this.exitCode = exitCode;
  }
}

/** Who has a log open, and why that may not be so; in words. */
interface Held {
  readonly by: string;
  readonly doubt?: string;
}

/** The log could not be written, read or locked. `kind` says which; nothing was published. */
export class StoreError extends Error {
  readonly kind: "full" | "read-only" | "locked" | "damaged" | "not-found" | "changed-outside" | "too-large" | "io";
  /** Of `locked`. */
  readonly held?: Held;
  constructor(kind: StoreError["kind"], message: string, options?: ErrorOptions & { readonly held?: Held }) {
    super(message, options);
    this.name = "StoreError";
    this.kind = kind;
    if (options?.held) this.held = options.held;
  }
}

/** The same error with what led to it. */
export function withCause<E extends Error>(error: E, cause: unknown): E {
  error.cause = cause;
  return error;
}

/** The `code` of a system error such as ENOENT, or undefined. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Whatever was thrown, as an Error: the same one where it is one. */
export const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
