/** What is kept, and what is said of it: `sessions`, `fsck`, `--help`, and a state folder that cannot be used. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type Script, type Simulator, sequence, startSimulator } from "../../src/simulator/index.ts";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { linesOf, openStage, RUN_TIMEOUT_MS, readLog, type Stage, TEST_KEY, withModel } from "./stage.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

const reads: Script = (request) =>
  request.index % 2 === 0
    ? {
        content: [
          { type: "text", text: "Looking." },
          { type: "tool_use", name: "read", input: { file_path: "notes.txt" } },
        ],
      }
    : { content: [{ type: "text", text: "It says \u001b]0;title\u0007hello." }] };

/** The beginning of a line. */
const CUT = '{"v":1,"id":"01';

describe("what is kept", () => {
  let stage: Stage;
  let simulator: Simulator;
  let path = "";
  let id = "";
  beforeAll(async () => {
    simulator = await startSimulator({ script: reads });
    stage = await openStage({ "notes.txt": "hello\n" });
    const env = { ANTHROPIC_API_KEY: TEST_KEY, ANTHROPIC_BASE_URL: simulator.url };
    await stage.run(["-p", "what does it say?"], { env });
    [path = ""] = stage.logs();
    id = readLog(path)[0]?.sessionId ?? "";
  });
  afterAll(async () => {
    await simulator.close();
    stage.close();
  });
  const copy = (name: string, change: (text: string) => string): string => {
    const to = join(stage.root, name);
    writeFileSync(to, change(readFileSync(path, "utf8")));
    return to;
  };

  test("sessions list: id, time, outcome and first words; as JSON one object a line; --all for other folders", async () => {
    const { code, stdout, stderr } = await stage.run(["sessions", "list"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(
      new RegExp(`^${id}  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d  completed\\s+what does it say\\?\\n$`),
    );
    const { meta } = JSON.parse((await stage.run(["sessions", "list", "--json"])).stdout);
    const east = await stage.run(["sessions"], { env: { TZ: "Asia/Kathmandu" } }); // 5 h 45 min before Greenwich
    const there = new Date(meta.updatedAt + 345 * 60_000).toISOString().slice(0, 16).replace("T", " ");
    expect(east.stdout).toContain(there);
    const json = await stage.run(["sessions", "--json"]);
    expect(
      json.stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { id, path, meta: { title: "what does it say?", lastOutcome: "completed", workingDirectory: stage.project } },
    ]);
    const elsewhere = await stage.run(["sessions", "list"], { cwd: stage.home });
    expect([elsewhere.code, elsewhere.stdout, elsewhere.stderr.includes("--all")]).toEqual([0, "", true]);
    const all = await stage.run(["sessions", "list", "--all"], { cwd: stage.home });
    expect(all.stdout).toContain(id);
  });

  test("sessions show: the conversation for people without what could drive a terminal, or the log's lines", async () => {
    const { code, stdout } = await stage.run(["sessions", "show", id.slice(0, 12)]);
    expect(code).toBe(0);
    for (const words of ["you: what does it say?", "Looking.", "▸ read notes.txt", "It says hello.", "■ done"]) {
      expect(stdout).toContain(words);
    }
    expect(stdout).not.toContain("\u001b");
    const json = await stage.run(["sessions", "show", id, "--json"]);
    expect(json.stdout).toBe(readFileSync(path, "utf8"));
    const missing = await stage.run(["sessions", "show", "7ZZZZZ"]);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("7ZZZZZ")]);
  });

  test("fsck: a whole log, a torn one, a damaged one, another file, no file", async () => {
    const torn = copy("torn.jsonl", (text) => text + CUT);
    const damaged = copy("damaged.jsonl", (text) => text.replace(/"seq":3,/, '"seq":4,'));
    const reports = await Promise.all(
      [id, path, id.slice(0, 10).toLowerCase(), torn, damaged].map((name) => stage.run(["fsck", name, "--json"])),
    );
    const events = readLog(path).length;
    expect(reports.map(({ code, stdout }) => [code, JSON.parse(stdout)])).toMatchObject([
      [0, { session_id: id, path, verdict: "ok", resumable: true, events, torn_bytes: 0, damage: [] }],
      [0, { session_id: id, path, verdict: "ok", unpaired: [], hash_mismatches: [] }],
      [0, { session_id: id, path, verdict: "ok" }],
      [10, { path: torn, verdict: "torn", resumable: true, events, torn_bytes: CUT.length }],
      [10, { path: damaged, verdict: "damaged", resumable: false, damage: [{ line: 3 }] }],
    ]);
    const text = await stage.run(["fsck", damaged]);
    expect([text.code, text.stdout]).toEqual([10, expect.stringContaining("line 3")]);
    const foreign = await stage.run(["fsck", join(stage.project, "notes.txt")]);
    expect([foreign.code, foreign.stdout]).toEqual([10, expect.stringContaining("damaged")]);
    const missing = await stage.run(["fsck", "/no/such.jsonl"]);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("/no/such.jsonl")]);
    const folder = await stage.run(["fsck", stage.project]);
    expect([folder.code, folder.stderr.includes("    at ")]).toEqual([10, false]);
  });

  test("a request that can no longer be rebuilt is named by its seq", async () => {
    const changed = copy("changed.jsonl", (text) => text.replace("what does it say?", "what does it hide?"));
    const { code, stdout } = await stage.run(["fsck", changed, "--json"]);
    const seqs = linesOf(readFileSync(changed, "utf8")).flatMap(({ type, seq }) =>
      type === "model.request-started" ? [seq] : [],
    );
    expect([code, JSON.parse(stdout)]).toEqual([10, expect.objectContaining({ verdict: "ok", hash_mismatches: seqs })]);
  });

  test("fsck --all judges every log, and fails if one is not in order", async () => {
    const other = await openStage();
    const folder = join(other.state, "sessions", "0123456789abcdef");
    mkdirSync(folder, { recursive: true });
    expect(await other.run(["fsck", "--all"])).toMatchObject({ code: 0, stdout: "" });
    copyFileSync(path, join(folder, `${id}.jsonl`));
    const second = id.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    writeFileSync(join(folder, `${second}.jsonl`), "not a log\n");
    const mixed = await other.run(["fsck", "--all", "--json"]);
    const verdicts = mixed.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).verdict);
    expect([mixed.code, verdicts.sort()]).toEqual([10, ["damaged", "ok"]]);
    other.close();
    const { code, stdout } = await stage.run(["fsck", "--all", "--json"]);
    expect([code, stdout.trim().split("\n").length]).toEqual([0, 1]);
  });

  test("a damaged session is listed as such, is not gone on with, and keeps every byte", async () => {
    const broken = readFileSync(path, "utf8").replace(/"seq":3,/, '"seq":4,');
    const second = id.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    const place = path.replace(id, second);
    writeFileSync(place, broken.replaceAll(id, second));
    const before = readFileSync(place, "utf8");
    const listed = await stage.run(["sessions", "list"]);
    expect(listed.stdout).toMatch(new RegExp(`${second}.*damaged`));
    const shown = await stage.run(["sessions", "show", second]);
    expect([shown.code, shown.stderr]).toEqual([10, expect.stringContaining("damaged at line 3")]);
    expect(shown.stdout).toContain("session");
    const env = { ANTHROPIC_API_KEY: TEST_KEY, ANTHROPIC_BASE_URL: simulator.url };
    const resumed = await stage.run(["-p", "-r", second, "more"], { env });
    expect([resumed.code, resumed.stderr]).toEqual([10, expect.stringContaining("line 3")]);
    expect(readFileSync(place, "utf8")).toBe(before);
    const newest = await stage.run(["-p", "-c", "more"], { env });
    expect([newest.code, newest.stdout, newest.stderr]).toEqual([10, "", expect.stringContaining(second)]);
    expect(readFileSync(place, "utf8")).toBe(before);
    rmSync(place);
    const next = await stage.run(["-p", "-c", "more", "--output-format", "json"], { env });
    expect(JSON.parse(next.stdout)).toMatchObject({ session_id: id, exit_code: 0 });
  });
});

test("output that is lost is not passed over, and a folder that has gone is named", async () => {
  const stage = await openStage();
  if (existsSync("/dev/full")) {
    const full = await stage.run([], { shell: '"$KHAELOR" --help >/dev/full' });
    expect([full.code, full.stderr]).toEqual([1, "khaelor: the standard output could not be written (ENOSPC)\n"]);
  }
  const gone = await stage.run([], { shell: 'mkdir gone && cd gone && rmdir ../gone && "$KHAELOR" -p hello' });
  expect([gone.code, gone.stderr]).toEqual([2, expect.stringMatching(/working directory no longer exists.*\n$/)]);
  stage.close();
});

describe("without doing anything", () => {
  test("--version and --help say so and touch nothing, also where nothing can be written", async () => {
    const stage = await openStage();
    const env = { HOME: "/dev/null", KHAELOR_HOME: "/dev/null/state", ANTHROPIC_API_KEY: undefined };
    const version = await stage.run(["--version"], { env });
    expect(version).toMatchObject({ code: 0, stdout: expect.stringMatching(/^khaelor \d+\.\d+\.\d+\n$/), stderr: "" });
    const help = await stage.run(["--help"], { env });
    expect([help.code, help.stderr]).toEqual([0, ""]);
    expect(help.stdout.split("\n").filter((line) => line.length > 120)).toEqual([]);
    for (const flag of [
      "--print",
      "--output-format",
      "--resume",
      "--continue",
      "--allow",
      "--yolo",
      "fsck",
      "sessions",
      "demo",
    ]) {
      expect(help.stdout).toContain(flag);
    }
    for (const args of [["help"], ["-h"], ["-p", "--help"], ["help", "--help"]]) {
      expect((await stage.run(args, { env })).stdout).toBe(help.stdout);
    }
    expect([existsSync(stage.state), existsSync(join(stage.home, ".khaelor"))]).toEqual([false, false]);
    stage.close();
  });
});

describe("a state folder that cannot be used", () => {
  const hello = sequence([{ content: [{ type: "text", text: "Hello." }] }]);
  const oneSentence = (stderr: string) => [stderr.trimEnd().split("\n").length, /\n {4}at /.test(stderr)];

  test("is named, with a way out, and nothing is asked of the model", () =>
    withModel({ script: hello }, async ({ ask, root, project, simulator }) => {
      writeFileSync(join(root, "file"), "");
      const below = await ask(["-p", "hello"], { env: { KHAELOR_HOME: join(root, "file", "state") } });
      expect([below.code, below.stdout, ...oneSentence(below.stderr)]).toEqual([2, "", 1, false]);
      expect(below.stderr).toContain(join(root, "file"));
      const relative = await ask(["-p", "hello"], { env: { KHAELOR_HOME: "state" } });
      expect([relative.code, relative.stderr]).toEqual([2, expect.stringContaining("absolute")]);
      if (process.getuid?.() !== 0) {
        mkdirSync(join(root, "closed"));
        chmodSync(join(root, "closed"), 0o500);
        const closed = await ask(["-p", "hello"], { env: { KHAELOR_HOME: join(root, "closed", "state") } });
        expect([closed.code, closed.stderr]).toEqual([10, expect.stringContaining("KHAELOR_HOME")]);
      }
      expect([simulator.requests.length, existsSync(join(project, "state"))]).toEqual([0, false]);
    }));

  test("that is full ends the run with 10 and keeps what was recorded", () =>
    withModel({ script: sequence([{ content: [{ type: "text", text: "word ".repeat(4_000) }] }]) }, async (served) => {
      // A limit for files stands for a full disk; no signal may come in its place.
      const { code, stderr } = await served.ask([], { shell: `trap '' XFSZ; ulimit -f 12; exec "$KHAELOR" -p hello` });
      expect([code, ...oneSentence(stderr)]).toEqual([10, 1, false]);
      expect(stderr).toContain("disk full");
      const [path = ""] = served.logs();
      expect(JSON.parse((await served.run(["fsck", path, "--json"])).stdout)).toMatchObject({
        torn_bytes: 0,
        damage: [],
      });
      const after = await served.ask(["-p", "--resume", "--output-format", "json"]);
      expect(JSON.parse(after.stdout)).toMatchObject({ status: "completed", exit_code: 0 });
    }));

  test("that is full, or a log that something else writes to, still gives a script its result line", () => {
    let disturb = (): void => undefined;
    const script: Script = () => {
      disturb();
      return { content: [{ type: "text", text: "word ".repeat(4_000) }] };
    };
    return withModel({ script }, async (served) => {
      const flags = "-p --output-format stream-json hello";
      const full = await served.ask([], { shell: `trap '' XFSZ; ulimit -f 12; exec "$KHAELOR" ${flags}` });
      const [path = ""] = served.logs();
      disturb = () => {
        for (const log of served.logs()) if (log !== path) appendFileSync(log, "x");
      };
      const foreign = await served.ask(["-p", "--output-format", "json", "hello"]);
      const results = [full, foreign].map(({ stdout }) => JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? ""));
      expect([full.code, foreign.code, full.stderr, foreign.stderr]).toEqual([10, 10, "", ""]);
      expect(results).toMatchObject([
        {
          type: "result",
          status: "failed",
          exit_code: 10,
          session_path: path,
          issues: [expect.stringContaining("disk full")],
        },
        { type: "result", status: "failed", exit_code: 10, issues: [expect.stringContaining("another program")] },
      ]);
    });
  });

  test("HOME need not be set when KHAELOR_HOME is, and a link to the state folder is as good", () =>
    withModel({ script: hello }, async (served) => {
      const homeless = await served.ask(["-p", "hello"], { env: { HOME: undefined } });
      expect([homeless.code, homeless.stdout]).toEqual([0, "Hello.\n"]);
      const link = join(served.root, "link");
      symlinkSync(served.state, link);
      const linked = await served.ask(["-p", "hello"], { env: { KHAELOR_HOME: link } });
      expect([linked.code, served.logs().length]).toEqual([0, 2]);
    }));
});
