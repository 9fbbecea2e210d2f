/** What a model is told when its call cannot be run as it stands: what is wrong, where, and what would be right. */
import { misfit } from "../shared/index.ts";
import type { ToolDefinition } from "../tools/index.ts";

export function unknownTool(name: string, all: readonly ToolDefinition[]): string {
  return `There is no tool named ${JSON.stringify(name)}. The tools are: ${all.map((tool) => tool.name).join(", ")}.`;
}

/** Undefined when the input fits the tool's parameters. */
export function inputProblem(tool: ToolDefinition, input: unknown): string | undefined {
  if (typeof input === "object" && input !== null && "INVALID_JSON" in input) {
    return `The input of this call to ${tool.name} was not complete JSON, so it was not run. Send the call again, whole.`;
  }
  if (typeof input === "object" && input !== null && "INPUT_TOO_LARGE" in input) {
    return `The input of this call to ${tool.name} was too large (${input.INPUT_TOO_LARGE}), so it was not run. Do it in several smaller calls.`;
  }
  const found = misfit(tool.parameters, input);
  if (!found) return undefined;
  const where = found.path.length === 0 ? "the input" : `\`${found.path.join(".")}\``;
  return `Invalid input for ${tool.name}: expected ${where} ${expectation(found.expected)}. Correct it and call again.`;
}

const expectation = (expected: string): string => (expected.startsWith("to ") ? expected : `to be ${expected}`);
