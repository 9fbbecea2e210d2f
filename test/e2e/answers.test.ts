/** What an answer can be held to, and what a session and its models are asked for: flags and `khaelor models`. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Script, sequence } from "../../src/simulator/index.ts";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { fsck, IN_ORDER, RUN_TIMEOUT_MS, readLog, resultOf, type Served, TEST_KEY, withModel } from "./stage.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

const say = (text: string) => ({ content: [{ type: "text" as const, text }] });
const bash = (command: string) => ({
  content: [
    { type: "thinking" as const, thinking: "Look first." },
    { type: "tool_use" as const, name: "bash", input: { command } },
  ],
});

describe("an answer that has to fit a JSON schema", () => {
  const schema = { type: "object", properties: { n: { type: "integer", minimum: 3 } }, required: ["n"] };
  const files = {
    "n.json": JSON.stringify(schema),
    "text.json": '{"type":"object","properties":{"t":{"type":"string"}}}',
  };
  const asked = ["-p", "--yolo", "--json-schema", "n.json"];
  const formats = ({ simulator }: Served) =>
    simulator.requests.map(({ body }) => JSON.stringify((body as { output_config?: unknown }).output_config));

  test("is sent what the API can hold it to, from the first request to the last, and the session keeps it", () =>
    withModel({ script: sequence([bash("echo 1"), say('{"n":5}'), say('{"n":6}')]), files }, async (served) => {
      const ran = await served.ask([...asked, "count"]);
      expect([ran.code, ran.stdout, ran.stderr]).toEqual([0, '{"n":5}\n', ""]);
      const again = await served.ask(["-p", "-c", "and again"]);
      expect([again.code, again.stdout]).toEqual([0, '{"n":6}\n']);
      expect(new Set(formats(served))).toEqual(
        new Set([
          JSON.stringify({
            format: {
              type: "json_schema",
              schema: {
                type: "object",
                properties: { n: { type: "integer", description: "{minimum: 3}" } },
                additionalProperties: false,
                required: ["n"],
              },
            },
          }),
        ]),
      );
      expect(await fsck(served, served.logs()[0] ?? "")).toMatchObject(IN_ORDER);
      expect(served.simulator.refusals).toEqual([]);
    }));

  test("is asked for once more when it does not fit, and then the run fails with 8 and says why", () =>
    withModel(
      { script: sequence([say("prose"), say('{"n":7}'), say('{"n":1}'), say('{"n":2}')]), files },
      async (served) => {
        const ran = await served.ask([...asked, "count"]);
        expect([ran.code, ran.stdout]).toEqual([0, '{"n":7}\n']);
        const [path = ""] = served.logs();
        const repairs = () => readLog(path).filter(({ payload }) => payload.answerRepair === true);
        expect(repairs().map(({ payload }) => payload.text)).toEqual([expect.stringContaining("it is not JSON")]);
        const failed = await served.ask(["-p", "-c", "--output-format", "json", "again"]);
        expect(resultOf(failed)).toMatchObject({
          status: "failed",
          exit_code: 8,
          result: "",
          issues: [
            "The answer does not fit the JSON schema, also after it was asked for again: at /n the schema expects at least 3.",
          ],
        });
        expect(repairs()).toHaveLength(2);
        expect(await fsck(served, path)).toMatchObject(IN_ORDER);
        expect(served.simulator.refusals).toEqual([]);
      },
    ));

  test("may come to an old session, and change there: that begins a new epoch", () =>
    withModel(
      { script: sequence([bash("echo 1"), say("prose"), say('{"n":5}'), say('{"t":"x"}')]), files },
      async (served) => {
        expect((await served.ask(["-p", "--yolo", "go"])).stdout).toBe("prose\n");
        expect((await served.ask(["-p", "-c", "--json-schema", "n.json", "go"])).stdout).toBe('{"n":5}\n');
        expect((await served.ask(["-p", "-c", "--json-schema", "text.json", "go"])).stdout).toBe('{"t":"x"}\n');
        expect(new Set(formats(served)).size).toBe(3);
        expect(await fsck(served, served.logs()[0] ?? "")).toMatchObject(IN_ORDER);
        expect(served.simulator.refusals).toEqual([]);
      },
    ));

  test("needs a file that holds one", () =>
    withModel(
      { script: sequence([say("never")]), files: { "a.json": "[]", "b.json": "{", "c.json": "{}" } },
      async (served) => {
        for (const [file, why] of [
          ["a.json", "must hold a JSON Schema"],
          ["b.json", "not JSON"],
          ["c.json", "no JSON Schema"],
          [".", "not a regular file"],
          ["missing.json", "cannot be read"],
        ] as const) {
          const { code, stderr } = await served.ask(["-p", "--json-schema", file, "go"]);
          expect([code, stderr]).toEqual([2, expect.stringContaining(`--json-schema ${file}:`)]);
          expect(stderr).toContain(why);
        }
        expect(served.logs()).toEqual([]);
      },
    ));
});

test("--tools gives a new session those alone; an unknown one is named, an old session keeps its own", () =>
  withModel({ script: sequence([bash("echo 1"), say("ok"), say("ok")]) }, async (served) => {
    const wrong = await served.ask(["-p", "--tools", "read,gerp", "go"]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('no tool "gerp"; did you mean grep?')]);
    expect(served.logs()).toEqual([]);
    const ran = await served.ask(["-p", "--yolo", "--tools", "grep, read", "go"]);
    const { body } = served.simulator.requests[0] ?? {};
    expect([ran.code, body]).toEqual([0, expect.objectContaining({ tools: [expect.anything(), expect.anything()] })]);
    const failed = readLog(served.logs()[0] ?? "").find(({ type }) => type === "tool.failed");
    expect(failed?.payload.modelText).toContain("The tools are: read, grep.");
    const resumed = await served.ask(["-p", "-c", "--tools", "bash", "go"]);
    expect([resumed.code, resumed.stderr]).toEqual([2, expect.stringContaining("--tools is for a new session")]);
  }));

describe("--require-verified", () => {
  const edits: Script = sequence([
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
    say("It is done."),
  ]);
  const code = { "code.sh": "value=1\n" };

  test("is content with a check that passes", () =>
    withModel({ script: edits, files: { ...code, "test.sh": "exit 0\n" } }, async ({ ask }) => {
      const ran = await ask(["-p", "--yolo", "--require-verified", "--output-format", "json", "go"]);
      expect(resultOf(ran)).toMatchObject({ exit_code: 0, verified: true });
    }));

  test("is not content without a check, and hides no other code", () =>
    withModel({ script: edits, files: code }, async ({ ask }) => {
      const ran = await ask(["-p", "--yolo", "--require-verified", "--output-format", "json", "go"]);
      expect(resultOf(ran)).toMatchObject({ status: "completed", exit_code: 6, verified: false });
      expect(resultOf(ran).issues).toEqual([
        "Not verified: no test command that can run here was found in this project.",
      ]);
      const refused = await ask(["-p", "--require-verified", "go"]);
      expect(refused.code).toBe(4);
    }).then(() =>
      withModel({ script: sequence([say("Nothing to do.")]) }, async ({ ask }) => {
        const idle = await ask(["-p", "--require-verified", "go"]);
        expect([idle.code, idle.stderr]).toEqual([6, expect.stringContaining("--require-verified")]);
      }),
    ));
});

describe("khaelor models", () => {
  const list = async (served: Served, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) => {
    const ran = await served.ask(["models", "--json", ...args], { env });
    return { code: ran.code, stderr: ran.stderr, ...(JSON.parse(ran.stdout) as Record<string, unknown>) };
  };
  const asked = ({ simulator }: Served) =>
    simulator.requests.filter(({ path }) => path.startsWith("/v1/models")).length;

  test("asks once, then tells what it keeps; --refresh asks again; a run never does", () =>
    withModel({ script: sequence([say("ok")]) }, async (served) => {
      expect(await list(served)).toMatchObject({ code: 0, source: "api", notes: [] });
      expect(await list(served)).toMatchObject({ source: "cache" });
      await served.ask(["-p", "go"]);
      expect(asked(served)).toBe(1);
      expect(await list(served, ["--refresh"])).toMatchObject({ source: "api" });
      expect(asked(served)).toBe(2);
      const file = join(served.state, "cache/models.json");
      const { fetchedAt, ...kept } = JSON.parse(readFileSync(file, "utf8")) as { readonly fetchedAt: number };
      writeFileSync(file, JSON.stringify({ ...kept, fetchedAt: fetchedAt - 24 * 3_600_000 }));
      expect(await list(served)).toMatchObject({ source: "api" }); // a day later
      expect(asked(served)).toBe(3);
      const { stdout, code } = await served.ask(["models"]);
      expect([code, stdout]).toEqual([0, expect.stringMatching(/claude-opus-5-5 +1M +128K +4 \/ 20 .*default/)]);
      expect(stdout).toMatch(/claude-mythos-5 .*price unknown/);
      await served.simulator.close();
      const offline = await list(served, ["--refresh"]);
      const told = { source: "cache", notes: [expect.stringContaining("could not be asked")] };
      expect(offline).toMatchObject({ ...told, code: 8 });
    }));

  test("tells its own table without a key, the user's own prices, and a key that is refused with 3", () =>
    withModel({ script: sequence([say("ok")]), apiKey: "the-right-one" }, async (served) => {
      const keyless = await served.run(["models", "--json"]);
      expect([keyless.code, JSON.parse(keyless.stdout)]).toEqual([
        0,
        expect.objectContaining({ source: "table", fetched_at: null, notes: [expect.stringContaining("no API key")] }),
      ]);
      mkdirSync(served.state, { recursive: true });
      writeFileSync(
        join(served.state, "config.json"),
        JSON.stringify({ prices: { "claude-opus-5-5": { input: 1, output: 2, cacheRead: 0.1 } } }),
      );
      const own = await served.run(["models"]);
      expect(own.stdout).toMatch(/claude-opus-5-5 .* 1 \/ 2 /);
      const refused = await served.ask(["models"]);
      expect([refused.code, refused.stdout]).toEqual([3, ""]);
      expect(refused.stderr).toContain("key was refused (401)");
      expect(refused.stderr).not.toContain(TEST_KEY);
    }));

  test("is where a run with an unknown model points to, with the nearest name", () =>
    withModel({ script: sequence([say("never")]) }, async ({ ask }) => {
      const { code, stderr } = await ask(["-p", "-m", "claude-opus-5-6", "go"]);
      expect([code, stderr]).toEqual([2, expect.stringContaining("Did you mean claude-opus-5-5?")]);
      expect(stderr).toContain("khaelor models");
    }));
});
