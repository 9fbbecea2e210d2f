/**
 * Families whose rooms do not exist yet: phases, memory, subtasks. Past facts cannot be reconstructed and the vocabulary
 * is closed, so their shapes are settled from the first log on.
 */
import { durable } from "./define.ts";
import { CAPABILITY_MASK } from "./parts.ts";

export const phaseEntered = durable(
  "phase.entered",
  {
    phase: "string",
    "from?": "string",
    by: "'user' | 'kernel' | 'model'",
    mask: CAPABILITY_MASK,
    "goal?": "string",
  },
  "A phase begins; its mask only tightens what rules allow.",
);

export const phaseArtifact = durable(
  "phase.artifact",
  {
    artifactId: "string",
    phase: "string",
    kind: "'spec' | 'plan' | 'tasks' | 'review'",
    path: "string",
    sha256: "string",
    blob: "string",
    summary: "string",
  },
  "A phase produced a document.",
);

export const phaseApproved = durable(
  "phase.approved",
  { artifactId: "string", sha256: "string", by: "string" },
  "Exactly these bytes were approved.",
);

export const phaseRejected = durable(
  "phase.rejected",
  { artifactId: "string", feedback: "string" },
  "The document was sent back, and why.",
);

export const memoryWritten = durable(
  "memory.written",
  {
    op: "'upsert' | 'delete'",
    scope: "'project' | 'user'",
    slug: "string",
    path: "string",
    sha256: "string",
    text: "string <= 4096",
    reason: "string",
    by: "'user' | 'model'",
    sourceSeqs: "number.integer[]",
  },
  "A memory entry changed; it reaches the model in the next session.",
);

export const subtaskCreated = durable(
  "subtask.created",
  {
    subtaskId: "string",
    childSessionId: "string",
    title: "string",
    prompt: "string",
    toolUseId: "string",
    model: "string",
    mask: CAPABILITY_MASK,
    budget: { "turns?": "number.integer", "tokens?": "number.integer", "usd?": "number", "ms?": "number" },
    isolation: "'shared' | 'worktree'",
    depth: "number.integer",
  },
  "A child session was started; its own log names this one.",
);

export const subtaskCompleted = durable(
  "subtask.completed",
  {
    subtaskId: "string",
    status: "'done' | 'failed' | 'cancelled' | 'budget'",
    resultText: "string",
    childLastSeq: "number.integer",
    changedFiles: "string[]",
    verifyRunIds: "string[]",
  },
  "The child ended; this is all that its parent sees of it.",
);
