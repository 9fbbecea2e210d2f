/** The door of the model client: requests in, typed events out. */
export { createModelClient, type ModelClientOptions } from "./client.ts";
export type { ModelAuth } from "./connection.ts";
export { defaultModels, modelFacts, priceOf } from "./models.ts";
export { type RequestBody, requestBody } from "./request.ts";
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
