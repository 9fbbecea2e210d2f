/** The key that the program works with is shown to nobody: not to the log, not to the model, not to a command's own world. */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { type Script, sequence } from "../../src/simulator/index.ts";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { fsck, IN_ORDER, RUN_TIMEOUT_MS, resultOf, TEST_KEY, withModel } from "./stage.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

const OTHER_KEY = "token-of-the-user-0123456789";

const looks: Script = sequence([
  {
    content: [
      { type: "tool_use", name: "read", input: { file_path: "notes.txt" } },
      { type: "tool_use", name: "bash", input: { command: "cat notes.txt; ps eww -p $PPID -o args; env" } },
      {
        type: "tool_use",
        name: "bash",
        input: { command: "[ ! -r /proc/$PPID/environ ] || tr '\\0' ' ' < /proc/$PPID/environ" },
      },
    ],
  },
  { content: [{ type: "text", text: "Nothing to see." }] },
]);

test("nor from a file that is edited or changed by a command, nor from instructions", () => {
  const edit = { file_path: "notes.txt", old_string: "end", new_string: "END" };
  const works: Script = sequence([
    { content: [{ type: "tool_use", name: "read", input: { file_path: "notes.txt" } }] },
    { content: [{ type: "tool_use", name: "edit", input: edit }] },
    { content: [{ type: "tool_use", name: "bash", input: { command: "echo more >> notes.txt; rm other.txt" } }] },
    { content: [{ type: "text", text: "Done." }] },
  ]);
  const files = {
    "notes.txt": `key=${TEST_KEY}\nend\n`,
    "other.txt": TEST_KEY,
    "AGENTS.md": `Use ${TEST_KEY} for it.`,
  };
  return withModel({ script: works, files }, async (served) => {
    const ran = await served.ask(["-p", "--yolo", "--output-format", "json", "work"]);
    expect(resultOf(ran)).toMatchObject({ exit_code: 0, changed_files: ["notes.txt", "other.txt"] });
    expect(served.stateFiles().filter(({ text }) => text.includes(TEST_KEY))).toEqual([]);
    expect(served.simulator.requests.filter(({ raw }) => raw.includes(TEST_KEY))).toEqual([]);
    expect(served.simulator.requests.at(-1)?.raw).toContain("Use [redacted] for it.");
    expect(await fsck(served, served.logs()[0] ?? "")).toMatchObject(IN_ORDER);
  });
});

test("even where a file, a command or the prompt itself holds it", () =>
  withModel({ script: looks, files: { "notes.txt": `key=${TEST_KEY}\ntoken=${OTHER_KEY}\n` } }, async (served) => {
    const ran = await served.ask(["-p", "--yolo", "--output-format", "json", `look for ${TEST_KEY}`], {
      env: { ANTHROPIC_AUTH_TOKEN: OTHER_KEY },
    });
    expect([ran.code, resultOf(ran).result]).toEqual([0, "Nothing to see."]);
    for (const key of [TEST_KEY, OTHER_KEY]) {
      expect(ran.stdout + ran.stderr).not.toContain(key);
      expect(served.stateFiles().filter(({ text }) => text.includes(key))).toEqual([]);
      expect(served.simulator.requests.filter(({ raw }) => raw.includes(key))).toEqual([]);
    }
    expect(served.simulator.requests.at(-1)?.raw).toContain("key=[redacted]");
    expect(await fsck(served, served.logs()[0] ?? "")).toMatchObject(IN_ORDER);
  }));
