/** The door of the session engine: the log, its folds, and what recovery appends. */
export { namedFolds } from "./folds.ts";
export type {
  Bill,
  BreakKind,
  CacheLedger,
  LedgerEntry,
  LedgerTotals,
  MissBill,
  MissReason,
  NamedBreak,
} from "./ledger-types.ts";
export { isAtTurnStart, isLoopOpen, isSafeCut, openCalls, safeCuts } from "./pairing.ts";
export {
  ACTIVITY_TYPES,
  type Activity,
  activity,
  activityOf,
  addActivity,
  forgotten,
  noActivity,
} from "./projections/activity.ts";
export { cacheLedger } from "./projections/cache-ledger.ts";
export { conversation } from "./projections/conversation.ts";
export { fileChangeSet } from "./projections/file-change-set.ts";
export { prefixBreaks } from "./projections/prefix-breaks.ts";
export { processTable } from "./projections/processes.ts";
export { metaOf, sessionMeta } from "./projections/session-meta.ts";
export { isSameCall, turnState } from "./projections/turn-state.ts";
export { type Price, SLOT_MS, spentSince, usageTotals } from "./projections/usage-totals.ts";
export { conversationImages } from "./projections/user-blocks.ts";
export { closingEvents, discarded, lostProcesses, recoveryEvents } from "./recovery.ts";
export { keptCalls } from "./settlement.ts";
export { type Disk, systemDisk } from "./store/disk.ts";
export { lastWritten } from "./store/listing.ts";
export { projectHash, type StorePaths, storePaths, throwawayFolder } from "./store/paths.ts";
export { isHeld, planRemoval, removeFiles, removeUnnamed } from "./store/removal.ts";
export { searchLog } from "./store/search.ts";
export { createSessionStore, type StoreParts } from "./store/store.ts";
export { eventsOfTypes } from "./store/typed-events.ts";
export { firstToTell, isOnlyNewer } from "./store/verdict.ts";
export type {
  Forked,
  ForkOptions,
  LogLine,
  LogProblem,
  LogVerdict,
  Match,
  ReadingOptions,
  Removable,
  RemovalPlan,
  RemovalWish,
  SearchOptions,
  SessionGlance,
  SessionListing,
  SessionStore,
} from "./store-types.ts";
export type {
  BlobStore,
  ConversationState,
  EndedCall,
  FileChange,
  FileChangeSet,
  OpenPermission,
  OpenRequest,
  PendingCall,
  ProcessTable,
  QueuedSteering,
  SessionHandle,
  SessionMeta,
  SessionState,
  TurnState,
  UsageTotals,
  VerificationState,
} from "./types.ts";
