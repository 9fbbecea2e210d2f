/** The door of the permission evaluator. */
export type { EvaluatorOptions, PermissionEvaluator } from "./types.ts";
