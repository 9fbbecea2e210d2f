/** The door of the session engine: the log, its folds, and what recovery appends. */
export { isSafeCut, openCalls, safeCuts } from "./pairing.ts";
export { conversation } from "./projections/conversation.ts";
export { callKey, turnState } from "./projections/turn-state.ts";
export { discarded, recoveryEvents } from "./recovery.ts";
export { keptCalls } from "./settlement.ts";
export type {
  BlobStore,
  ConversationState,
  FileChange,
  FileChangeSet,
  LogVerdict,
  OpenPermission,
  OpenRequest,
  PendingCall,
  QueuedSteering,
  SessionHandle,
  SessionListing,
  SessionMeta,
  SessionState,
  SessionStore,
  TurnState,
  UsageTotals,
  VerificationState,
} from "./types.ts";
