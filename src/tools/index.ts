/** The door of the tools. */
export {
  defineTool,
  type FileModifiedFact,
  type FileReadFact,
  type ToolContext,
  type ToolDefinition,
  type ToolResult,
} from "./define.ts";
