/** The door of the loopback Messages API: strict as the real one, answering from a script. Used by the demo and by the tests. */
export { createMessagesApi, type MessagesApi } from "./api.ts";
export { type AppendOnlyViolation, appendOnlyViolations, cacheReadShare } from "./audit.ts";
export { demoPace, demoProject, demoScript } from "./demo.ts";
export { type Effort, MODELS, modelLike, type SimulatedModel, type ThinkingType } from "./models.ts";
export { RULES, type RuleId } from "./rules/table.ts";
export { type Loop, loop, sequence } from "./script.ts";
export { startSimulator } from "./server.ts";
export type {
  Fault,
  FaultPlace,
  RecordedRequest,
  Script,
  ScriptedBlock,
  ScriptedTurn,
  ScriptRequest,
  ScriptResult,
  Simulator,
  SimulatorOptions,
  SimulatorRefusal,
  SimulatorUsage,
  SseEvent,
  StreamFault,
  StreamOptions,
} from "./types.ts";
export type { Exchange, ResponseBody } from "./wire/http.ts";
