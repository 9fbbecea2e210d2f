/** The model family: what was asked, what settled, what it cost, and the deltas shown on the way. */
import { durable, ephemeral } from "./define.ts";
import { MODEL_USAGE } from "./parts.ts";

export const requestStarted = durable(
  "model.request-started",
  {
    requestId: "string",
    model: "string",
    purpose: "'main' | 'compaction' | 'verification-nudge'",
    contextStats: {
      estimatedInputTokens: "number",
      sections: [{ name: "string", estimatedTokens: "number" }, "[]"],
    },
    "requestSha256?": "string",
    "prefixSha256?": "string",
    "bytes?": "number.integer",
    "messageCount?": "number.integer",
    "attempt?": "number.integer >= 1",
  },
  "A request goes out. The hashes let anyone check later that a rebuild gives the bytes that were sent.",
);

export const textBlockCompleted = durable(
  "model.text-block-completed",
  { requestId: "string", blockIndex: "number.integer", text: "string", "partial?": "true" },
  "A text block settled, byte for byte. `partial` marks text kept from an interrupted stream.",
);

export const thinkingBlockCompleted = durable(
  "model.thinking-block-completed",
  {
    requestId: "string",
    blockIndex: "number.integer",
    thinking: "string",
    signature: "string",
    "redacted?": "string",
  },
  "A thinking block settled with its signature; `redacted` holds the opaque data of a redacted one.",
);

export const responseCompleted = durable(
  "model.response-completed",
  {
    requestId: "string",
    stopReason: "string",
    usage: MODEL_USAGE,
    durationMs: "number",
    "messageId?": "string",
    "resolvedModel?": "string",
    "stopDetails?": "unknown",
    "cacheMissReason?": "string",
  },
  "The response ended properly. Its blocks now belong to the conversation, its usage to the account.",
);

export const requestFailed = durable(
  "model.request-failed",
  {
    requestId: "string",
    kind: "'retryable' | 'context-overflow' | 'auth' | 'invalid-request' | 'cancelled'",
    message: "string",
    "status?": "number.integer",
    retriesExhausted: "boolean",
    "retryAfterMs?": "number",
    "serverRequestId?": "string",
    "attempts?": "number.integer",
    "errorType?": "string",
    "rateLimited?": "true",
    "limitReached?": "true",
    "usage?": MODEL_USAGE,
  },
  "The request failed and its blocks are dead. `usage` is what a cut stream had reported: at least that was spent. `rateLimited`: only more time than the retries may take would help. `limitReached`: the account's own limit, for every model.",
);

export const textDelta = ephemeral(
  "model.text-delta",
  { requestId: "string", blockIndex: "number.integer", text: "string" },
  "Text while it streams.",
);

export const thinkingDelta = ephemeral(
  "model.thinking-delta",
  { requestId: "string", blockIndex: "number.integer", text: "string" },
  "Thinking while it streams.",
);

export const toolCallStarted = ephemeral(
  "model.tool-call-started",
  { requestId: "string", blockIndex: "number.integer", toolUseId: "string", toolName: "string" },
  "The model began to write a call.",
);

export const toolInputDelta = ephemeral(
  "model.tool-input-delta",
  { requestId: "string", blockIndex: "number.integer", toolUseId: "string", partialJson: "string" },
  "A call's input while it streams.",
);
