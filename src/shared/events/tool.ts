/** The tool family: a call from request to result. Every requested call ends in exactly one of the last three. */
import { durable, ephemeral } from "./define.ts";
import { ATTACHMENTS, DIFF_STATS } from "./parts.ts";

export const toolRequested = durable(
  "tool.requested",
  {
    requestId: "string",
    blockIndex: "number.integer",
    toolUseId: "string",
    toolName: "string",
    input: "unknown",
    "caller?": "unknown",
    "toolsetName?": "string",
  },
  "The model asked for a call. `input` keeps the key order in which it arrived, for the signed turn is bound to it.",
);

export const toolApproved = durable(
  "tool.approved",
  { toolUseId: "string", via: "'policy-allow' | 'user-once' | 'user-always' | 'rule'" },
  "The call may run.",
);

export const toolStarted = durable(
  "tool.started",
  { toolUseId: "string", toolName: "string", "picture?": "string" },
  "The call began to act: from here on its effects may exist. `picture` names the blob that tells what the project was before it.",
);

export const toolCompleted = durable(
  "tool.completed",
  {
    toolUseId: "string",
    modelText: "string",
    "spillFile?": "string",
    durationMs: "number",
    ui: {
      kind: "'read' | 'search' | 'edit' | 'exec' | 'process'",
      summary: "string",
      "diffStats?": DIFF_STATS,
      "exitCode?": "number.integer",
      "matchCount?": "number.integer",
    },
    "attachments?": ATTACHMENTS,
  },
  "The result the model saw, byte for byte, and the facts a screen may show about it.",
);

export const toolFailed = durable(
  "tool.failed",
  {
    toolUseId: "string",
    modelText: "string",
    errorKind:
      "'invalid-input' | 'not-found' | 'ambiguous-edit' | 'exec-error' | 'timeout' | 'permission-denied' | 'internal'",
    durationMs: "number",
  },
  "The error result the model saw.",
);

export const toolCancelled = durable(
  "tool.cancelled",
  {
    toolUseId: "string",
    reason: "'interrupted' | 'resume-recovery' | 'shutdown' | 'discarded' | 'budget'",
    modelText: "string",
  },
  "A synthetic result that keeps the pair whole. `discarded` closes a call whose response never ended.",
);

export const toolOutput = ephemeral(
  "tool.output",
  { toolUseId: "string", chunk: "string" },
  "Live output of a running tool, control sequences removed.",
);
