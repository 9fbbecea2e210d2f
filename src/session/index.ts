/** The door of the session engine: the log, its folds, and what recovery appends. */
export { isLoopOpen, isSafeCut, isSettled, openCalls, safeCuts } from "./pairing.ts";
export { conversation } from "./projections/conversation.ts";
export { fileChangeSet } from "./projections/file-change-set.ts";
export { metaOf, sessionMeta } from "./projections/session-meta.ts";
export { callKey, turnState } from "./projections/turn-state.ts";
export { type Price, usageTotals } from "./projections/usage-totals.ts";
export { closingEvents, discarded, recoveryEvents } from "./recovery.ts";
export { keptCalls } from "./settlement.ts";
export { projectHash, type StorePaths, storePaths } from "./store/paths.ts";
export { searchLog } from "./store/search.ts";
export { createSessionStore, type StoreParts } from "./store/store.ts";
export type {
  Forked,
  ForkOptions,
  LogLine,
  LogVerdict,
  Match,
  ReadingOptions,
  SearchOptions,
  SessionListing,
} from "./store-types.ts";
export type {
  BlobStore,
  ConversationState,
  FileChange,
  FileChangeSet,
  OpenPermission,
  OpenRequest,
  PendingCall,
  QueuedSteering,
  SessionHandle,
  SessionMeta,
  SessionState,
  SessionStore,
  TurnState,
  UsageTotals,
  VerificationState,
} from "./types.ts";
