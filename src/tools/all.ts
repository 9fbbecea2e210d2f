/** Every tool of a session, in the order in which the model is told of them: the one list. */
import { bashTool } from "./bash.ts";
import { editTool } from "./edit/edit.ts";
import { type FileToolPorts, readTool } from "./read.ts";
import { createRegistry, type ToolRegistry } from "./registry.ts";
import { writeTool } from "./write.ts";

export const createTools = (ports: FileToolPorts): ToolRegistry =>
  createRegistry([readTool(ports), writeTool(ports), editTool(ports), bashTool(ports)]);
