/** The one boundary to a model: a request goes in, typed events come out, errors are classified. Nothing here knows the SDK. */
import type { Message, ModelErrorKind, ModelUsage } from "../shared/index.ts";

export interface ModelClient {
  /**
   * Streams one answer. Retries belong to the client: a failed attempt that will be repeated yields `attempt-failed`, then,
   * after the wait, `started` again. A response counts only when it ended properly, and then yields `finished` last.
   * Throws ModelError when the attempts are used up or repeating is useless, and `cancelled` when the signal aborts.
   * The request goes out only after the caller has taken `started` and asks for the next event.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

export interface ModelRequest {
  readonly model: string;
  /** The frozen tiers, in order; each becomes one text block. A mark stands at the end of each of the (at most two). */
  readonly system: readonly string[];
  readonly tools: readonly ToolSchema[];
  readonly messages: readonly Message[];
  /** Where in `messages` the cache marks go: the previous request's tail and the newest tail. At most two. */
  readonly marks: readonly BlockPosition[];
  readonly maxOutputTokens: number;
  readonly thinking: ThinkingChoice;
  readonly effort?: string;
  /** The JSON schema that the answer has to fit, as the API takes it. A change of it breaks cache and signatures. */
  readonly outputSchema?: JsonObject;
  /** The previous response's id, for the server's own cache diagnosis. */
  readonly previousMessageId?: string;
  /**
   * Asks the API to sum up `messages` in place of an answer: the stream brings one `compaction` block and the stop reason
   * `compaction`. `instructions` take the place of the server's own prompt; blank ones are as none. Only for models with
   * `serverCompaction`. This, and a message that begins with such a block, is what the beta header is sent with.
   */
  readonly compaction?: { readonly instructions?: string };
}

export type JsonObject = Readonly<Record<string, unknown>>;

export interface BlockPosition {
  readonly message: number;
  readonly block: number;
}

/** As the Messages API takes it. The bytes of these objects, key order included, are part of the cached prefix. */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  readonly input_schema: Readonly<Record<string, unknown>>;
}

/** `adaptive` is sent with summarized display; `off` is sent as the model allows it. */
export type ThinkingChoice = "adaptive" | "off";

export type ModelEvent =
  | { readonly type: "started"; readonly attempt: number }
  | { readonly type: "text-delta"; readonly blockIndex: number; readonly text: string }
  | { readonly type: "thinking-delta"; readonly blockIndex: number; readonly text: string }
  | {
      readonly type: "tool-call-started";
      readonly blockIndex: number;
      readonly toolUseId: string;
      readonly toolName: string;
    }
  | {
      readonly type: "tool-input-delta";
      readonly blockIndex: number;
      readonly toolUseId: string;
      readonly partialJson: string;
    }
  | { readonly type: "block-completed"; readonly blockIndex: number; readonly block: CompletedBlock }
  | {
      readonly type: "finished";
      readonly stopReason: string;
      readonly stopDetails?: unknown;
      readonly usage: ModelUsage;
      readonly messageId?: string;
      readonly resolvedModel?: string;
      readonly cacheMissReason?: string;
      readonly durationMs: number;
    }
  | { readonly type: "attempt-failed"; readonly failure: ModelFailure; readonly retryAfterMs: number };

export type CompletedBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "redacted_thinking"; readonly data: string }
  /**
   * Input that was no JSON object, or nested beyond all sense, arrives as `{"INVALID_JSON": "<text>"}`, and input that no line
   * of a log can hold as `{"INPUT_TOO_LARGE": "<n> bytes"}`; the tool runtime answers both with an error.
   */
  | {
      readonly type: "tool_use";
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
      /** Who made the call, and the toolset it belongs to: sent back as they came. */
      readonly caller?: unknown;
      readonly toolsetName?: string;
    }
  /**
   * A summary that the server made, with every field as it came, to be sent back first and unchanged. `content` is the text, or
   * null where the server failed: then the block says nothing.
   */
  | { readonly type: "compaction"; readonly block: JsonObject };

export interface ModelFailure {
  readonly kind: ModelErrorKind;
  /** Names what happened and what to do next; holds no header and no key. */
  readonly message: string;
  readonly status?: number;
  readonly errorType?: string;
  readonly serverRequestId?: string;
  readonly attempts: number;
  /** What a stream that was cut had reported until then. */
  readonly usage?: ModelUsage;
  /** The server asked for a wait longer than the client's budget: the run ends with exit code 75. */
  readonly rateLimited?: true;
  /** The account's own limit is reached: another model would not answer either. */
  readonly limitReached?: true;
}

export class ModelError extends Error {
  readonly failure: ModelFailure;
  constructor(failure: ModelFailure, options?: ErrorOptions) {
    super(failure.message, options);
    this.name = "ModelError";
    this.failure = failure;
  }
}

/** What is known of a model; unknown models get conservative values and no price. */
export interface ModelFacts {
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  readonly thinking: readonly ("adaptive" | "between_tools" | "disabled" | "enabled")[];
  readonly efforts: readonly string[];
  /** A shorter prefix is silently not cached. */
  readonly cacheMinimumTokens?: number;
  /** The model takes `ModelRequest.compaction`. */
  readonly serverCompaction?: true;
  readonly price?: ModelPrice;
}

/** A model as the API lists it. What the API does not say is absent. */
export interface ListedModel
  extends Partial<Pick<ModelFacts, "contextWindow" | "maxOutputTokens" | "thinking" | "efforts">> {
  readonly id: string;
  readonly displayName?: string;
  /** `active`, `deprecated`, or what a later API says. */
  readonly lifecycle?: string;
}

/** US dollars per million tokens; the last tier whose `abovePromptTokens` the prompt exceeds applies to the whole request. */
export interface ModelPrice {
  readonly tiers: readonly {
    readonly abovePromptTokens: number;
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    readonly cacheWrite5m: number;
    readonly cacheWrite1h: number;
  }[];
}
