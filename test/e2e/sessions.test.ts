/** The commands about sessions, as a user's script meets them: what they print, refuse, remove and end with. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sequence } from "../../src/simulator/index.ts";
import { BUILD_TIMEOUT_MS } from "../support/binary.ts";
import { fsck, IN_ORDER, openStage, RUN_TIMEOUT_MS, resultOf, type Stage, withModel } from "./stage.ts";
import { own, session, startedIn, storeIn, today } from "./written-sessions.ts";

const EXIT_USAGE = 2;
const EXIT_LOG = 10;
let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
}, BUILD_TIMEOUT_MS);
afterAll(() => stage.close());

const hello = sequence([
  { content: [{ type: "text", text: "First answer." }] },
  { content: [{ type: "text", text: "Second answer." }] },
  { content: [{ type: "text", text: "Third answer." }] },
]);

describe("a run", () => {
  test(
    "goes on in a fork, under a given id and name, and counts only itself",
    () =>
      withModel({ script: hello }, async ({ ask, run, state, project, ...rest }) => {
        const first = resultOf(await ask(["-p", "about zebras", "--output-format", "json", "--name", "One"]));
        const id = "01J8ZQ0000SESS0000000000BB";
        const parent = readFileSync(String(first.session_path), "utf8");
        const forked = await ask([
          ...["-p", "on", "-c", "--fork-session", "--session-id", id.toLowerCase()],
          ...["-n", "Two\nlines", "--output-format", "json"],
        ]);
        expect([forked.code, forked.stderr]).toEqual([0, ""]);
        const result = resultOf(forked);
        expect(result).toMatchObject({ session_id: id, num_turns: 1, result: "Second answer." });
        const usage = result.usage as Readonly<Record<string, number>>;
        expect(usage.cache_read ?? 0).toBeGreaterThan(0);
        expect(usage.output).toBeLessThan(20);
        expect(readFileSync(String(first.session_path), "utf8")).toBe(parent);
        expect(readFileSync(String(result.session_path), "utf8").startsWith(parent)).toBe(true);
        const served = { ...rest, run, state, project };
        expect(await fsck(served as Stage, id)).toMatchObject(IN_ORDER);
        const { stdout } = await run(["sessions", "list"]);
        expect(stdout).toContain(`Two lines  (fork of ${first.session_id}@`);
        expect(stdout).toMatch(/completed {5}One\n/);

        const again = await ask(["resume", "zebras"]);
        expect([again.code, again.stderr]).toEqual([EXIT_USAGE, expect.stringContaining("nothing to go on with")]);
        const taken = await ask(["-p", "x", "--session-id", id]);
        expect([taken.code, taken.stderr]).toEqual([EXIT_USAGE, expect.stringContaining(`a session ${id} already`)]);
        const stats = await run(["stats", "--json"]);
        expect(JSON.parse(stats.stdout)).toMatchObject({
          sessions: 2,
          turns: 2,
          requests: 2,
          outcomes: { completed: 2 },
        });
      }),
    RUN_TIMEOUT_MS,
  );

  test(
    "that is to keep nothing leaves nothing, also when it is stopped",
    () =>
      withModel(
        {
          script: () => ({
            content: [{ type: "tool_use", name: "bash", input: { command: "seq 100000; read x < pipe" } }],
          }),
        },
        async ({ begin, ask, state, project, stateFiles }) => {
          Bun.spawnSync(["mkfifo", "pipe"], { cwd: project });
          const running = begin(["-p", "go", "--no-session", "--yolo", "--output-format", "stream-json"]);
          while (!running.stdout().includes('"tool.started"')) await Bun.sleep(20);
          expect(readdirSync(join(state, "throwaway"))).toHaveLength(1);
          running.kill("SIGTERM");
          const { code, stdout } = await running.done;
          const last = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as Readonly<Record<string, unknown>>;
          expect([code, last.session_path, last.issues]).toEqual([143, null, ["The run was interrupted."]]);
          expect(stateFiles().map(({ path }) => path.slice(state.length))).toEqual([]);
          const wrong = await ask(["-p", "on", "-c", "--no-session"]);
          expect([wrong.code, wrong.stderr]).toEqual([EXIT_USAGE, expect.stringContaining("keeps nothing")]);
        },
      ),
    RUN_TIMEOUT_MS,
  );

  test("is refused when what names its session contradicts itself", async () => {
    const refused: readonly (readonly [args: readonly string[], words: string])[] = [
      [["-p", "x", "--fork", "01J8", "-c"], "leave out --resume"],
      [["-p", "x", "--fork-session"], "goes with --resume or --continue"],
      [["-p", "x", "--session-id", "abc"], "must be a ULID"],
      [["-p", "x", "-c", "--session-id", "01J8ZQ0000SESS0000000000BB"], "needs --fork-session"],
      [["-p", "x", "--fork", "01J8@x"], "behind @ stands the number of an event"],
      [["-p", "x", "--name", " "], "A title needs at least one letter"],
      [["-p", "x", "--fork", "01J8ZQ0000SESS0000000000BB"], "there is no session 01J8ZQ0000SESS0000000000BB"],
    ];
    for (const [args, words] of refused) {
      const { code, stderr, stdout } = await stage.run(args, { env: { ANTHROPIC_API_KEY: "sk-x" } });
      expect([args, code, stdout, stderr]).toEqual([args, EXIT_USAGE, "", expect.stringContaining(words)]);
    }
  });
});

describe("khaelor sessions", () => {
  test("renames, and exports as Markdown or as lines", () =>
    own(async (alone) => {
      const id = await session(alone, "say ```` it");
      expect(await alone.run(["sessions", "rename", id, "A", "new", "title"])).toMatchObject({ code: 0, stderr: "" });
      const [path = ""] = alone.logs();
      expect((await alone.run(["sessions", "export", id, "--jsonl"])).stdout).toBe(readFileSync(path, "utf8"));
      const markdown = (await alone.run(["sessions", "export"])).stdout;
      expect(markdown).toContain("## You\n\nsay ```` it\n");
      expect(markdown).toContain("*Named: A new title*");
      expect((await alone.run(["sessions", "list"])).stdout).toContain("A new title");
      const slip = await alone.run(["sessions", "exprot"]);
      expect([slip.code, slip.stderr]).toEqual([EXIT_USAGE, expect.stringContaining("did you mean export?")]);
    }));

  test("delete says what goes, asks for --yes, and touches no session that is open", () =>
    own(async (alone) => {
      const [a, b] = [await session(alone, "goes"), await session(alone, "stays")];
      const unsure = await alone.run(["sessions", "delete", a]);
      expect([unsure.code, unsure.stderr]).toEqual([EXIT_USAGE, expect.stringContaining("add --yes")]);
      expect(unsure.stdout).toContain(`session ${a}`);
      expect(alone.logs()).toHaveLength(2);
      expect((await alone.run(["sessions", "delete", "--yes"])).code).toBe(EXIT_USAGE);
      expect((await alone.run(["sessions", "delete", "", "--yes"])).code).toBe(EXIT_USAGE); // "$ID" that is not set
      expect(alone.logs()).toHaveLength(2);
      const sure = await alone.run(["sessions", "delete", a, "--yes"]);
      expect([sure.code, sure.stderr]).toEqual([0, expect.stringContaining("Removed 1 session")]);
      expect(alone.logs().map((path) => path.includes(b))).toEqual([true]);
      const open = await storeIn(alone).open(b);
      const held = await alone.run(["sessions", "delete", b, "--yes"]);
      await open.close();
      expect([held.code, held.stderr]).toEqual([EXIT_LOG, expect.stringContaining("is open in another khaelor")]);
      expect(existsSync(open.path)).toBe(true);
    }));

  test("prune takes what is old, and with --dry-run only says so", () =>
    own(async (alone) => {
      const old = await session(alone, "long ago");
      today();
      const recent = await session(alone, "just now");
      const plan = await alone.run(["sessions", "prune", "--days", "3", "--dry-run", "--json"]);
      const files = plan.stdout.trimEnd().split("\n");
      expect(files.map((line) => JSON.parse(line))).toContainEqual(
        expect.objectContaining({ kind: "log", session_id: old, bytes: expect.any(Number) }),
      );
      expect(alone.logs()).toHaveLength(2);
      expect((await alone.run(["sessions", "prune", "--days", "3", "--yes"])).code).toBe(0);
      expect(alone.logs().map((path) => path.includes(recent))).toEqual([true]);
      expect((await alone.run(["sessions", "prune", "--yes"])).stderr).toBe("There is nothing to remove.\n");
      expect((await alone.run(["sessions", "prune", "--days", "soon"])).code).toBe(EXIT_USAGE);
    }));
});

test("what forks took over is counted once, also when the session that it came from is gone", () =>
  own(async (alone) => {
    const id = await session(alone, "one", "two");
    const stats = async () => JSON.parse((await alone.run(["stats", "--json"])).stdout);
    const forks = [await alone.run(["fork", `${id}@2`]), await alone.run(["fork", id]), await alone.run(["fork", id])];
    expect(forks.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(await stats()).toMatchObject({ sessions: 1, turns: 2 });
    await alone.run(["sessions", "delete", id, "--yes"]);
    expect(alone.logs()).toHaveLength(3);
    expect(await stats()).toMatchObject({ turns: 2 });
    const [first = ""] = forks.map(({ stdout }) => stdout.trim());
    expect((await alone.run(["sessions", "show", first])).stdout).toContain(`forked from ${id} at event 2`);
    expect(await fsck(alone, first)).toMatchObject(IN_ORDER);
  }));

test("damage is told beside what is counted, and a damaged log that was written to of late is not pruned as old", () =>
  own(async (alone) => {
    const id = await session(alone, "one", "two");
    const [path = ""] = alone.logs();
    const lines = readFileSync(path, "utf8").split("\n");
    writeFileSync(path, [...lines.slice(0, 1), "{broken", ...lines.slice(2)].join("\n"));
    const { code, stdout, stderr } = await alone.run(["stats", "--json"]);
    expect([code, JSON.parse(stdout).sessions]).toEqual([EXIT_LOG, 1]);
    expect(stderr).toContain(`what is damaged in session ${id} (line 2 (byte`);
    const pruned = await alone.run(["sessions", "prune", "--days", "3", "--yes"]);
    expect([pruned.code, pruned.stderr, existsSync(path)]).toEqual([0, "There is nothing to remove.\n", true]);
  }));

test(
  "hundreds of sessions are listed, searched and counted, each once",
  () =>
    own(async (alone) => {
      const store = storeIn(alone);
      for (let at = 0; at < 300; at++) {
        const made = await store.create(startedIn(alone.project));
        made.publish({ type: "user.message-created", payload: { text: `number ${at}.`, mentions: [] } });
        await made.close();
      }
      const list = await alone.run(["sessions", "list"]);
      expect(list.stdout.trimEnd().split("\n")).toHaveLength(300);
      expect((await alone.run(["sessions", "list"])).stdout).toBe(list.stdout);
      expect((await alone.run(["search", "number 77."])).stdout.split("\n")).toHaveLength(2);
      expect(JSON.parse((await alone.run(["stats", "--json"])).stdout)).toMatchObject({
        sessions: 300,
        turns: 300,
        total_cost_usd: 0,
        cache_read_share: null,
      });
    }),
  RUN_TIMEOUT_MS,
);
