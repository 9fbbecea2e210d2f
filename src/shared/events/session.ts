/** The session family: where a log begins, continues, and what it stands on. */
import { durable } from "./define.ts";

export const sessionStarted = durable(
  "session.started",
  {
    title: "string",
    projectHash: "string",
    workingDirectory: "string",
    gitBranch: "string | null",
    model: "string",
    auxModel: "string",
    khaelorVersion: "string",
    "systemSha256?": "string",
    "toolsSha256?": "string",
    "outputSchemaSha256?": "string",
    "toolNames?": "string[]",
    "effort?": "string",
    "thinking?": "string",
    "maxOutputTokens?": "number.integer",
    "permissionMode?": "'ask' | 'accept-edits' | 'plan' | 'bypass'",
    "parent?": { sessionId: "string", seq: "number.integer", kind: "'replay' | 'subtask'" },
    "origin?": { job: "string", run: "string", scheduledFor: "number" },
  },
  "A session begins. Its system tiers and tool schemas, and the JSON schema of its answers if they have one, are frozen in blobs named by the hashes. `toolNames`: the user chose these tools; without it the session has all.",
);

export const sessionResumed = durable(
  "session.resumed",
  {
    khaelorVersion: "string",
    replayedSeq: "number.integer",
    model: "string",
    toolNames: "string[]",
    "systemSha256?": "string",
    "toolsSha256?": "string",
    "outputSchemaSha256?": "string | null",
    "permissionMode?": "'ask' | 'accept-edits' | 'plan' | 'bypass'",
    "fork?": { sessionId: "string", seq: "number.integer", kind: "'fork' | 'rewind'" },
    "tornBytes?": "number.integer",
  },
  "The log was opened again for writing. Hashes that differ from the earlier ones begin a new epoch; `null` for the schema takes it away. " +
    "`tornBytes`: so many at its end were no whole line; they lie in `<id>.jsonl.torn`.",
);

export const sessionRenamed = durable("session.renamed", { title: "string" }, "The user gave the session a title.");

export const modelChanged = durable(
  "session.model-changed",
  {
    from: "string",
    to: "string",
    reason: "'user' | 'config' | 'fallback'",
    "effort?": "string",
    "thinking?": "string",
  },
  "Later requests go to another model: a new cache lineage. `fallback`: the model before it did not answer. The effort `auto` " +
    "takes back the level that was set.",
);

export const baselineRecorded = durable(
  "git.baseline-recorded",
  {
    when: "'session-start' | 'pre-first-edit'",
    baseline: {
      branch: "string",
      dirtyFiles: "string[]",
      untrackedFiles: "string[]",
      diffHash: "string",
      "head?": "string",
      "root?": "string",
    },
  },
  "What the repository looked like before KHAELOR changed it.",
);
