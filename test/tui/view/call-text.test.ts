/** All of a call begins with all that was asked for. */
import { expect, test } from "bun:test";
import type { CallItem } from "../../../src/tui/model/items.ts";
import { callText } from "../../../src/tui/view/call-text.ts";

const call = (input: unknown): CallItem => ({
  ...{ id: "c", seq: 1, kind: "call", toolUseId: "t", name: "tool", state: "failed", output: "", changes: [] },
  input,
});

test("a command with all of its lines, each field by its name, and what came of it below", () => {
  expect(callText(call({ command: "cat <<X\na\nX", timeout_ms: 5 }), "a\n")).toBe(
    "$ cat <<X\na\nX\ntimeout_ms: 5\n\na",
  );
  expect(callText(call({ file_path: "a.ts", old_string: "one\ntwo\n", new_string: "1" }), "The user refused.")).toBe(
    "file_path: a.ts\nold_string:\n  one\n  two\nnew_string: 1\n\nThe user refused.",
  );
  expect(callText(call({}), "")).toBe("");
  expect(callText({ id: "s", seq: 1, kind: "shell", command: "ls", exitCode: 0, output: "" }, "b")).toBe("$ ls\n\nb");
});
