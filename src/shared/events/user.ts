/** The user family: what a person said, queued or stopped. */
import { durable } from "./define.ts";
import { ATTACHMENTS, CAPTURED_CONTEXT, MENTIONS } from "./parts.ts";

export const userMessageCreated = durable(
  "user.message-created",
  {
    text: "string",
    mentions: MENTIONS,
    "context?": CAPTURED_CONTEXT,
    "by?": "'user' | 'kernel'",
    "answerRepair?": "true",
    "attachments?": ATTACHMENTS,
    "shell?": { command: "string", exitCode: "number.integer | null", output: "string", "spillFile?": "string" },
  },
  "A message enters history verbatim. `by: kernel` marks a nudge or continuation, which begins no new turn; `answerRepair` one that asks for the answer again, in the form that was asked for.",
);

export const steeringQueued = durable(
  "user.steering-queued",
  {
    text: "string",
    "deliver?": "'now' | 'next-turn'",
    "context?": CAPTURED_CONTEXT,
    "mentions?": MENTIONS,
    "attachments?": ATTACHMENTS,
  },
  "An instruction typed while a turn runs waits for the next seam.",
);

export const steeringInjected = durable(
  "user.steering-injected",
  { queuedEventId: "string", seam: "'post-tool-batch' | 'pre-model-call' | 'withdrawn'", afterSeq: "number.integer" },
  "A queued instruction entered history at this point; `withdrawn`: the user took it back, and it never does.",
);

export const userInterrupted = durable(
  "user.interrupted",
  { scope: "'turn'", pendingToolUseIds: "string[]" },
  "The user stopped the turn; the named calls are closed by cancellations that follow.",
);
