/**
 * What is given wrongly, and what is not there: each is told with what, where and what next, ends with its own exit code, and
 * costs nothing that was kept. The state folder's own troubles are in bad-input-state.test.ts.
 */
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Script, sequence } from "../../src/simulator/index.ts";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import {
  fsck,
  IN_ORDER,
  linesOf,
  type Ran,
  RUN_TIMEOUT_MS,
  readLog,
  resultOf,
  type Served,
  withModel,
} from "./stage.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

const hello: Script = () => ({ content: [{ type: "text", text: "Hello." }] });

/** Words for people, and no stack of ours. */
const told = ({ code, stdout, stderr }: Ran) => [code, stdout, /internal error|\n {4}at /.test(stderr)];

/** A file where it is read, with the folders above it. */
function put(path: string, text: string): string {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
  return path;
}

describe("a run that had begun ends with its result line, whatever the server says", () => {
  const cases: readonly (readonly [
    what: string,
    options: { readonly apiKey?: string; readonly model?: string },
    code: number,
    words: RegExp,
  ])[] = [
    ["a wrong key", { apiKey: "the-right-one" }, 3, /key was refused \(401\).*ANTHROPIC_API_KEY/],
    ["an unknown model", { model: "claude-opus-99" }, 2, /claude-opus-99/],
  ];
  for (const [what, { apiKey, model }, code, words] of cases) {
    test(what, () =>
      withModel({ script: hello, ...(apiKey !== undefined && { apiKey }) }, async (served) => {
        const chosen = model === undefined ? [] : ["-m", model];
        const ran = await served.ask(["-p", ...chosen, "--output-format", "stream-json", "hello"]);
        const last: unknown = linesOf(ran.stdout).at(-1);
        expect(ran.code).toBe(code);
        expect(last).toMatchObject({
          type: "result",
          status: "failed",
          exit_code: code,
          result: "",
          issues: expect.arrayContaining([expect.stringMatching(words)]),
        });
        const [path = ""] = served.logs();
        expect(await fsck(served, path)).toMatchObject(IN_ORDER);
        const types = readLog(path).map(({ type }) => type);
        expect([types.includes("user.message-created"), types.at(-1)]).toEqual([true, "task.failed"]);
      }),
    );
  }
});

describe("a configuration that cannot be understood", () => {
  const cases: readonly (readonly [
    what: string,
    place: (served: Served) => string,
    text: string,
    words: readonly string[],
  ])[] = [
    ["the user's, no JSON", ({ state }) => join(state, "config.json"), '{\n  "model": "x",\n  oops\n}\n', ["3"]],
    [
      "the user's, a word of the wrong kind",
      ({ state }) => join(state, "config.json"),
      '{ "effort": 3 }\n',
      ["effort"],
    ],
    [
      "the project's, a mode that there is not",
      ({ project }) => join(project, ".khaelor", "config.json"),
      '{\n\n  "permissionMode": "sudo"\n}\n',
      ["permissionMode", "accept-edits", "sudo", "3"],
    ],
  ];
  for (const [what, place, text, words] of cases) {
    test(`${what}: the file and what is expected in it are named, and nothing is begun`, () =>
      withModel({ script: hello }, async (served) => {
        const path = put(place(served), text);
        const ran = await served.ask(["-p", "--output-format", "json", "hello"]);
        expect(told(ran)).toEqual([2, "", false]);
        for (const word of ["repaired", path, ...words]) expect(ran.stderr).toContain(word);
        expect([served.simulator.requests.length, served.logs()]).toEqual([0, []]);
        expect(readFileSync(path, "utf8")).toBe(text);
      }));
  }

  test("what only looks at what was kept works all the same", () =>
    withModel({ script: hello }, async (served) => {
      await served.ask(["-p", "hello"]);
      put(join(served.state, "config.json"), "{ oops");
      const [path = ""] = served.logs();
      expect(await fsck(served, path)).toMatchObject(IN_ORDER);
      expect((await served.run(["sessions", "list"])).stdout).toContain("hello");
    }));

  test("a key file that is no JSON, or that others can read: 3, with its path and what to do", () =>
    withModel({ script: hello }, async (served) => {
      const path = put(join(served.state, "credentials.json"), "not json");
      chmodSync(path, 0o600);
      const env = { ANTHROPIC_API_KEY: undefined };
      const broken = await served.ask(["-p", "hello"], { env });
      expect(told(broken)).toEqual([3, "", false]);
      expect(broken.stderr).toContain(path);
      writeFileSync(path, '{ "apiKey": "sk-test-0123456789" }');
      chmodSync(path, 0o644);
      const open = await served.ask(["-p", "hello"], { env });
      expect(told(open)).toEqual([3, "", false]);
      expect(open.stderr).toContain(path);
      expect(open.stderr).toContain("600");
      expect([served.simulator.requests.length, served.logs()]).toEqual([0, []]);
    }));
});

describe("where one stands", () => {
  test("a folder that is no repository is as good as any: nothing is said of git, and nothing is missing", () =>
    withModel({ script: hello, files: { "a.txt": "a\n" } }, async (served) => {
      const ran = await served.ask(["-p", "hello"]);
      expect([ran.code, ran.stdout, ran.stderr]).toEqual([0, "Hello.\n", ""]);
      const [path = ""] = served.logs();
      const log = readLog(path);
      expect(log[0]?.payload).toMatchObject({ gitBranch: null, workingDirectory: served.project });
      expect(log.some(({ type }) => type === "git.baseline-recorded")).toBe(false);
      const said = log.find(({ type }) => type === "user.message-created")?.payload;
      expect(said?.context).toMatchObject([{ name: "environment" }]);
      expect(await fsck(served, path)).toMatchObject(IN_ORDER);
    }));

  test("a repository that git cannot read is no reason to stop", () =>
    withModel({ script: hello, files: { ".git/HEAD": "rubbish\n", ".git/config": "[[[\n" } }, async (served) => {
      const ran = await served.ask(["-p", "hello"]);
      expect([ran.code, ran.stdout, ran.stderr]).toEqual([0, "Hello.\n", ""]);
    }));
});

describe("a session to go on with", () => {
  const twice = async (served: Served): Promise<readonly string[]> => {
    await served.ask(["-p", "about zebras"]);
    await served.ask(["-p", "about zebus"]);
    return served.logs().map((path) => String(readLog(path)[0]?.sessionId));
  };
  const texts = (served: Served): readonly string[] => served.logs().map((path) => readFileSync(path, "utf8"));

  test("an id that there is not, a beginning that fits none or two, none at all: 2, with what there is", () =>
    withModel({ script: hello }, async (served) => {
      const none = await served.ask(["-p", "-c", "more"]);
      expect(told(none)).toEqual([2, "", false]);
      expect(none.stderr).toMatch(/no session of this project/);
      expect(existsSync(join(served.state, "sessions"))).toBe(false);

      const ids = await twice(served);
      const before = texts(served);
      const [requests, shared = ""] = [served.simulator.requests.length, ids[0]?.slice(0, 6)];
      const cases: readonly (readonly [typed: string, words: readonly string[]])[] = [
        ["01J8ZQ0000SESS0000000000AA", ["01J8ZQ0000SESS0000000000AA", "khaelor sessions list"]],
        ["7ZZZZZ", ["7ZZZZZ", "khaelor sessions list"]],
        [shared, [`2 sessions begin with ${shared}`, "about zebras", "about zebus", ...ids]],
      ];
      for (const [typed, words] of cases) {
        const ran = await served.ask(["-p", "--output-format", "json", "-r", typed, "more"]);
        expect([typed, ...told(ran)]).toEqual([typed, 2, "", false]);
        for (const word of words) expect(ran.stderr).toContain(word);
      }
      expect([served.simulator.requests.length, texts(served)]).toEqual([requests, before]);
    }));

  test("a second process on the same session: 10, who holds it, and both logs as they should be", async () => {
    const { promise: reached, resolve } = Promise.withResolvers<void>();
    const slow = sequence([{ content: [{ type: "text", text: "It comes slowly. ".repeat(20) }] }]);
    await withModel({ script: slow, stream: { deltaMs: 20 }, onEvent: () => resolve() }, async (served) => {
      const first = served.begin(["-p", "--output-format", "json", "tell me"]);
      await reached;
      const [path = ""] = served.logs();
      const id = String(readLog(path)[0]?.sessionId);
      const others = await Promise.all(
        ["text", "json", "stream-json"].map((form) => served.ask(["-p", "--output-format", form, "-r", id, "me too"])),
      );
      expect(others.map(told)).toEqual(Array(3).fill([10, "", false]));
      for (const { stderr } of others) {
        for (const words of [id, `process ${first.pid}`, "khaelor sessions show"]) expect(stderr).toContain(words);
      }
      const ran = await first.done;
      expect([ran.code, resultOf(ran).status]).toEqual([0, "completed"]);
      expect([served.logs(), await fsck(served, path)]).toMatchObject([[path], IN_ORDER]);
      expect(readFileSync(path, "utf8")).not.toContain("me too");
    });
  });
});
