/** Requests and what they used, in few words: for tests of the folds that count. Each event is a millisecond behind the one before. */
import type { DurableInput, DurableType, LogEvent, ModelUsage, Payload } from "../../src/shared/index.ts";
import { ID } from "./workshop.ts";

export const given = (...inputs: readonly DurableInput[]): LogEvent[] =>
  inputs.map((input, at) => ({ v: 1, id: `e${at}`, sessionId: ID, seq: at + 1, ts: 1000 + at, ...input }) as LogEvent);
export const event = <T extends DurableType>(type: T, payload: Payload<T>) => ({ type, payload }) as DurableInput;

export const used = (inputTokens: number, outputTokens = 1): ModelUsage => ({
  inputTokens,
  outputTokens,
  cacheReadTokens: 2,
  cacheWriteTokens: 3,
});
export const asked = (requestId: string, model: string, purpose: "main" | "compaction" = "main") =>
  event("model.request-started", {
    requestId,
    model,
    purpose,
    contextStats: { estimatedInputTokens: 1, sections: [] },
  });
export const answered = (requestId: string, usage: ModelUsage, resolvedModel?: string) =>
  event("model.response-completed", {
    requestId,
    stopReason: "end_turn",
    usage,
    durationMs: 1,
    ...(resolvedModel && { resolvedModel }),
  });
