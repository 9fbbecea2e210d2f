/** The door of the tools. */
export { createTools } from "./all.ts";
export { bashTool } from "./bash.ts";
export {
  defineTool,
  type FileModifiedFact,
  type FileReadFact,
  type SpillRoom,
  type ToolContext,
  type ToolDefinition,
  type ToolResult,
} from "./define.ts";
export { contentDiff, type FileDiff, fileDiff } from "./edit/diff.ts";
export { editTool } from "./edit/edit.ts";
export { displayPath, resolveToolPath } from "./paths.ts";
export type { ProcessRecorder } from "./process/life.ts";
export type { ManagedProcess } from "./process/managed-process.ts";
export { createProcessManager, type ProcessManager } from "./process/manager.ts";
export { type FileToolPorts, readTool } from "./read.ts";
export { createRegistry, type ToolRegistry, type ToolSchema } from "./registry.ts";
export type { SearchScope, SearchToolPorts } from "./search/scope.ts";
