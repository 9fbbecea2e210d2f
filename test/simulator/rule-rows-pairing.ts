/** Calls, results and roles that are refused, each beside its nearest valid neighbour. */
import { a, call, image, messages, png, type Row, result, row, s, text, u } from "./rule-parts.ts";

export const PAIRING_ROWS: readonly Row[] = [
  row(
    "21",
    "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: t1",
    messages(u(text("x")), a(call("t1")), u(text("y"))),
    messages(u(text("x")), a(call("t1")), u(result("t1"), text("y"))),
  ),
  row(
    "21",
    "after: t2",
    messages(u(text("x")), a(call("t1"), call("t2")), u(result("t1"))),
    messages(u(text("x")), a(call("t1"), call("t2")), u(result("t2"), result("t1"))),
  ),
  row(
    "22",
    "messages.2.content.1: unexpected `tool_use_id`",
    messages(u(text("x")), a(call("t1")), u(result("t1"), result("t9"))),
    messages(u(text("x")), a(call("t1"), call("t9")), u(result("t1"), result("t9"))),
  ),
  row("22", "messages.0.content.0", messages(u(result("t1")))),
  row(
    "22b",
    "messages.2.content.1",
    messages(u(text("x")), a(call("t1")), u(result("t1"), result("t1"))),
    messages(u(text("x")), a(call("t1")), u(result("t1"))),
  ),
  row(
    "23",
    "messages.1",
    messages(u(text("x")), a(call("t1")), u(text("first"), result("t1"))),
    messages(u(text("x")), a(call("t1")), u(result("t1"), text("last"))),
  ),
  row(
    "24",
    "messages.3.content.0",
    messages(u(text("x")), a(call("t1")), u(result("t1")), a(call("t1")), u(result("t1"))),
    messages(u(text("x")), a(call("t1")), u(result("t1")), a(call("t2")), u(result("t2"))),
  ),
  row("24", "messages.1.content.1", messages(u(text("x")), a(call("t1"), call("t1")), u(result("t1")))),
  row(
    "25",
    "messages.1.content.0.input",
    messages(u(text("x")), a(call("t1", "ls")), u(result("t1"))),
    messages(u(text("x")), a(call("t1", { INVALID_JSON: "ls" })), u(result("t1"))),
  ),
  row("26", "messages.0.content.0: `tool_use`", messages(u(call("t1")))),
  row("26", "messages.1.content.0: `tool_result`", messages(u(text("x")), a(result("t1")), u(text("y")))),
  row("26", "messages.0.content.0: `thinking`", messages(u({ type: "thinking", thinking: "x", signature: "y" }))),
  row(
    "26",
    "messages.1.content.0: `image`",
    messages(u(text("x")), a(image(png(1, 1))), u(text("y"))),
    messages(u(image(png(1, 1)))),
  ),
  row(
    "26",
    "messages.1.content.0: `document`",
    messages(
      u(text("x")),
      a({ type: "document", source: { type: "text", media_type: "text/plain", data: "x" } }),
      u(text("y")),
    ),
    messages(u({ type: "document", source: { type: "text", media_type: "text/plain", data: "x" } })),
  ),
  row(
    "26",
    "messages.1.content.0: `image`",
    messages(u(text("x")), s([image(png(1, 1))])),
    messages(u(text("x")), s([text("y")])),
  ),
];
