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
