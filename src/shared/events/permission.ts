/** The permission family: what needed consent, and what was answered. */
import { durable } from "./define.ts";

export const permissionRequested = durable(
  "permission.requested",
  {
    permissionRequestId: "string",
    "toolUseId?": "string",
    capability: "string",
    descriptor: "string",
    "suggestion?": { capability: "string", pattern: "string" },
    "tier?": "'rule' | 'guarded' | 'default'",
    "because?": "string",
    "mention?": "string",
  },
  "Something waits for consent; unanswered, it is still pending after a restart. `mention` is the path of a file that the user mentioned.",
);

export const permissionGranted = durable(
  "permission.granted",
  {
    permissionRequestId: "string",
    scope: "'once' | 'session' | 'always-project' | 'always-user'",
    "mode?": "'ask' | 'accept-edits' | 'plan' | 'bypass'",
    "budget?": { "turnUsd?": "number > 0 | null", "sessionUsd?": "number > 0 | null", "dayUsd?": "number > 0 | null" },
  },
  "Consent was given, this far. With `mode` or `budget` it answers no question: from here on the user wants to be asked as this mode says, and so much may be spent (null: no cap).",
);

export const permissionDenied = durable(
  "permission.denied",
  {
    permissionRequestId: "string",
    source: "'user' | 'policy' | 'hardline' | 'timeout'",
    feedback: "string",
  },
  "Consent was refused; the feedback is what the model is told.",
);
