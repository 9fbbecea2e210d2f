/** What a model is told about a call that cannot be run: which part is wrong, and what would be right. */
import { describe, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { inputProblem, unknownTool } from "../../src/agent/tool-input.ts";
import { bashTool, createRegistry, editTool, readTool } from "../../src/tools/index.ts";
import { createLocalWorkspace } from "../../src/workspace/index.ts";

const workspace = createLocalWorkspace({ cwd: tmpdir(), env: {}, watchdog: false });
const ports = { workspace, home: tmpdir() };
const [read, edit, bash] = [readTool(ports), editTool(ports), bashTool({ workspace })];

const fix = "Correct it and call again.";
const ROWS: readonly (readonly [tool: typeof read, input: unknown, problem: string | undefined])[] = [
  [read, { file_path: "a.ts" }, undefined],
  [read, { file_path: "a.ts", offset: 3, limit: 2 }, undefined],
  [read, {}, `Invalid input for read: expected \`file_path\` to be present. ${fix}`],
  [read, { path: "a.ts" }, `Invalid input for read: expected \`file_path\` to be present. ${fix}`],
  [read, { file_path: "a.ts", lines: 3 }, `Invalid input for read: expected \`lines\` to be absent. ${fix}`],
  [read, { file_path: "" }, `Invalid input for read: expected \`file_path\` to be a length of at least 1. ${fix}`],
  [read, { file_path: "a.ts", offset: "3" }, `Invalid input for read: expected \`offset\` to be an integer. ${fix}`],
  [read, "a.ts", `Invalid input for read: expected the input to be an object. ${fix}`],
  [read, null, `Invalid input for read: expected the input to be an object. ${fix}`],
  [read, ["a.ts"], `Invalid input for read: expected \`file_path\` to be present. ${fix}`],
  [edit, { file_path: "a", old_string: "b" }, `Invalid input for edit: expected \`new_string\` to be present. ${fix}`],
  [
    bash,
    { command: "ls", timeout_ms: 0 },
    `Invalid input for bash: expected \`timeout_ms\` to be a number of at least 1 and of at most 600000. ${fix}`,
  ],
  [
    bash,
    { INVALID_JSON: '{"command": "l' },
    "The input of this call to bash was not complete JSON, so it was not run. Send the call again, whole.",
  ],
  [
    bash,
    { INPUT_TOO_LARGE: "17826071 bytes" },
    "The input of this call to bash was too large (17826071 bytes), so it was not run. Do it in several smaller calls.",
  ],
];

describe("the input of a call", () => {
  for (const [tool, input, problem] of ROWS) {
    test(`${tool.name} ${JSON.stringify(input)}: ${problem ? "refused" : "runs"}`, () => {
      expect(inputProblem(tool, input)).toBe(problem as string);
    });
  }

  test("an unknown tool's call names the tools there are", () => {
    const { all } = createRegistry([read, edit, bash]);
    expect(unknownTool("nosuch\ntool", all)).toBe(
      'There is no tool named "nosuch\\ntool". The tools are: read, edit, bash.',
    );
  });
});
