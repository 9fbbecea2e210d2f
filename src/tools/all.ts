/** Every tool of a session, in the order in which the model is told of them: the one list. */
import { bashTool } from "./bash.ts";
import { editTool } from "./edit/edit.ts";
import { type ProcessToolPorts, processTool } from "./process/process.ts";
import { readTool } from "./read.ts";
import { createRegistry, type ToolRegistry } from "./registry.ts";
import { globTool } from "./search/glob.ts";
import { grepTool } from "./search/grep.ts";
import type { SearchToolPorts } from "./search/scope.ts";
import { writeTool } from "./write.ts";

export const createTools = (ports: SearchToolPorts & ProcessToolPorts): ToolRegistry =>
  createRegistry([
    readTool(ports),
    writeTool(ports),
    editTool(ports),
    grepTool(ports),
    globTool(ports),
    bashTool(ports),
    processTool(ports),
  ]);
