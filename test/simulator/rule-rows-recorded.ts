/** What requests that the API has answered hold, beside the same where nobody has shown that it is taken. */
import { a, base, binding, call, messages, on, type Row, result, row, s, text, u } from "./rule-parts.ts";

const OLDER = "claude-haiku-4-5";
const asked = u(text("x"));
const older = (...list: unknown[]) => on(OLDER, { messages: list });

const repeated = [asked, a(call("t1")), u(result("t1")), a(call("t1")), u(result("t1"))];
const spaced = [asked, a(text(" "), call("t1")), u(result("t1"))];
const answered = [a(text("hello")), asked];

const header = (beta: string) => ({ "anthropic-beta": beta });
const ofBeta = (beta: string, one: Row): Row => ({ ...one, goodHeaders: header(beta) });
/** The same body, with the header and without. */
const needs = (beta: string, names: string, body: unknown): Row => ofBeta(beta, row("6b", names, body, body));

const ADVISOR = "advisor-tool-2026-03-01";
const MCP = "mcp-client-2025-04-04";
const COMPACTION_EDIT = "compact-2026-01-12,context-management-2025-06-27";

const advice = {
  type: "advisor_tool_result",
  tool_use_id: "srvtoolu_1",
  content: { type: "advisor_result", text: "y" },
};
const advised = [{ type: "server_tool_use", id: "srvtoolu_1", name: "advisor", input: {} }, advice, text("z")];
const advisor = { type: "advisor_20260301", name: "advisor", model: "claude-opus-5-5" };
const mcpCall = { type: "mcp_tool_use", id: "mcptoolu_1", name: "ask", server_name: "wiki", input: {} };
const mcpResult = { type: "mcp_tool_result", tool_use_id: "mcptoolu_1", is_error: false, content: [] };
const servers = messages(asked);
const addition = s([{ type: "tool_addition", tool: { type: "tool_reference", name: "bash" } }]);

const bound = { block_binding: { prefix_mismatch_behavior: "drop_block" } };

const summarised = [asked, a({ type: "compaction", content: "they said x" }, text("y")), asked];
const edits = (kind: string) => ({ ...messages(...summarised), context_management: { edits: [{ type: kind }] } });

export const RECORDED_ROWS: readonly Row[] = [
  row("24", "messages.3.content.0", messages(...repeated), older(...repeated)),
  row("24", "messages.1.content.1", older(asked, a(call("t1"), call("t1")), u(result("t1"))), older(...repeated)),
  row("28", "non-whitespace", messages(...spaced), older(...spaced)),
  row("28", "non-whitespace", older(asked, a(text(" ")), asked), older(...spaced)),
  row("28", "non-whitespace", older(u(text(" "))), older(...spaced)),
  row("27", "non-empty", older(asked, a(text(""), call("t1")), u(result("t1"))), older(...spaced)),
  row("9a", "first message", messages(...answered), older(...answered)),

  needs(ADVISOR, "tools.0", { ...messages(asked), tools: [advisor] }),
  needs(ADVISOR, "messages.1.content.1", { ...messages(asked, a(...advised), asked) }),
  needs(MCP, "messages.1.content.0", messages(asked, a(mcpCall, mcpResult, text("y")), asked)),
  needs("mid-conversation-tool-changes-2026-07-01", "messages.1.content.0", messages(asked, addition)),
  {
    ...row("5", "thinking.type", { ...base, thinking: {} }, { ...base, thinking: bound }),
    goodHeaders: binding,
  },
  row("6", "thinking.block_binding", { ...base, thinking: bound }),
  ofBeta(
    MCP,
    row("6", "mcp_servers", { ...servers, mcp_servers: [] }, { ...servers, mcp_servers: [{ name: "wiki" }] }),
  ),

  needs(
    COMPACTION_EDIT,
    "messages.1.content.0",
    messages(asked, a({ type: "compaction", content: null }, text("y")), asked),
  ),
  {
    ...row("39", "messages.1.content.0", edits("clear_tool_uses_20250919"), edits("compact_20260112")),
    badHeaders: header(COMPACTION_EDIT),
    goodHeaders: header(COMPACTION_EDIT),
  },
];
