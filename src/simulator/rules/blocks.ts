/** The shapes of content blocks, by role. A block that exists but does not belong to the role is refused as such. */
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
} from "./shape.ts";
import { type Refusal, refuse } from "./table.ts";

const type = text;

export const cacheControl: Shape = nullable(object({ type: oneOf("ephemeral"), "ttl?": oneOf("5m", "1h") }));
const marked = { "cache_control?": cacheControl };

const input: Shape = (value, path) => (isRecord(value) ? undefined : refuse("25", { path }));

const citations = nullable(list(record));

export const textBlock = object({ type, text, ...marked, "citations?": citations });

const source = tagged({
  base64: object({ type, media_type: text, data: text }),
  url: object({ type, url: text }),
  file: object({ type, file_id: text }),
  text: object({ type, media_type: text, data: text }),
  content: object({ type, content: textOr(list(record)) }),
});

const imageSource = tagged({
  base64: object({
    type,
    media_type: oneOf("image/jpeg", "image/png", "image/gif", "image/webp"),
    data: text,
  }),
  url: object({ type, url: text }),
  file: object({ type, file_id: text }),
});

const image = object({ type, source: imageSource, ...marked, "transformations?": anything });
const document = object({
  type,
  source,
  ...marked,
  "citations?": nullable(object({ "enabled?": flag })),
  "context?": nullable(text),
  "title?": nullable(text),
});
const searchResult = object({
  type,
  content: list(textBlock),
  source: text,
  title: text,
  ...marked,
  "citations?": object({ "enabled?": flag }),
});

const toolResult = object({
  type,
  tool_use_id: text,
  "content?": textOr(
    list(
      tagged({
        text: textBlock,
        image,
        document,
        search_result: searchResult,
        tool_reference: object({ type, tool_name: text, ...marked }),
        browser_state: record,
      }),
    ),
  ),
  "is_error?": flag,
  ...marked,
  "toolset_name?": nullable(text),
});

const toolUse = object({
  type,
  id: text,
  name: text,
  input,
  ...marked,
  "caller?": record,
  "toolset_name?": nullable(text),
});

const serverResult = object({ type, tool_use_id: text, content: anything, ...marked, "caller?": record });
const serverUse = object({ type, id: text, name: text, input, ...marked, "caller?": record });
const thinking = object({ type, thinking: text, signature: text });
const redacted = object({ type, data: text });
const upload = object({ type, file_id: text, ...marked });

export const COMPACTION_BETA = "compact-2026-09-04";
const summary: Shape = (value, path, context) =>
  value === "" ? refuse("6a", { path, expected: "a non-empty string" }) : text(value, path, context);
/** Of the beta in which the server compacts within an answer; its blocks have no signature. */
const COMPACTION_EDIT_BETA = "compact-2026-01-12";
const compaction = tagOfBeta(
  [COMPACTION_BETA, COMPACTION_EDIT_BETA],
  object({
    type,
    "content?": nullable(summary),
    "encrypted_content?": nullable(text),
    "signature?": nullable(text),
    "tool_changes?": anything,
    ...marked,
  }),
);

export const ADVISOR_BETA = "advisor-tool-2026-03-01";
export const MCP_BETA = "mcp-client-2025-04-04";
const TOOL_CHANGES_BETA = "mid-conversation-tool-changes-2026-07-01";
const mcpUse = object({ type, id: text, name: text, server_name: text, input, ...marked });
const mcpResult = object({ type, tool_use_id: text, "content?": anything, "is_error?": flag, ...marked });
const toolAddition = object({ type, tool: object({ type: oneOf("tool_reference"), name: text }), ...marked });

const SERVER_RESULTS = [
  "web_search_tool_result",
  "web_fetch_tool_result",
  "code_execution_tool_result",
  "bash_code_execution_tool_result",
  "text_editor_code_execution_tool_result",
  "tool_search_tool_result",
];

const USER_BLOCKS: Readonly<Record<string, Shape>> = {
  text: textBlock,
  image,
  document,
  search_result: searchResult,
  tool_result: toolResult,
  compaction,
  container_upload: upload,
};

const ASSISTANT_BLOCKS: Readonly<Record<string, Shape>> = {
  text: textBlock,
  thinking,
  redacted_thinking: redacted,
  tool_use: toolUse,
  server_tool_use: serverUse,
  compaction,
  container_upload: upload,
  ...Object.fromEntries(SERVER_RESULTS.map((name) => [name, serverResult])),
  advisor_tool_result: tagOfBeta([ADVISOR_BETA], serverResult),
  mcp_tool_use: tagOfBeta([MCP_BETA], mcpUse),
  mcp_tool_result: tagOfBeta([MCP_BETA], mcpResult),
};

const ALL_TYPES = new Set([...Object.keys(USER_BLOCKS), ...Object.keys(ASSISTANT_BLOCKS)]);

const misplaced =
  (role: string) =>
  (tag: string, path: string): Refusal | undefined =>
    ALL_TYPES.has(tag) ? refuse(tag === "compaction" ? "39" : "26", { path, type: tag, role }) : undefined;

const message = (role: string, blocks: Readonly<Record<string, Shape>>, extra = {}): Shape =>
  object({ role: text, content: textOr(list(tagged(blocks, misplaced(role)))), ...extra });

const MESSAGES: Readonly<Record<string, Shape>> = {
  user: message("user", USER_BLOCKS),
  assistant: message("assistant", ASSISTANT_BLOCKS),
  system: message(
    "system",
    { text: textBlock, tool_addition: tagOfBeta([TOOL_CHANGES_BETA], toolAddition) },
    {
      "clear_at?": beta("mid-conversation-system-clear-at-2026-08-21", oneOf("next_user_message")),
      "output_config?": beta("mid-conversation-output-config-2026-07-01", object({ "effort?": text })),
    },
  ),
};

export const messageShape: Shape = (value, path, context) => {
  if (!isRecord(value)) return refuse("6a", { path, expected: "a valid dictionary" });
  if (!Object.hasOwn(value, "role")) return refuse("5", { path: `${path}.role` });
  const role = value.role;
  const shape = typeof role === "string" && Object.hasOwn(MESSAGES, role) ? MESSAGES[role] : undefined;
  return shape ? shape(value, path, context) : refuse("9", { path: `${path}.role` });
};
