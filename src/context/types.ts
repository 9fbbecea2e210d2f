/** What the context engine offers the kernel: the next request, whole and hashed, and the two ways to make it smaller. */
import type { JsonObject, ModelFailure, ModelRequest, ToolSchema } from "../anthropic/index.ts";
import type { SessionState } from "../session/index.ts";
import type { Payload, Result } from "../shared/index.ts";
import type { CompactionFailure, CompactionPlan } from "./compaction-plan.ts";

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

/** Why a compaction is wanted, and what the user said about it. */
export interface CompactionWish {
  readonly trigger: Payload<"context.compacted">["trigger"];
  /** In the user's words: what must not be lost. */
  readonly focus?: string;
  /** Who sums it up, in place of the configured one; `none`: nobody, the folds alone. */
  readonly route?: CompactionRoute | "none";
}

/** `aux`: the auxiliary model reads the conversation as text. `main`: the session's model, with its cache. `server`: the API itself. */
export type CompactionRoute = "aux" | "main" | "server";

/** What a request for a summary brought: its text, or the API's own block. */
export interface AskedAnswer {
  readonly text: string;
  readonly block?: JsonObject;
  readonly stopReason: string;
  /** The model that answered, as it calls itself. */
  readonly model: string;
}

export interface AskFailure extends Pick<ModelFailure, "kind" | "message"> {
  /** A limit stands against it, and nothing more may be asked. */
  readonly stop?: Payload<"task.failed">;
}

/** Sends one request outside the conversation, and records it with its usage, or its failure. Retries are the client's. */
export type Ask = (
  request: ModelRequest,
  record: Pick<Payload<"model.request-started">, "contextStats">,
  signal: AbortSignal,
) => Promise<Result<AskedAnswer, AskFailure>>;

export interface ContextEngine {
  /** The next main request: frozen tiers, every byte of the conversation from the log, cache marks. Pure over the state. */
  selectContext(state: SessionState): BuiltContext;
  /** A checkpoint to record, made at a pairing-safe cut, or why there is none. Publishes nothing but what `Ask` records. */
  compress(
    state: SessionState,
    wish: CompactionWish,
    signal: AbortSignal,
  ): Promise<Result<Payload<"context.compacted">, CompactionFailure>>;
  /** Which old results to blank, or undefined when the budget is not exceeded or nothing is old enough. Pure. */
  pruneToolResults(state: SessionState): Payload<"context.pruned"> | undefined;
  /** What a compaction would do now, before anything is asked. Pure. */
  planned(state: SessionState): Result<CompactionPlan, CompactionFailure>;
  /** Whether real usage leaves too little room for another turn, and a compaction would make some. Pure. */
  needsCompaction(state: SessionState): boolean;
}
