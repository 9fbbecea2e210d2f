/** Short words for the events of a log, for tests that say: given these, then that state. */
import type { DurableInput, DurableType, LogEvent, Message, Payload } from "../../src/shared/index.ts";
import { ID, STARTED } from "./workshop.ts";

/** The events of a log from seq 1 on; `e<seq>` is the id of each. */
export const given = (...inputs: readonly (DurableInput | readonly DurableInput[])[]): LogEvent[] =>
  inputs
    .flat()
    .map((input, at) => ({ v: 1, id: `e${at + 1}`, sessionId: ID, seq: at + 1, ts: 1000 + at, ...input }) as LogEvent);

export const event = <T extends DurableType>(type: T, payload: Payload<T>): DurableInput =>
  ({ type, payload }) as DurableInput; // the type picks its payload

export const PREFIX = { systemSha256: "system", toolsSha256: "tools" };
export const begun = event("session.started", { ...STARTED, ...PREFIX });
export const resumed = (more: Partial<Payload<"session.resumed">> = {}) =>
  event("session.resumed", {
    khaelorVersion: "0",
    replayedSeq: 1,
    model: "model-a",
    toolNames: [],
    ...PREFIX,
    ...more,
  });

export const said = (text: string, more: Partial<Payload<"user.message-created">> = {}) =>
  event("user.message-created", { text, mentions: [], ...more });
export const nudge = (text = "go on") => said(text, { by: "kernel" });
export const queued = (text: string, deliver?: "now" | "next-turn") =>
  event("user.steering-queued", { text, ...(deliver && { deliver }) });
/** Of the line with this seq. */
export const injected = (seq: number, seam: "post-tool-batch" | "pre-model-call" = "post-tool-batch") =>
  event("user.steering-injected", { queuedEventId: `e${seq}`, seam, afterSeq: seq });
export const interrupted = (...pendingToolUseIds: string[]) =>
  event("user.interrupted", { scope: "turn", pendingToolUseIds });

export const asked = (requestId: string, more: Partial<Payload<"model.request-started">> = {}) =>
  event("model.request-started", {
    requestId,
    model: "model-a",
    purpose: "main",
    contextStats: { estimatedInputTokens: 1, sections: [] },
    ...more,
  });
export const text = (requestId: string, blockIndex: number, words: string, partial?: true) =>
  event("model.text-block-completed", { requestId, blockIndex, text: words, ...(partial && { partial }) });
export const thought = (requestId: string, blockIndex: number, signature: string, thinking = "") =>
  event("model.thinking-block-completed", { requestId, blockIndex, thinking, signature });
export const redacted = (requestId: string, blockIndex: number, data: string) =>
  event("model.thinking-block-completed", { requestId, blockIndex, thinking: "", signature: "", redacted: data });
export const call = (requestId: string, blockIndex: number, toolUseId: string, input: unknown = {}) =>
  event("tool.requested", { requestId, blockIndex, toolUseId, toolName: "read", input });
export const ended = (requestId: string, stopReason = "end_turn") =>
  event("model.response-completed", {
    requestId,
    stopReason,
    usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 },
    durationMs: 1,
  });
export const failed = (requestId: string, more: Partial<Payload<"model.request-failed">> = {}) =>
  event("model.request-failed", { requestId, kind: "retryable", message: "cut", retriesExhausted: false, ...more });

export const approved = (toolUseId: string) => event("tool.approved", { toolUseId, via: "rule" });
export const started = (toolUseId: string) => event("tool.started", { toolUseId, toolName: "read" });
export const done = (toolUseId: string, modelText: string) =>
  event("tool.completed", { toolUseId, modelText, durationMs: 1, ui: { kind: "read", summary: "" } });
export const broken = (toolUseId: string, modelText: string) =>
  event("tool.failed", { toolUseId, modelText, errorKind: "exec-error", durationMs: 1 });
export const cancelled = (
  toolUseId: string,
  modelText = "stopped",
  reason: Payload<"tool.cancelled">["reason"] = "interrupted",
) => event("tool.cancelled", { toolUseId, reason, modelText });
export const question = (permissionRequestId: string, toolUseId?: string, capability = "process.execute") =>
  event("permission.requested", { permissionRequestId, ...(toolUseId && { toolUseId }), capability, descriptor: "d" });
export const granted = (permissionRequestId: string) =>
  event("permission.granted", { permissionRequestId, scope: "once" });
export const denied = (permissionRequestId: string) =>
  event("permission.denied", { permissionRequestId, source: "user", feedback: "no" });

export const pruned = (placeholder: string, ...toolUseIds: string[]) =>
  event("context.pruned", { toolUseIds, placeholder, tokensReclaimedEstimate: 1 });
export const compacted = (toSeq: number, more: Partial<Payload<"context.compacted">> = {}) =>
  event("context.compacted", {
    checkpointYaml: "yaml",
    message: "checkpoint",
    cut: { fromSeq: 1, toSeq },
    trigger: "user-command",
    tokensBefore: 1,
    summaryModel: "model-b",
    ...more,
  });
export const completed = event("task.completed", {
  evidence: { objective: "", changedFiles: [], checks: [], unresolvedIssues: [] },
});
export const gaveUp = event("task.failed", { reason: "refused", detail: "" });

export const words = (...texts: readonly string[]) => texts.map((it) => ({ type: "text" as const, text: it }));
export const user = (...texts: readonly string[]): Message => ({ role: "user", content: words(...texts) });
export const assistant = (...texts: readonly string[]): Message => ({ role: "assistant", content: words(...texts) });
export const use = (id: string, input: unknown = {}) => ({ type: "tool_use" as const, id, name: "read", input });
export const result = (tool_use_id: string, content: string) => ({
  type: "tool_result" as const,
  tool_use_id,
  content,
});
export const error = (tool_use_id: string, content: string) => ({
  ...result(tool_use_id, content),
  is_error: true as const,
});
export const thinking = (signature: string, words = "") => ({ type: "thinking" as const, thinking: words, signature });

/** A whole answer of text. */
export const answered = (requestId: string, answer: string): readonly DurableInput[] => [
  asked(requestId),
  text(requestId, 0, answer),
  ended(requestId),
];
/** A whole answer of thinking and calls; no results. */
export const called = (requestId: string, ...ids: readonly string[]): readonly DurableInput[] => [
  asked(requestId),
  thought(requestId, 0, `sig-${requestId}`),
  ...ids.map((id, at) => call(requestId, at + 1, id)),
  ended(requestId, "tool_use"),
];
