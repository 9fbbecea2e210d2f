/** The task family: how a turn ends, and what proves it. */
import { durable } from "./define.ts";
import { CHECK_RESULT } from "./parts.ts";

export const verificationRequested = durable(
  "task.verification-requested",
  { attempt: "1 | 2", detectedChecks: "string[]", withheldCandidateSeq: "number.integer" },
  "Files changed and nothing proves them: the answer is withheld while a check is run.",
);

export const taskCompleted = durable(
  "task.completed",
  {
    evidence: {
      objective: "string",
      changedFiles: "string[]",
      checks: [CHECK_RESULT, "[]"],
      unresolvedIssues: "string[]",
    },
  },
  "The turn ended with an answer; `checks` holds only results that were recorded.",
);

export const taskFailed = durable(
  "task.failed",
  {
    reason:
      "'model-fatal-error' | 'iteration-budget-exhausted' | 'user-abandoned' | 'refused' | 'irreducible' | 'budget'",
    detail: "string",
  },
  "The turn ended without an answer, and why.",
);

export const verifyResult = durable(
  "verify.result",
  {
    runId: "string",
    trigger: "'gate' | 'user' | 'phase' | 'subtask' | 'daemon'",
    command: "string",
    cwd: "string",
    exitCode: "number.integer",
    durationMs: "number",
    summary: "string",
    "spillFile?": "string",
    coversSeq: "number.integer",
    treeHash: "string",
    observedFrom: "'khaelor' | 'tool'",
    "toolUseId?": "string",
  },
  "A check ran with this exit code over the state that `coversSeq` and `treeHash` describe.",
);
