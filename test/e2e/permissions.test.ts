/** `khaelor permissions` through the compiled program: verdicts for scripts, the rules in force, suggestions, trust. */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ScriptedTurn, sequence } from "../../src/simulator/index.ts";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { openStage, RUN_TIMEOUT_MS, withModel } from "./stage.ts";
import { talk } from "./talk.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

interface Case {
  readonly id: string;
  readonly command: string;
  readonly expect: string;
  readonly also_ok?: readonly string[];
  readonly setup?: unknown;
}

const cases: readonly Case[] = JSON.parse(
  readFileSync(join(import.meta.dir, "../cases/permission.json"), "utf8"),
).cases.filter(({ setup }: Case) => setup === undefined);

const json = (text: string): readonly Record<string, unknown>[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

test("a batch answers every case as the acceptance data wants it, in order, and executes nothing", async () => {
  const stage = await openStage();
  try {
    const stdin = cases.map(
      (given) =>
        `${JSON.stringify(given, ["id", "command", "cwd", "home", "rules", "capability", "pattern", "action"])}\n`,
    );
    const { code, stdout, stderr } = await stage.run(["permissions", "test", "--batch"], { stdin: stdin.join("") });
    const answers = json(stdout);
    expect([code, stderr, answers.map(({ id }) => id)]).toEqual([0, "", cases.map(({ id }) => id)]);
    const wrong = answers.filter(({ verdict }, at) => {
      const { expect: wanted = "", also_ok: others = [] } = cases[at] ?? {};
      return ![wanted, ...others].includes(String(verdict));
    });
    expect([wrong, stage.stateFiles()]).toEqual([[], []]);
  } finally {
    stage.close();
  }
});

test("an empty path is judged as the evaluator judges it, and an answer stays one line for every reader of lines", async () => {
  const stage = await openStage();
  try {
    const stdin = `{"id":"a\\u2028b","command":"echo \\u0085\\u2029"}\n{"id":2,"path":"","op":"read"}\n`;
    const { code, stdout } = await stage.run(["permissions", "test", "--batch"], { stdin });
    const answers = json(stdout).map(({ id, verdict }) => [id, verdict]);
    expect([code, /[\u0085\u2028\u2029]/.test(stdout)]).toEqual([0, false]);
    expect(answers).toEqual([
      ["a\u2028b", "allow"],
      [2, "deny"],
    ]);
  } finally {
    stage.close();
  }
});

test("a line that is no question is answered with what is wrong, the others are judged, and the end is 2", async () => {
  const stage = await openStage();
  try {
    const stdin =
      '{"id":1,"command":"ls"}\n{nonsense\n\n{"id":3}\n{"id":4,"path":"a","op":"rename"}\n{"id":5,"path":"a.txt","op":"write"}';
    const { code, stdout, stderr } = await stage.run(["permissions", "test", "--batch"], { stdin });
    const answers = json(stdout).map(({ id, line, verdict, error }) => [
      id ?? line,
      verdict ?? String(error).slice(0, 40),
    ]);
    expect([code, answers]).toEqual([
      2,
      [
        [1, "allow"],
        [2, expect.stringContaining("not JSON")],
        [3, "expected a command or a path"],
        [4, expect.stringContaining("op: expected")],
        [5, "ask"],
      ],
    ]);
    expect(stderr.split("\n").filter((line) => /line [245]: /.test(line))).toHaveLength(3);
  } finally {
    stage.close();
  }
});

test("one command is explained, by the rules of a file, of another mode and of the project", async () => {
  const stage = await openStage({
    "rules.json": '[{"capability":"process.execute","pattern":"npm test *","action":"allow"}]',
    "broken.json": '[{"capability":"process.execute","pattern":"x","action":"maybe"}]',
    ".khaelor/config.json": '{"permissions":[{"capability":"process.execute","pattern":"make *","action":"deny"}]}',
  });
  try {
    stage.commit();
    const ask = async (...args: string[]) => {
      const { code, stdout, stderr } = await stage.run(["permissions", "test", ...args]);
      return [code, stdout.split("\n")[0], stderr];
    };
    expect(
      await Promise.all([
        ask("npm test -- --watch"),
        ask("npm test -- --watch", "--rules", "rules.json"),
        ask("npm test", "--mode", "bypass"),
        ask("rm -rf /", "--mode", "bypass"),
        ask("make all"),
        ask("make all", "--rules", "rules.json"),
        ask("--path", "src/a.ts", "--op", "write"),
        ask("--path", "../a.ts"),
      ]),
    ).toEqual([
      [0, "ask: Run `npm test -- --watch`", ""],
      [0, "allow: Run `npm test -- --watch`", ""],
      [0, "allow: Run `npm test`", ""],
      [0, "deny: Run `rm -rf /`", ""],
      [0, "deny: Run `make all`", ""],
      [0, "ask: Run `make all`", ""],
      [0, "ask: Write src/a.ts", ""],
      [0, "ask: Read ../a.ts", ""],
    ]);
    const refused = await Promise.all([
      ask("x", "--rules", "missing.json"),
      ask("x", "--rules", "broken.json"),
      ask(),
      ask("ls", "--path", "x"),
    ]);
    expect(refused).toEqual([
      [2, "", expect.stringContaining("--rules missing.json")],
      [2, "", expect.stringContaining("0.action: expected")],
      [2, "", expect.stringContaining("What is to be judged?")],
      [2, "", expect.stringContaining("not both")],
    ]);
  } finally {
    stage.close();
  }
});

test("a project's allow rules are listed only when its folder is trusted", async () => {
  const stage = await openStage({
    ".khaelor/config.json": '{"permissions":[{"capability":"process.execute","pattern":"make *","action":"allow"}]}',
  });
  try {
    stage.commit();
    mkdirSync(stage.state, { recursive: true });
    const rule = { capability: "process.execute", pattern: "npm test", action: "deny" };
    writeFileSync(join(stage.state, "config.json"), JSON.stringify({ permissions: [rule] }));
    const listed = async () => json((await stage.run(["permissions", "list", "--json"])).stdout);
    const own = { ...rule, source: "user" };
    expect(await listed()).toEqual([{ project: stage.project, mode: "ask", rules: [own] }]);
    const { code, stdout } = await stage.run(["permissions", "trust"]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(`${stage.project}/.khaelor/config.json count from now on`),
    ]);
    const project = { capability: "process.execute", pattern: "make *", action: "allow", source: "project" };
    expect(await listed()).toEqual([{ project: stage.project, mode: "ask", rules: [own, project] }]);
  } finally {
    stage.close();
  }
});

test("a folder that was added is read like the project; what is none, or holds the home, is refused", async () => {
  const stage = await openStage({ "a.txt": "x" });
  try {
    const beside = join(stage.root, "beside");
    mkdirSync(beside);
    const ask = async (...args: string[]) => {
      const { code, stdout, stderr } = await stage.run(["permissions", "test", "--path", join(beside, "x"), ...args]);
      return [code, stdout.split(":")[0], stderr];
    };
    const answers = await Promise.all([
      ask(),
      ask("--add-dir", beside),
      ask("--add-dir", "../beside"),
      ask("--add-dir", join(stage.root, "nowhere")),
      ask("--add-dir", stage.root),
    ]);
    expect(answers).toEqual([
      [0, "ask", ""],
      [0, "allow", ""],
      [0, "allow", ""],
      [2, "", expect.stringContaining("is no folder")],
      [2, "", expect.stringContaining("whole home folder")],
    ]);
  } finally {
    stage.close();
  }
});

test("an always that cannot be kept lets the call run, and is told", () => {
  const touch = (name: string): ScriptedTurn => ({
    content: [{ type: "tool_use", name: "bash", input: { command: `touch ${name}` } }],
  });
  const script = sequence([touch("a"), { content: [{ type: "text", text: "Done." }] }]);
  return withModel({ script, files: { "make.sh": "" } }, async (served) => {
    const front = talk(served, ["--allow", "file.write.project:*"]);
    front.send({ kind: "submit-message", text: "touch" });
    const { payload: asked } = await front.next("permission.requested");
    writeFileSync(join(served.state, "permissions.json"), "{ broken");
    front.send({ kind: "permission-response", requestId: asked?.permissionRequestId, decision: "always-user" });
    expect(await front.next("result")).toMatchObject({ exit_code: 0, result: "Done." });
    const ran = await front.end();
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("holds for this session only")]);
    expect(readFileSync(join(served.state, "permissions.json"), "utf8")).toBe("{ broken");
  });
});

test("a file of rules that has no end, and a line that has none, are not read for ever", async () => {
  const stage = await openStage();
  try {
    const endless = await stage.run(["permissions", "test", "ls", "--rules", "/dev/zero"]);
    expect([endless.code, endless.stderr]).toEqual([2, expect.stringContaining("not a regular file")]);
    const stdin = `"${"x".repeat(3 * 1024 * 1024)}"\n{"id":2,"command":"ls"}`;
    const { code, stdout } = await stage.run(["permissions", "test", "--batch"], { stdin });
    expect([code, json(stdout).map(({ line, id, verdict }) => [line, id, verdict])]).toEqual([
      2,
      [
        [1, undefined, undefined],
        [undefined, 2, "allow"],
      ],
    ]);
  } finally {
    stage.close();
  }
});
