/** Payload pieces that more than one event shares. Plain data, like the events themselves. */

export const DIFF_STATS = { added: "number.integer", removed: "number.integer" } as const;

export const CHECK_RESULT = {
  command: "string",
  exitCode: "number.integer",
  summary: "string",
  durationMs: "number",
} as const;

/** Token counts exactly as the API reported them. `inputTokens` are those behind the last cache mark only. */
export const MODEL_USAGE = {
  inputTokens: "number.integer",
  outputTokens: "number.integer",
  cacheReadTokens: "number.integer",
  cacheWriteTokens: "number.integer",
  "cacheWrite5m?": "number.integer",
  "cacheWrite1h?": "number.integer",
  "thinkingTokens?": "number.integer",
} as const;

export const MENTIONS = [
  {
    path: "string",
    "range?": { start: "number.integer", end: "number.integer" },
    "sha256?": "string",
    "notGiven?": "string",
  },
  "[]",
] as const;

export const ATTACHMENTS = [
  { sha256: "string", mediaType: "string", bytes: "number.integer", name: "string" },
  "[]",
] as const;

/** Volatile context, captured once and sent verbatim for ever: each entry is one text block of the user message. */
export const CAPTURED_CONTEXT = [{ name: "string", text: "string" }, "[]"] as const;

export const CAPABILITY_MASK = { "[string]": "'allow' | 'ask' | 'deny'" } as const;
