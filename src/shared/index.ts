/** The door of the language that every room speaks: events, folds, commands, and small pure tools. Imports no room. */
export { createBus, type EventBus, type Unsubscribe } from "./bus.ts";
export { type Clock, sleep, steadyNow, systemClock } from "./clock.ts";
export { COMMAND_FIELDS, type KernelCommand, type Mention, type PermissionDecision } from "./commands.ts";
export {
  type AssistantBlock,
  type Block,
  type CompactionBlock,
  type ImageBlock,
  isBlank,
  isThinking,
  type Message,
  type RedactedThinkingBlock,
  type TextBlock,
  type ThinkingBlock,
  type ToolResultBlock,
  type ToolUseBlock,
  type UserBlock,
} from "./conversation.ts";
export {
  asError,
  EXIT,
  type ExitCode,
  errorCode,
  errorMessage,
  invariant,
  StoreError,
  UserError,
  unreachable,
  withCause,
} from "./errors.ts";
export {
  CATALOG,
  type CheckResult,
  type CompletionEvidence,
  type Definition,
  type DiffStats,
  type DurableDefinition,
  type DurableEvent,
  type DurableInput,
  type DurableType,
  durableDefinition,
  type EphemeralEvent,
  type EphemeralInput,
  type EphemeralType,
  type EventOf,
  type EventType,
  type GitBaseline,
  type KhaelorEvent,
  type LogEvent,
  type ModelErrorKind,
  type ModelUsage,
  NO_USAGE,
  type OpaqueEvent,
  type Payload,
  type PermissionMode,
  type ToolErrorKind,
} from "./events/catalog.ts";
export { canonical, type DecodeError, decode, encode, MAX_LINE_BYTES } from "./events/codec.ts";
export { fold, type Projection, projection, total } from "./events/fold.ts";
export { fuzzyMatcher, fuzzyRank, type Matcher, type Ranked } from "./fuzzy.ts";
export { sha256 } from "./hash.ts";
export { idSource, isUlid, type NewId } from "./ids.ts";
export { type ImageFacts, imageFacts } from "./image.ts";
export { fileLogger, type Logger, type LogOptions, silentLogger } from "./logging.ts";
export { budgetText, moneyText } from "./money.ts";
export { nearest } from "./nearest.ts";
export {
  type Access,
  CAPABILITIES,
  type Capability,
  type PermissionAction,
  type PermissionRule,
  type PermissionTier,
  type Verdict,
  type VerdictPart,
} from "./permission.ts";
export { err, ok, type Result } from "./result.ts";
export { createRing } from "./ring.ts";
export { compactionBy, compactionText, pruneText } from "./room-text.ts";
export { collapseCarriageReturns, createSanitizer, type Sanitizer, sanitize } from "./sanitize.ts";
export {
  accepts,
  explain,
  type Infer,
  type Json,
  jsonSchema,
  type Misfit,
  misfit,
  readable,
  type Valid,
} from "./schema.ts";
export {
  base64Length,
  byteLength,
  bytePrefix,
  byteSuffix,
  estimateTokens,
  isSameJson,
  sortedJson,
  toBytes,
  tokensText,
  wellFormed,
} from "./text.ts";
