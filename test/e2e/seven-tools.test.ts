/**
 * One task over all seven tools through the compiled program: what each does is in the log and on the disk, the strict server
 * refuses nothing, the changes are proven, and the log is sound.
 */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type ScriptedTurn, sequence } from "../../src/simulator/index.ts";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { fsck, IN_ORDER, RUN_TIMEOUT_MS, readLog, resultOf, withModel } from "./stage.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

const files = {
  "add.sh": "add() { echo $(($1 - $2)); }\n",
  "test.sh":
    '. ./add.sh\n[ "$(add 2 3)" = 5 ] && echo "1 passed, 0 failed" || { echo "0 passed, 1 failed"; exit 1; }\n',
  ".gitignore": "*.pid\n",
};

const call = (name: string, input: Readonly<Record<string, unknown>>): ScriptedTurn => ({
  content: [
    { type: "thinking", thinking: `Now ${name}.` },
    { type: "tool_use", name, input },
  ],
});

const steps: readonly ScriptedTurn[] = [
  call("glob", { pattern: "**/*.sh" }),
  call("grep", { pattern: "add\\(", output_mode: "content" }),
  call("read", { file_path: "add.sh" }),
  call("bash", { command: "sh test.sh" }),
  call("edit", { file_path: "add.sh", old_string: "$1 - $2", new_string: "$1 + $2" }),
  call("write", { file_path: "docs/notes.txt", content: "add adds.\n" }),
  call("write", { file_path: "lib/double.sh", content: ". ./add.sh\nadd $1 $1\n" }),
  call("bash", {
    command: "chmod +x lib/double.sh && sed -i 's/add adds/add really adds/' docs/notes.txt && cp add.sh sum.sh",
  }),
  call("process", {
    action: "start",
    command: 'while read -r line; do echo "$line" >>heard.txt; echo "heard $line"; done',
    wait: 0,
  }),
  call("process", { action: "write", id: "p1", input: "hello\n", wait: 30 }),
  call("process", { action: "read", id: "p1" }),
  call("process", { action: "stop", id: "p1" }),
  call("read", { file_path: "docs/notes.txt" }),
  call("write", { file_path: "docs/notes.txt", content: "add adds, and heard of it.\n" }),
  call("bash", { command: "sh test.sh && sh lib/double.sh 4" }),
];

test(`${steps.length} steps with all seven tools end verified, and the log is sound`, () =>
  withModel(
    { script: sequence([...steps, { content: [{ type: "text", text: "It adds." }] }]), files },
    async (served) => {
      served.commit();
      const ran = await served.ask(["-p", "--yolo", "--output-format", "json", "make add add"]);
      expect([ran.code, ran.stderr, served.simulator.refusals]).toEqual([0, "", []]);
      expect(resultOf(ran)).toMatchObject({
        status: "completed",
        num_turns: steps.length + 1,
        result: "It adds.",
        verified: true,
        changed_files: ["add.sh", "docs/notes.txt", "lib/double.sh", "sum.sh", "heard.txt"],
        checks: [{ command: "sh test.sh", exitCode: 0, summary: "1 passed, 0 failed" }],
      });
      const [path = ""] = served.logs();
      const log = readLog(path);
      const of = (type: string) => log.filter((event) => event.type === type).map(({ payload }) => payload);
      expect([of("tool.completed").length, of("tool.failed"), of("tool.cancelled")]).toEqual([steps.length, [], []]);
      expect([...new Set(of("tool.started").map(({ toolName }) => toolName))].toSorted()).toEqual([
        "bash",
        "edit",
        "glob",
        "grep",
        "process",
        "read",
        "write",
      ]);
      expect(of("file.modified").map(({ operation, path: name }) => `${operation} ${name}`)).toEqual([
        "edit add.sh",
        "write docs/notes.txt",
        "write lib/double.sh",
        "exec docs/notes.txt",
        "exec lib/double.sh",
        "exec sum.sh",
        "exec heard.txt",
        "write docs/notes.txt",
      ]);
      expect(of("process.exited")).toMatchObject([{ cause: "stopped-by-tool" }]);
      const onDisk = (name: string) => readFileSync(join(served.project, name), "utf8");
      expect([onDisk("docs/notes.txt"), onDisk("heard.txt"), onDisk("sum.sh")]).toEqual([
        "add adds, and heard of it.\n",
        "hello\n",
        "add() { echo $(($1 + $2)); }\n",
      ]);
      expect(statSync(join(served.project, "lib/double.sh")).mode & 0o100).toBe(0o100);
      expect(await fsck(served, path)).toMatchObject(IN_ORDER);
    },
  ));
