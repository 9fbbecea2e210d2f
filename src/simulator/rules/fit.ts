/** Parameters against the model: limits, thinking, efforts, tools. Assumes an accepted shape and a known model. */

import { misfitOfSummaryParameters } from "./compaction.ts";
import { misfitOfFormat } from "./format.ts";
import type { Request, Tool } from "./request.ts";
import { isRecord } from "./shape.ts";
import { type Refusal, refuse } from "./table.ts";

type Check = (request: Request) => Refusal | undefined;

const SAMPLING = ["temperature", "top_p", "top_k"];
const SAMPLING_ENDS = "2026-10-21";

const sampling: Check = ({ body, version }) => {
  const found = version >= SAMPLING_ENDS ? SAMPLING.find((name) => Object.hasOwn(body, name)) : undefined;
  return found ? refuse("13", { path: found }) : undefined;
};

const outputLimit: Check = ({ body, endpoint, model }) => {
  const value = body.max_tokens ?? 0;
  if (endpoint === "count_tokens") return undefined;
  if (value < 0) return refuse("12a");
  if (value === 0) return prewarm(body);
  const limit = model.maxOutputTokens;
  return value > limit ? refuse("12", { value, limit, model: model.id }) : undefined;
};

function prewarm(body: Request["body"]): Refusal | undefined {
  if (body.stream) return refuse("12b", { field: "stream" });
  if (body.thinking?.type === "enabled") return refuse("12b", { field: "thinking.type.enabled" });
  if (body.output_config?.format) return refuse("12b", { field: "output_config.format" });
  return isForced(body) ? refuse("12b", { field: "tool_choice" }) : undefined;
}

const isForced = (body: Request["body"]): boolean =>
  body.tool_choice?.type === "any" || body.tool_choice?.type === "tool";

const thinkingKind: Check = ({ body, model }) => {
  const kind = body.thinking?.type;
  if (!kind || model.thinking.includes(kind)) return undefined;
  return kind === "enabled" ? refuse("14") : refuse("15", { kind });
};

const disabledEffort: Check = ({ body, model }) => {
  const effort = body.output_config?.effort;
  const tooHigh = model.disabledUpTo === "high" && (effort === "xhigh" || effort === "max");
  return body.thinking?.type === "disabled" && tooHigh ? refuse("15a", { effort }) : undefined;
};

const budget: Check = ({ body, endpoint }) => {
  const tokens = body.thinking?.budget_tokens;
  if (tokens === undefined) return undefined;
  if (tokens < 1024) return refuse("16");
  return endpoint === "messages" && tokens >= (body.max_tokens ?? 0) ? refuse("16a") : undefined;
};

const effortLevel: Check = ({ body, model }) => {
  const effort = body.output_config?.effort;
  const offered: readonly string[] = model.efforts;
  return effort && !offered.includes(effort) ? refuse("17", { effort }) : undefined;
};

const toolChoice: Check = ({ body, model }) => {
  const choice = body.tool_choice;
  if (!choice) return undefined;
  if (isForced(body)) {
    if (!model.forcedTools) return refuse("18");
    if (body.thinking?.type === "enabled") return refuse("18a");
  }
  const tools = body.tools ?? [];
  if (tools.length === 0) return choice.type === "none" ? undefined : refuse("19");
  const name = choice.name;
  return name !== undefined && !tools.some((tool) => tool.name === name) ? refuse("19a", { name }) : undefined;
};

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

const tools: Check = ({ body }) => {
  const names = new Set<string>();
  for (const [index, tool] of (body.tools ?? []).entries()) {
    const misfit = toolDefinition(tool, `tools.${index}`);
    if (misfit) return misfit;
    if (names.has(tool.name)) return refuse("20");
    names.add(tool.name);
  }
  const deferred = body.tools?.length && body.tools.every((tool) => tool.defer_loading);
  return deferred ? refuse("20d") : undefined;
};

function toolDefinition(tool: Tool, path: string): Refusal | undefined {
  const schema = tool.input_schema;
  if (!isRecord(schema)) return undefined;
  if (!TOOL_NAME.test(tool.name)) return refuse("20a", { path: `${path}.custom.name` });
  if (schema.type !== "object") return refuse("20b", { path: `${path}.custom.input_schema.type` });
  const union = ["anyOf", "oneOf", "allOf"].some((key) => Object.hasOwn(schema, key));
  return union ? refuse("20c", { path: `${path}.custom.input_schema` }) : undefined;
}

const answerFormat: Check = ({ body }) => misfitOfFormat(body.output_config?.format);

const CHECKS: readonly Check[] = [
  outputLimit,
  sampling,
  thinkingKind,
  disabledEffort,
  budget,
  effortLevel,
  tools,
  toolChoice,
  answerFormat,
  misfitOfSummaryParameters,
];

export function misfitOfParameters(request: Request): Refusal | undefined {
  for (const check of CHECKS) {
    const refusal = check(request);
    if (refusal) return refusal;
  }
  return undefined;
}
