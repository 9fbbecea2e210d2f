/** What the context engine offers the kernel: the next request, whole and hashed, and the two ways to make it smaller. */
import type { JsonObject, ModelRequest, ToolSchema } from "../anthropic/index.ts";
import type { SessionState } from "../session/index.ts";
import type { Payload, Result } from "../shared/index.ts";

/** The bytes that stand before every message, frozen when a session (or a new epoch) begins. */
export interface FrozenPrefix {
  /** Static tier, then the project tier when there are instructions. */
  readonly system: readonly string[];
  readonly tools: readonly ToolSchema[];
  /** Names of the blobs that hold exactly `JSON.stringify(system)` and `JSON.stringify(tools)`. */
  readonly systemSha256: string;
  readonly toolsSha256: string;
  /** Present when answers are held to a JSON schema. */
  readonly outputSchema?: FrozenSchema;
}

export interface OutputSchema {
  /** What the user asked for: answers are checked against it. */
  readonly wanted: JsonObject;
  /** What is sent: the part of it that the API can hold the model to. */
  readonly sent: JsonObject;
}

export interface FrozenSchema extends OutputSchema {
  /** Name of the blob that holds exactly `JSON.stringify({ wanted, sent })`. */
  readonly sha256: string;
}

export interface BuiltContext {
  readonly request: ModelRequest;
  /** Goes into `model.request-started` as it is. */
  readonly record: Pick<
    Payload<"model.request-started">,
    "contextStats" | "requestSha256" | "prefixSha256" | "bytes" | "messageCount"
  >;
}

export interface ContextEngine {
  /** The next main request: frozen tiers, every byte of the conversation from the log, cache marks. Pure over the state. */
  selectContext(state: SessionState): BuiltContext;
  /** A checkpoint to record, made at a pairing-safe cut, or why there is none. Publishes nothing. */
  compress(
    state: SessionState,
    trigger: Payload<"context.compacted">["trigger"],
    signal: AbortSignal,
  ): Promise<Result<Payload<"context.compacted">, { readonly message: string }>>;
  /** Which old results to blank, or undefined when the budget is not exceeded or nothing is old enough. Pure. */
  pruneToolResults(state: SessionState): Payload<"context.pruned"> | undefined;
  /** Whether real usage leaves too little room for another turn. Pure. */
  needsCompaction(state: SessionState): boolean;
}
