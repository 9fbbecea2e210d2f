/** Requests for a summary, and requests behind one, that are refused, each beside its nearest valid neighbour. */
import { a, base, call, compact, compaction, on, type Row, result, row, s, text, tool, u } from "./rule-parts.ts";

/** With the beta header on both. */
const rowOf = (...row_: Parameters<typeof row>): Row => ({
  ...row(...row_),
  badHeaders: compact,
  goodHeaders: compact,
});
const messages = (...list: unknown[]) => ({ ...base, messages: list });
const asking = (more: object = {}) => ({ ...base, compaction: { type: "summarize" }, ...more });
const made = { ...compaction, content: "once upon", signature: "AAAA" };
const schema = { type: "object", additionalProperties: false, properties: {} };

export const COMPACTION_ROWS: readonly Row[] = [
  { ...row("6", "compaction: Extra inputs", asking(), asking()), goodHeaders: compact },
  {
    ...row("6b", "'compaction'", messages(a(compaction), u(text("z"))), messages(a(compaction), u(text("z")))),
    goodHeaders: compact,
  },
  rowOf("6a", "compaction.type", { ...base, compaction: { type: "shorten" } }, asking()),
  rowOf(
    "6a",
    "at most 16384",
    asking({ compaction: { type: "summarize", instructions: "x".repeat(16_385) } }),
    asking({ compaction: { type: "summarize", instructions: "x".repeat(16_384) } }),
  ),
  rowOf("6a", "non-empty", messages(a({ ...made, content: "" }), u(text("z"))), messages(a(compaction), u(text("z")))),
  rowOf(
    "39",
    "messages.1.content.1",
    messages(u(text("x")), a(text("y"), made), u(text("z"))),
    messages(u(text("x")), a(text("y"), compaction), u(text("z"))),
  ),
  rowOf("39", "messages.1", messages(u(text("x")), u(made), u(text("z"))), messages(u(compaction, text("z")))),
  rowOf("39", "messages.1.content.0", messages(u(text("x")), { role: "system", content: [compaction] })),
  rowOf(
    "39a",
    "messages.1.content.0",
    messages(a(made), a(made), u(text("z"))),
    messages(a(compaction), a(compaction), u(text("z"))),
  ),
  rowOf(
    "9a",
    "first message",
    messages(a(compaction), a(text("y")), u(text("z"))),
    messages(a(compaction), u(text("z"))),
  ),
  rowOf("9a", "first message", messages(a(compaction, text("y")), u(text("z"))), messages(u(compaction, text("z")))),
  rowOf("10a", "messages.1", messages(a(compaction), s("note"), a(text("y"))), messages(a(compaction), u(text("z")))),
  rowOf("39b", "messages.0.content.0", messages(a(made), u(text("z")))),
  rowOf("39b", "messages.0.content.0", messages(a({ ...made, signature: null }), u(text("z")))),
  rowOf("39c", "compaction", asking({ model: "claude-haiku-4-5" }), asking({ model: "claude-haiku-5-5" })),
  rowOf("39c", "compaction", asking({ model: "claude-opus-4-5" }), asking({ model: "claude-opus-4-6" })),
  rowOf("39c", "messages.0.content.0", on("claude-haiku-4-5", { messages: [a(made), u(text("z"))] })),
  rowOf("39d", "stop_sequences", asking({ stop_sequences: ["END"] }), asking()),
  rowOf(
    "39d",
    "output_config.format",
    asking({ output_config: { format: { type: "json_schema", schema } } }),
    asking({ output_config: { effort: "low" } }),
  ),
  rowOf(
    "39d",
    "tool_choice",
    asking({ model: "claude-opus-5", tools: [tool("bash")], tool_choice: { type: "any" } }),
    asking({ model: "claude-opus-5", tools: [tool("bash")], tool_choice: { type: "auto" } }),
  ),
  rowOf("39d", "max_tokens", asking({ max_tokens: 0 }), asking({ max_tokens: 1 })),
  {
    ...rowOf("39d", "context_management", asking({ context_management: { edits: [] } }), asking()),
    badHeaders: { "anthropic-beta": "compact-2026-09-04,context-management-2025-06-27" },
  },
  rowOf(
    "39e",
    "messages.1",
    asking({ messages: [u(text("x")), a(call("t1"))] }),
    asking({ messages: [u(text("x")), a(call("t1")), u(result("t1"))] }),
  ),
  rowOf(
    "39e",
    "messages.1",
    asking({ messages: [u(text("x")), a({ type: "server_tool_use", id: "s1", name: "web_search", input: {} })] }),
    asking({ messages: [u(text("x")), a(text("done"))] }),
  ),
  rowOf("39f", "nothing to summarize", asking({ messages: [] }), asking({ messages: [u(text("x"))] })),
  rowOf(
    "39f",
    "nothing to summarize",
    asking({ messages: [a(compaction)] }),
    asking({ messages: [a(compaction), u(text("x"))] }),
  ),
];
