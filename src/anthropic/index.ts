/** The door of the model client: requests in, typed events out. */
export { createModelClient, listModels, type ModelClientOptions } from "./client.ts";
export { type Fetch, type ModelAuth, preloadSdk } from "./connection.ts";
export { factsWith } from "./listed.ts";
export { defaultModels, knownModels, modelFacts, modelPrice, priceOf } from "./models.ts";
export { MODELS_AS_OF } from "./models-data.ts";
export { sendableSchema } from "./output-schema.ts";
export { type RequestBody, requestBody } from "./request.ts";
export {
  type BlockPosition,
  type CompletedBlock,
  type JsonObject,
  type ListedModel,
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
