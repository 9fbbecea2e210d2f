/** The tools of a session: found by name, and as the schemas that stand in the cached prefix. */
import { invariant, type Json, jsonSchema } from "../shared/index.ts";
import type { ToolDefinition } from "./define.ts";

export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  readonly input_schema: Json;
}

export interface ToolRegistry {
  /** In the order given, which is the order the model is told. */
  readonly all: readonly ToolDefinition[];
  get(name: string): ToolDefinition | undefined;
  /** The same bytes for the same tools. */
  schemas(): readonly ToolSchema[];
}

export function createRegistry(tools: readonly ToolDefinition[]): ToolRegistry {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  invariant(byName.size === tools.length, "a tool's name is unique");
  return {
    all: tools,
    get: (name) => byName.get(name),
    schemas: () =>
      tools.map(({ name, description, parameters }) => ({ name, description, input_schema: jsonSchema(parameters) })),
  };
}
