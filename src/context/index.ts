/** The door of the context engine. */
export { type ContextLimits, limitsFor, PRUNE_FROM, threshold } from "./budget.ts";
export { type CapturedContext, type CaptureOptions, captureContext } from "./capture.ts";
export type { CompactionFailure, CompactionPlan } from "./compaction-plan.ts";
export { possibleRoutes } from "./compress.ts";
export { type ContextEngineOptions, createContextEngine } from "./engine.ts";
export { freezePrefix, freezeSchema, loadParts, loadPrefix, type PrefixParts } from "./epoch.ts";
export {
  createHashChain,
  type HashChain,
  measure,
  type RequestBinding,
  type RequestHashes,
  requestBinding,
  requestHashes,
} from "./hashes.ts";
export { plainCompaction } from "./plain-checkpoint.ts";
export { auxiliaryRequest } from "./summary-request.ts";
export { buildSystemTiers, type InstructionText, type SystemTierOptions } from "./system-prompt.ts";
export { unfitTools } from "./tool-fit.ts";
export type {
  Ask,
  AskedAnswer,
  AskFailure,
  BuiltContext,
  CompactionRoute,
  CompactionWish,
  ContextEngine,
  FrozenPrefix,
  FrozenSchema,
  OutputSchema,
} from "./types.ts";
