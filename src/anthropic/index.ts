/** The door of the model client: requests in, typed events out. */
export {
  type BlockPosition,
  type CompletedBlock,
  type ModelClient,
  ModelError,
  type ModelEvent,
  type ModelFacts,
  type ModelFailure,
  type ModelPrice,
  type ModelRequest,
  type ThinkingChoice,
  type ToolSchema,
} from "./types.ts";
