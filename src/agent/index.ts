/** The door of the agent: the loop, its gate, and the engine that fronts talk to. */
export type { NextAction, TurnPolicy } from "./actions.ts";
export { type Agent, type AgentDeps, createAgent } from "./agent.ts";
export { CAP_SCOPES, type CapScope, type Caps, overCap, spentIn, unpricedIn } from "./caps.ts";
export { type ChangeWatch, createChangeWatch } from "./change-watch.ts";
export { createDeadline, type Deadline } from "./deadline.ts";
export { completionEvidence, freshResults, isVerified } from "./evidence.ts";
export { fallbackTo } from "./fallback.ts";
export { imageProblem, MAX_IMAGES } from "./image-mention.ts";
export { answerFits } from "./json-answer.ts";
export { limitPolicy, outOfTime, type RunLimits } from "./limits.ts";
export { createMentionCapture, MAX_MENTIONS } from "./mentions.ts";
export { deriveNext } from "./next-action.ts";
export { createPermissionGate, type PermissionGate } from "./permission-gate.ts";
export { createToolRuntime, type ObservedCommand, type ToolRuntime } from "./tool-runtime.ts";
export { unrecordedWrites } from "./unrecorded-writes.ts";
export { createUserShell } from "./user-shell.ts";
export { createVerificationGate, type VerificationGate } from "./verification.ts";
