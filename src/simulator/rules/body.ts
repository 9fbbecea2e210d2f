/** The shape of a request's body, for both endpoints. Says nothing about models, and nothing about the order of blocks. */
import { ADVISOR_BETA, COMPACTION_BETA, cacheControl, MCP_BETA, messageShape, textBlock } from "./blocks.ts";
import {
  anything,
  beta,
  flag,
  isRecord,
  list,
  nullable,
  object,
  oneOf,
  record,
  type Shape,
  tagged,
  tagOfBeta,
  text,
  textOr,
  whole,
} from "./shape.ts";
import { refuse } from "./table.ts";

const BINDING_BETA = "thinking-binding-controls-2026-08-01";
const DISPLAY_UPDATES_BETA = "thinking-display-updates-2026-08-18";
const type = text;

const binding = {
  "block_binding?": beta(BINDING_BETA, object({ "prefix_mismatch_behavior?": oneOf("error", "drop_block") })),
};

const display: Shape = (value, path, context) =>
  value === "updates" && context.betas.has(DISPLAY_UPDATES_BETA)
    ? undefined
    : nullable(oneOf("summarized", "omitted"))(value, path, context);

const thinkingOfAKind = tagged({
  adaptive: object({ type, "display?": display, ...binding }),
  enabled: object({ type, budget_tokens: whole, "display?": display, ...binding }),
  disabled: object({ type, ...binding }),
  between_tools: object({ type, ...binding }),
});

/** Where only the binding is set, the kind is the model's own. */
const thinking: Shape = (value, path, context) => {
  const isBare = isRecord(value) && value.type === undefined && value.block_binding !== undefined;
  return (isBare ? object({ ...binding }) : thinkingOfAKind)(value, path, context);
};

const parallel = { "disable_parallel_tool_use?": flag };
const toolChoice = tagged({
  auto: object({ type, ...parallel }),
  any: object({ type, ...parallel }),
  tool: object({ type, name: text, ...parallel }),
  none: object({ type }),
});

const customTool = object({
  "type?": nullable(oneOf("custom")),
  name: text,
  "description?": text,
  input_schema: record,
  "cache_control?": cacheControl,
  "strict?": flag,
  "defer_loading?": flag,
  "eager_input_streaming?": nullable(flag),
  "allowed_callers?": list(text),
  "input_examples?": list(record),
});

/** Tools that the server runs or defines: their fields are not this server's business. */
const DATED_TOOL =
  /^(web_search|web_fetch|code_execution|bash|text_editor|memory|computer_toolset|browser_toolset|tool_search_tool_(bm25|regex))_\d{8}$/;

const tool: Shape = (value, path, context) => {
  const tag = isRecord(value) ? value.type : undefined;
  if (typeof tag !== "string" || tag === "custom") return customTool(value, path, context);
  if (tag === "advisor_20260301") return tagOfBeta([ADVISOR_BETA], anything)(value, path, context);
  return DATED_TOOL.test(tag) ? undefined : refuse("6b", { path, tag });
};

const outputConfig = object({
  "effort?": nullable(oneOf("low", "medium", "high", "xhigh", "max")),
  "format?": nullable(object({ type: oneOf("json_schema"), schema: record })),
  "task_budget?": beta("task-budgets-2026-03-13", record),
});

/** Fields come in the order in which they are checked. */
const shared = {
  model: text,
  messages: list(messageShape),
  "system?": textOr(list(tagged({ text: textBlock }))),
  "tools?": list(tool),
  "mcp_servers?": beta(MCP_BETA, list(record)),
  "tool_choice?": toolChoice,
  "thinking?": thinking,
  "output_config?": outputConfig,
  "cache_control?": cacheControl,
  "speed?": nullable(oneOf("standard", "fast")),
  "user_profile_id?": text,
  "workspace_id?": text,
  "context_management?": beta("context-management-2025-06-27", record),
  "compaction?": beta(COMPACTION_BETA, nullable(object({ type: oneOf("summarize"), "instructions?": nullable(text) }))),
};

export const countShape = object(shared);

export const createShape = object({
  ...shared,
  max_tokens: whole,
  "stream?": flag,
  "metadata?": object({ "user_id?": nullable(text) }),
  "stop_sequences?": list(text),
  "service_tier?": oneOf("auto", "standard_only"),
  "inference_geo?": nullable(text),
  "container?": anything,
  "diagnostics?": nullable(object({ "previous_message_id?": nullable(text) })),
  "temperature?": anything,
  "top_p?": anything,
  "top_k?": anything,
});
