/** The door of the session engine: the log, its folds, and what recovery appends. */
export type {
  BlobStore,
  ConversationState,
  FileChange,
  FileChangeSet,
  LogVerdict,
  OpenPermission,
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
