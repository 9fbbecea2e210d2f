/**
 * Everything the server refuses, as data: when, with which status and type, in which words. Words in braces are filled in.
 * The numbers are those of the reference; a letter tells apart the cases of one row. Nothing is decided here.
 */
import type { Json } from "../types.ts";

interface Rule {
  readonly when: string;
  readonly status: number;
  readonly type: string;
  readonly message: string;
}

const invalid = (when: string, message: string): Rule => ({
  when,
  status: 400,
  type: "invalid_request_error",
  message,
});

export const RULES = {
  "1": {
    when: "no credentials, or wrong ones",
    status: 401,
    type: "authentication_error",
    message: "invalid x-api-key",
  },
  "2": {
    when: "a body over 32 MB",
    status: 413,
    type: "request_too_large",
    message: "Request exceeds the maximum size",
  },
  "3": invalid("no anthropic-version", "anthropic-version: header is required"),
  "3a": invalid("an unknown anthropic-version", 'anthropic-version: "{value}" is not a valid version'),
  "3b": invalid("a content type other than JSON", "content-type: must be application/json"),
  "4": invalid("a body that is not JSON", "The request body is not valid JSON: {detail}"),
  "4a": invalid("a body that is no object", "The request body must be a JSON object"),
  "5": invalid("a required field is missing", "{path}: Field required"),
  "6": invalid("an unknown field, or a beta field without its header", "{path}: Extra inputs are not permitted"),
  "6a": invalid("a value of the wrong kind", "{path}: Input should be {expected}"),
  "6b": invalid(
    "a block or tool of an unknown type",
    "{path}: Input tag '{tag}' found using 'type' does not match any of the expected tags",
  ),
  "7": {
    when: "an unknown or retired model",
    status: 404,
    type: "not_found_error",
    message: "model: {model}",
  },
  "8": invalid("no messages", "messages: at least one message is required"),
  "9": invalid("a role that does not exist", "{path}: Input should be 'user', 'assistant' or 'system'"),
  "9a": invalid("the first message is not the user's", 'messages: first message must use the "user" role'),
  "9b": invalid("more than 100,000 messages", "messages: at most 100000 messages are allowed"),
  "10": invalid("a system message on a model without them", "{path}: role 'system' is not supported on this model"),
  "10a": invalid(
    "a misplaced system message",
    "{path}: role 'system' must follow a user message and be last or be followed by an assistant message",
  ),
  "11": invalid(
    "the last message is the assistant's",
    "This model does not support assistant message prefill. The conversation must end with a user message.",
  ),
  "11a": invalid(
    "a prefill that ends in white space",
    "messages: final assistant content cannot end with trailing whitespace",
  ),
  "12": invalid(
    "max_tokens over the model's limit",
    "max_tokens: {value} > {limit}, which is the maximum allowed number of output tokens for {model}",
  ),
  "12a": invalid("max_tokens below 1", "max_tokens: must be greater than or equal to 1"),
  "12b": invalid("a pre-warm that could answer", "max_tokens: 0 cannot be combined with {field}"),
  "13": invalid("a sampling parameter", "{path}: sampling parameters are not supported in this API version"),
  "14": invalid(
    "manual thinking on an adaptive model",
    '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
  ),
  "15": invalid("a kind of thinking the model lacks", "{kind} thinking is not supported on this model"),
  "15a": invalid(
    "thinking switched off at an effort that needs it",
    "thinking: disabled is not supported with output_config.effort '{effort}' on this model",
  ),
  "16": invalid("a thinking budget below 1024", "thinking.budget_tokens: must be greater than or equal to 1024"),
  "16a": invalid("a budget not below max_tokens", "`max_tokens` must be greater than `thinking.budget_tokens`."),
  "17": invalid("an effort the model lacks", "output_config.effort: '{effort}' is not supported on this model"),
  "18": invalid(
    "a forced tool choice on a model without it",
    'tool_choice: type "tool" and "any" are not supported for this model.',
  ),
  "18a": invalid(
    "a forced tool choice with manual thinking",
    "Thinking may not be enabled when tool_choice forces tool use.",
  ),
  "19": invalid("a tool choice without tools", "tool_choice: may only be specified while providing tools"),
  "19a": invalid("a tool choice that names no tool", "tool_choice.name: tool '{name}' not found in provided tools"),
  "20": invalid("two tools of one name", "tools: Tool names must be unique."),
  "20a": invalid("a tool name out of pattern", "{path}: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'"),
  "20b": invalid("a tool whose input is no object", "{path}: Input should be 'object'"),
  "20c": invalid(
    "a tool schema with a union at its root",
    "{path}: input_schema does not support oneOf, allOf, or anyOf at the top level",
  ),
  "20d": invalid("only deferred tools", "tools: at least one tool must have defer_loading set to false"),
  "21": invalid(
    "a call without its result in the next message",
    "messages.{index}: `tool_use` ids were found without `tool_result` blocks immediately after: {ids}. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
  ),
  "22": invalid(
    "a result without its call in the message before",
    "{path}: unexpected `tool_use_id` found in `tool_result` blocks: {id}. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
  ),
  "22b": invalid(
    "two results for one call",
    "{path}: each tool_use must have a single result. Found multiple `tool_result` blocks with id: {id}",
  ),
  "23": invalid(
    "another block before a result",
    "messages.{index}: `tool_use` ids were found without `tool_result` blocks immediately after: {ids}. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
  ),
  "24": invalid("a call id that was used before", "{path}: `tool_use` ids must be unique"),
  "25": invalid("a call whose input is no object", "{path}: Input should be a valid dictionary"),
  "26": invalid(
    "a block that does not belong to the role",
    "{path}: `{type}` blocks are not allowed in {role} messages",
  ),
  "26a": invalid(
    "an assistant message that ends in thinking",
    "messages.{index}: The final block in an assistant message cannot be `thinking`.",
  ),
  "27": invalid("an empty text block", "{path}: text content blocks must be non-empty"),
  "28": invalid("a text block of white space", "{path}: text content blocks must contain non-whitespace text"),
  "29": invalid(
    "a message with empty content",
    "messages.{index}: all messages must have non-empty content except for the optional final assistant message",
  ),
  "30": invalid(
    "thinking of the latest turn altered or removed",
    "{path}: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.",
  ),
  "30a": invalid("a signature that this server never made", "{path}: Invalid `signature` in `{type}` block"),
  "31": invalid(
    "the prefix under a thinking block was changed",
    '{path}: Invalid `signature` in `{type}` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".',
  ),
  "32": invalid(
    "more than four cache marks",
    "A maximum of 4 blocks with cache_control may be provided. Found {count}.",
  ),
  "33": invalid(
    "a 1 h mark behind a 5 m mark",
    "{path}.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block.",
  ),
  "34": invalid("a cache mark on an empty text", "{path}: cache_control cannot be set for empty text blocks"),
  "34a": invalid("a cache mark where there may be none", "{path}.cache_control: Extra inputs are not permitted"),
  "35": invalid("an image that is not base64", "{path}.source.base64: invalid base64 data"),
  "35a": invalid("an image over 10 MB", "{path}.source.base64: image exceeds 10 MB maximum"),
  "35b": invalid(
    "an image over the side limit",
    "{path}.source: image dimensions exceed max allowed size: {limit} pixels",
  ),
  "35c": invalid("an image whose bytes are another format", "{path}.source: Could not process image"),
  "36": invalid("citations on a user's text", "{path}.citations: citations are not supported on user text blocks"),
  "37": invalid("a prompt over the window", "prompt is too long: {tokens} tokens > {limit} maximum"),
  "38": invalid(
    "an unfinished server call with anything but results behind it",
    "{path}: `{name}` tool use with id {id} was found without a corresponding `{name}_tool_result` block",
  ),
  "39": invalid("a compaction block that is not first", "{path}: `compaction` blocks must be the first block"),
  "39a": invalid("two compaction blocks", "{path}: only one `compaction` block is allowed"),
  "39b": invalid("a compaction block of another's making", "{path}: Invalid `signature` in `compaction` block"),
  "39c": invalid("a compaction on a model without it", "{path}: compaction is not supported on this model"),
  "39d": invalid("a compaction with what it cannot take", "{field} cannot be combined with compaction"),
  "39e": invalid(
    "a compaction of a conversation that ends in an open turn",
    "messages.{index}: compaction requires that the final assistant turn is complete",
  ),
  "39f": invalid("a compaction of nothing", "messages: there is nothing to summarize"),
  "39g": invalid("an altered summary", "{path}: `{field}` in `compaction` block differs from what was signed"),
  "39h": invalid(
    "altered tool changes of a summary",
    "{path}: `tool_changes` in `compaction` block differs from what was returned",
  ),
  "40": invalid(
    "a lone surrogate in a string",
    "The request body is not valid JSON: no low surrogate in string: line 1 column {column} (char {char})",
  ),
  "40a": invalid("a body that is not UTF-8", "The request body is not valid JSON: invalid UTF-8"),
  "41": invalid("a schema of answers that says nothing", "{path}: is not a valid JSON schema"),
  "41a": invalid(
    "a schema of answers with an open object",
    "{path}: For 'object' type, 'additionalProperties' must be explicitly set to false",
  ),
  "41b": invalid("a keyword that a schema of answers may not use", "{path}: '{keyword}' is not supported"),
} as const satisfies Readonly<Record<string, Rule>>;

export type RuleId = keyof typeof RULES;

export interface Refusal {
  readonly rule: RuleId;
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly details?: Json;
}

/** The error codes that the API gives in `details.error_code`. */
const CODES: Partial<Record<RuleId, string>> = {
  "20": "tool_name_conflict",
  "35b": "image_dimensions_too_large",
  "39": "compaction_block_misplaced",
  "39a": "compaction_block_ambiguous",
  "39b": "compaction_signature_invalid",
  "39e": "compaction_incomplete_turn",
  "39f": "compaction_nothing_to_summarize",
  "39g": "compaction_content_mismatch",
  "39h": "compaction_tool_changes_mismatch",
};

export function refuse(rule: RuleId, words: Readonly<Record<string, string | number>> = {}, details?: Json): Refusal {
  const { status, type, message } = RULES[rule];
  const filled = message.replaceAll(/\{([a-z]+)\}/g, (whole, name: string) => String(words[name] ?? whole));
  const code = CODES[rule];
  const all = code ? { error_code: code, ...details } : details;
  return all ? { rule, status, type, message: filled, details: all } : { rule, status, type, message: filled };
}
