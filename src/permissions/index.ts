/** The door of the permission evaluator. Opening it loads the shell parser, so it stays off the path to the first paint. */
export { folderOfLast, lastOfAndChain, type SimpleCommandView, simpleCommands } from "./chain.ts";
export { createEvaluator } from "./evaluator.ts";
export { followLinks } from "./links.ts";
export { commandReader } from "./only-reads.ts";
export { readableBelow } from "./search-scope.ts";
export type { EvaluatorOptions, PermissionEvaluator } from "./types.ts";
