/** Texts, marks, images and other content that is refused, each beside its nearest valid neighbour. */
import { MARK } from "./harness.ts";
import { a, base, call, image, marks, messages, on, png, type Row, result, row, s, text, u } from "./rule-parts.ts";

export const CONTENT_ROWS: readonly Row[] = [
  row(
    "26a",
    "messages.1: The final block",
    messages(u(text("x")), a(text("y"), { type: "thinking", thinking: "", signature: "y" }), u(text("z"))),
  ),
  row(
    "27",
    "non-empty",
    messages(u(text("x")), a(text("")), u(text("y"))),
    messages(u(text("x")), a(text(".")), u(text("y"))),
  ),
  row(
    "27",
    "non-empty",
    messages(u(text("x")), a(call("t1")), u(result("t1", { content: [text("")] }))),
    messages(u(text("x")), a(call("t1")), u(result("t1", { content: "" }))),
  ),
  row("27", "system: text", { ...base, system: [text("")] }, { ...base, system: [text("x")] }),
  row("28", "non-whitespace", messages(u(text("\n\n"))), messages(u(text("\n.\n")))),
  row("28", "non-whitespace", messages({ role: "user", content: " " })),
  row(
    "29",
    "messages.1",
    messages(u(text("x")), a(), u(text("y"))),
    on("claude-haiku-4-5", { messages: [u(text("x")), a()] }),
  ),
  row("29", "messages.0", messages({ role: "user", content: "" })),
  row(
    "30a",
    "messages.1.content.0: Invalid `signature` in `thinking`",
    messages(u(text("x")), a({ type: "thinking", thinking: "", signature: "EqAB" }, text("y")), u(text("z"))),
  ),
  row(
    "30a",
    "`redacted_thinking`",
    messages(u(text("x")), a({ type: "redacted_thinking", data: "EqAB" }, text("y")), u(text("z"))),
  ),
  row("32", "Found 5", { ...base, system: marks(5) }, { ...base, system: marks(4) }),
  row(
    "32",
    "Found 5",
    { ...base, system: marks(4), cache_control: MARK },
    { ...base, system: marks(3), cache_control: MARK },
  ),
  row(
    "33",
    "system.1",
    { ...base, system: [text("a", { cache_control: MARK }), text("b", { cache_control: { ...MARK, ttl: "1h" } })] },
    { ...base, system: [text("a", { cache_control: { ...MARK, ttl: "1h" } }), text("b", { cache_control: MARK })] },
  ),
  row(
    "34",
    "system.0: cache_control cannot be set for empty text blocks",
    { ...base, system: [text("", { cache_control: MARK })] },
    { ...base, system: [text(".", { cache_control: MARK })] },
  ),
  {
    ...row(
      "34a",
      "messages.1.content.0.cache_control",
      messages(u(text("x")), { ...s([text("y", { cache_control: MARK })]), clear_at: "next_user_message" }),
      messages(u(text("x")), { ...s([text("y")]), clear_at: "next_user_message" }),
    ),
    badHeaders: { "anthropic-beta": "mid-conversation-system-clear-at-2026-08-21" },
    goodHeaders: { "anthropic-beta": "mid-conversation-system-clear-at-2026-08-21" },
  },
  row("35", "messages.0.content.0.source", messages(u(image("a b="))), messages(u(image(png(10, 10))))),
  row("35a", "10 MB", messages(u(image("A".repeat(11 * 1024 * 1024))))),
  row("35b", "8000", messages(u(image(png(8001, 10)))), messages(u(image(png(8000, 10))))),
  row(
    "35b",
    "2000",
    messages(u(...Array.from({ length: 21 }, () => image(png(2001, 10))))),
    messages(u(...Array.from({ length: 20 }, () => image(png(2001, 10))))),
  ),
  row(
    "35c",
    "messages.2.content.0.content.0",
    messages(u(text("x")), a(call("t1")), u(result("t1", { content: [image("AAAA")] }))),
    messages(u(text("x")), a(call("t1")), u(result("t1", { content: [image(png(2, 2))] }))),
  ),
  row("35c", "source", messages(u(image(png(1, 1), { media_type: "image/jpeg" }))), messages(u(image(png(1, 1))))),
  row("6a", "media_type", messages(u(image(png(1, 1), { media_type: "image/tiff" }))), messages(u(image(png(1, 1))))),
  row(
    "36",
    "messages.0.content.0.citations",
    messages(u(text("x", { citations: [{}] }))),
    messages(u(text("x", { citations: [] }))),
  ),
  row(
    "37",
    "200001",
    on("claude-haiku-4-5", { messages: [u(text("y".repeat(800_000 - 24)))] }),
    on("claude-haiku-4-5", { messages: [u(text("y".repeat(800_000 - 30)))] }),
  ),
  row(
    "38",
    "`web_search` tool use with id s1",
    messages(u(text("x")), a({ type: "server_tool_use", id: "s1", name: "web_search", input: {} }), u(text("y"))),
    {
      ...messages(u(text("x")), a({ type: "server_tool_use", id: "s1", name: "web_search", input: {} })),
      tools: [{ type: "web_search_20260318", name: "web_search" }],
    },
  ),
  row(
    "40",
    "char 83",
    JSON.stringify(base).replace('"hi"', '"\\ud83d oh"'),
    JSON.stringify(base).replace('"hi"', '"\\ud83d\\ude00 and \\\\ud83d"'),
  ),
  row("40a", "UTF-8", Buffer.concat([Buffer.from('{"model":"'), Buffer.from([0xff]), Buffer.from('"}')])),
];
