/** When `khaelor -p` cannot, may not or need not finish: exit codes, and words that a person can act on. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Fault, type Script, sequence } from "../../src/simulator/index.ts";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import {
  fsck,
  IN_ORDER,
  linesOf,
  openStage,
  RUN_TIMEOUT_MS,
  readLog,
  resultOf,
  type Served,
  TEST_KEY,
  withModel,
} from "./stage.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

const says = (text: string): Script => sequence([{ content: [{ type: "text", text }] }]);

describe("what is typed wrongly", () => {
  const cases: readonly (readonly [args: readonly string[], words: string])[] = [
    [["-p", "--modle", "x", "hello"], "did you mean --model?"],
    [["-p", "--output-fromat=json", "hello"], "did you mean --output-format?"],
    [["-p", "--output-format", "yaml", "hello"], "text, json, stream-json"],
    [["-p", "--permission-mode", "sudo", "hello"], "ask, accept-edits, plan, bypass"],
    [["-p", "hello", "--model"], "--model needs a value"],
    [["-p", "--yolo=1", "hello"], "--yolo takes no value"],
    [["sesions", "list"], "did you mean sessions?"],
    [["sessions", "lst"], "did you mean list?"],
    [["fsk", "--all"], "did you mean fsck?"],
    [["demmo"], "did you mean demo?"],
    [["fsck"], "fsck"],
    [["-p"], "no prompt"],
    [["-p", "   "], "no prompt"],
    [["hello there"], "give the task with -p"],
    [[], "give the task with -p"],
    [["fsck", "7ZZZZZ"], "No session begins with 7ZZZZZ"],
  ];
  test("it ends with 2, says what is wrong and what to do, and begins nothing", () =>
    withModel({ script: says("no") }, async ({ ask, simulator, logs }) => {
      const outcomes = await Promise.all(cases.map(([args]) => ask(args)));
      const seen = outcomes.map(({ code, stdout, stderr }, at) => {
        const words = cases[at]?.[1] ?? "";
        return [code, stdout, stderr.includes(words) ? words : stderr];
      });
      expect(seen).toEqual(cases.map(([, words]) => [2, "", words]));
      expect([simulator.requests.length, logs()]).toEqual([0, []]);
    }));
});

describe("the key", () => {
  test("without one nothing is begun, and the ways to set one are named", async () => {
    const stage = await openStage();
    const { code, stdout, stderr } = await stage.run(["-p", "hello"]);
    expect([code, stdout, stage.logs()]).toEqual([3, "", []]);
    expect(stderr).toContain("ANTHROPIC_API_KEY");
    expect(stderr).toContain(join(stage.state, "credentials.json"));
    expect(stderr).toContain("khaelor demo");
    stage.close();
  });

  test("one that is refused gives 3 and advice, and stands nowhere", () =>
    withModel({ script: says("no"), apiKey: "the-right-one" }, async (served) => {
      const ran = await served.ask(["-p", "--debug", "--output-format", "json", "hello"]);
      expect(ran.code).toBe(3);
      const { result, issues, status, exit_code } = resultOf(ran);
      expect([status, exit_code, result]).toEqual(["failed", 3, ""]);
      expect(issues).toEqual([expect.stringMatching(/key was refused \(401\).*ANTHROPIC_API_KEY/)]);
      const text = await served.ask(["-p", "--debug", "hello"]);
      expect([text.code, text.stdout]).toEqual([3, ""]);
      expect(text.stderr).toContain("key was refused");
      expect(`${ran.stdout}${ran.stderr}${text.stderr}`).not.toContain(TEST_KEY);
      expect(served.stateFiles().some(({ path }) => path.endsWith("khaelor.log"))).toBe(true);
      expect(served.stateFiles().filter((file) => file.text.includes(TEST_KEY))).toEqual([]);
    }));
});

test("an unknown model gives 2 and names it", () =>
  withModel({ script: says("no") }, async (served) => {
    const { code, stderr } = await served.ask(["-p", "-m", "claude-opus-99", "hello"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("claude-opus-99")]);
    expect(await fsck(served, served.logs()[0] ?? "")).toMatchObject(IN_ORDER);
  }));

describe("a server that is always busy", () => {
  const busy = (headers: Readonly<Record<string, string>>): Script => {
    const fault: Fault = { kind: "http", status: 429, headers };
    return () => ({ content: [{ type: "text", text: "no" }], fault: Array.from({ length: 20 }, () => fault) });
  };

  test("after all attempts it is 75; each wait is told while it lasts, and recorded", () =>
    withModel({ script: busy({ "retry-after-ms": "1" }) }, async (served) => {
      const ran = await served.ask(["-p", "--output-format", "json", "hello"]);
      const { result, issues } = resultOf(ran);
      expect([ran.code, result, issues]).toEqual([75, "", [expect.stringContaining("429")]]);
      const failures = readLog(served.logs()[0] ?? "").filter(({ type }) => type === "model.request-failed");
      expect(failures.map(({ payload }) => payload.retriesExhausted)).toEqual([...Array(7).fill(false), true]);
      expect(ran.stderr.match(/trying again/g)).toHaveLength(7);
    }));

  test("a wait that is too long is not waited for", () =>
    withModel({ script: busy({ "retry-after": "3600" }) }, async ({ ask, simulator }) => {
      const { code, stderr } = await ask(["-p", "hello"]);
      expect([code, simulator.requests.length]).toEqual([75, 1]);
      expect(stderr).toContain("a wait of 60 minutes");
    }));
});

test("a server that fails gives 8", () =>
  withModel({ script: says("no") }, async ({ ask, simulator }) => {
    simulator.failNext({
      kind: "http",
      status: 400,
      body: { error: { type: "invalid_request_error", message: "odd" } },
    });
    const { code, stderr } = await ask(["-p", "hello"]);
    expect([code, stderr]).toEqual([8, expect.stringContaining("odd")]);
  }));

describe("consent with nobody to ask", () => {
  const writes: Script = sequence([
    { content: [{ type: "tool_use", name: "bash", input: { command: "touch made-by-the-model" } }] },
    { content: [{ type: "text", text: "I could not do it." }] },
  ]);
  const made = ({ project }: Served) => existsSync(join(project, "made-by-the-model"));

  test("the call is refused and the model told; the run ends with 4 and says what would have been needed", () =>
    withModel({ script: writes }, async (served) => {
      const ran = await served.ask(["-p", "make it"]);
      expect([ran.code, ran.stdout, made(served)]).toEqual([4, "I could not do it.\n", false]);
      expect(ran.stderr).toContain("touch made-by-the-model");
      expect(ran.stderr).toContain("--allow");
      const again = await served.ask(["-p", "--output-format", "json", "make it"]);
      expect(resultOf(again)).toMatchObject({ status: "completed", exit_code: 4 });
      expect(again.code).toBe(4);
    }));

  test("--allow for this command lets it run; --deny refuses it even under --yolo; --yolo lets it run", () =>
    withModel({ script: writes }, async (served) => {
      const allowed = await served.ask(["-p", "--allow", "touch *", "--permission-mode", "accept-edits", "make it"]);
      expect([allowed.code, made(served)]).toEqual([0, true]);
    }).then(() =>
      withModel({ script: writes }, async (served) => {
        const denied = await served.ask(["-p", "--yolo", "--deny", "touch *", "make it"]);
        expect([denied.code, denied.stdout, made(served)]).toEqual([0, "I could not do it.\n", false]);
        const trusting = await served.ask(["-p", "--yolo", "make it"]);
        expect([trusting.code, made(served)]).toEqual([0, true]);
      }),
    ));
});

describe("a check that stays red", () => {
  const files = { "value.txt": "1\n", "code.sh": "value=1\n", "test.sh": 'echo "0 passed, 1 failed"; exit 1\n' };
  const stubborn: Script = (request) => {
    const turns: Parameters<typeof sequence>[0] = [
      { content: [{ type: "tool_use", name: "read", input: { file_path: "code.sh" } }] },
      {
        content: [
          {
            type: "tool_use",
            name: "edit",
            input: { file_path: "code.sh", old_string: "value=1", new_string: "value=2" },
          },
        ],
      },
    ];
    return turns[request.index] ?? { content: [{ type: "text", text: "It is finished, I think." }] };
  };

  test("the run ends with 6, whatever the model says, and shows the exit code", () =>
    withModel({ script: stubborn, files }, async (served) => {
      const ran = await served.ask(["-p", "--yolo", "--output-format", "stream-json", "change it"]);
      expect(ran.code).toBe(6);
      expect(linesOf(ran.stdout).at(-1) as unknown).toMatchObject({
        type: "result",
        status: "completed",
        exit_code: 6,
        verified: false,
        changed_files: ["code.sh"],
        checks: [{ command: "sh test.sh", exitCode: 1 }],
        issues: ["`sh test.sh` fails with exit code 1."],
      });
      expect(served.simulator.refusals).toEqual([]);
    }));
});
