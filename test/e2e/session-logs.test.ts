/** Words, events and folds of sessions, as a user's script asks for them. */
import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeModelsCache } from "../../src/cli/models-cache.ts";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { linesOf, readLog } from "./stage.ts";
import { own, session, storeIn } from "./written-sessions.ts";

const EXIT_USAGE = 2;
const EXIT_LOG = 10;

beforeAll(async () => void (await binary()), BUILD_TIMEOUT_MS);

describe("words", () => {
  test("name a session when only one has them, and list those that do when there are more", () =>
    own(async (alone) => {
      const [a, b] = [await session(alone, "the red\u001b[2J house"), await session(alone, "the blue house")];
      const several = await alone.run(["resume", "House"]);
      expect(several.code).toBe(EXIT_USAGE);
      expect(several.stderr).toContain('2 sessions have the words "House"');
      const lines = several.stderr.split("\n").map((line) => line.trim());
      expect(lines.filter((line) => line.includes(b) || line.includes(a)).map((line) => line.slice(0, 26))).toEqual([
        b,
        a,
      ]);
      expect(lines).toContain("user: the red house");
      expect((await alone.run(["--resume=green house"])).stderr).toContain('has the id or the words "green house"');
      const found = await alone.run(["resume", "blue", "house"]);
      expect(found.stderr).toContain("no API key"); // it was found, and the run could begin but for that
    }));

  test("are found in what was said, with 0, and with 1 when they stand nowhere", () =>
    own(async (alone) => {
      const [old, recent] = [await session(alone, "a Needle"), await session(alone, "x", "two\nneedles here\n")];
      const found = await alone.run(["search", "needle"]);
      expect(found).toMatchObject({ code: 0, stderr: "" });
      expect(found.stdout.split("\n").map((line) => line.replace(/ {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}/, " "))).toEqual([
        `${recent}@3 user     needles here`,
        `${old}@2 user     a Needle`,
        "",
      ]);
      const lines = (await alone.run(["search", "needle", "--json"])).stdout.trimEnd().split("\n");
      expect(JSON.parse(lines[1] ?? "")).toMatchObject({ session_id: old, seq: 2, who: "user", line: "a Needle" });
      expect(await alone.run(["search", "nowhere"])).toMatchObject({ code: 1, stdout: "", stderr: "" });
      expect((await alone.run(["search"])).code).toBe(EXIT_USAGE);
    }));

  test("that stand nearly everywhere are shown where they came last, and that there are more is said", () =>
    own(async (alone) => {
      const all = Array.from({ length: 60 }, (_, at) => `needle ${at}`);
      const ids: string[] = [];
      for (let count = 0; count < 11; count++) ids.unshift(await session(alone, ...all));
      const { code, stdout, stderr } = await alone.run(["search", "needle", "--json"]);
      const lines = stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as { session_id: string; line: string });
      expect([code, lines.length, lines[0]?.line, lines[49]?.line]).toEqual([0, 500, "needle 59", "needle 10"]);
      expect([...new Set(lines.map((line) => line.session_id))]).toEqual(ids.slice(0, 10));
      const told = stderr.trimEnd().split("\n");
      expect(told[0]).toBe(`khaelor: of session ${ids[0]} only the newest 50 are shown`);
      expect(told.at(-1)).toBe("khaelor: the first 500 are shown; use more words");
    }));
});

describe("khaelor log", () => {
  test("prints lines as they stand, of the types that are wanted, and tells damage", () =>
    own(async (alone) => {
      const id = await session(alone, "one", "two");
      const [path = ""] = alone.logs();
      const text = readFileSync(path, "utf8");
      expect((await alone.run(["log", id, "--json"])).stdout).toBe(text);
      expect((await alone.run(["log", "--json", "--type", "session.*"])).stdout).toBe(`${text.split("\n")[0]}\n`);
      expect((await alone.run(["log", id.slice(0, 22)])).stdout).toMatch(
        /^ {4}1 .*session\.started[\s\S]*3 .*message-created +two\n$/,
      );
      const slip = await alone.run(["log", "--type", "session.start"]);
      expect([slip.code, slip.stderr]).toEqual([EXIT_USAGE, expect.stringContaining("did you mean session.started?")]);
      const lines = text.split("\n");
      writeFileSync(path, [lines[0], "nothing", ...lines.slice(1)].join("\n"));
      const damaged = await alone.run(["log", id, "--json"]);
      expect(damaged).toMatchObject({ code: EXIT_LOG, stdout: text });
      expect(damaged.stderr).toContain("line 2 (byte");
      const forked = await alone.run(["fork", id]);
      expect([forked.code, forked.stderr]).toEqual([0, expect.stringContaining("damaged from line 2 on")]);
      expect(readLog(path.replace(id, forked.stdout.trim())).map(({ type }) => type)).toEqual([
        "session.started",
        "session.resumed",
      ]);
    }));

  test("--follow goes on while another process writes, under any name, until a signal", () =>
    own(async (alone) => {
      const id = await session(alone, "before");
      const following = alone.start(["log", id, "--follow", "--json"]);
      const seen = async (count: number) => {
        while (following.stdout().split("\n").length <= count) await Bun.sleep(10);
        return linesOf(following.stdout());
      };
      expect(await seen(2)).toHaveLength(2);
      const writer = await storeIn(alone).open(id);
      for (let at = 0; at < 50; at++) {
        writer.publish({ type: "user.message-created", payload: { text: `line ${at}`, mentions: [] } });
      }
      const [path = ""] = alone.logs();
      renameSync(path, `${path}.moved`);
      writer.publish({ type: "session.renamed", payload: { title: "moved" } });
      expect((await seen(53)).map(({ seq }) => seq)).toEqual(Array.from({ length: 53 }, (_, at) => at + 1));
      await writer.close();
      following.kill("SIGINT");
      expect(await following.done).toMatchObject({ code: 130, stderr: "" });
    }));
});

test("a fold is printed by its name, at any event", () =>
  own(async (alone) => {
    const id = await session(alone, "one", "two");
    const meta = JSON.parse((await alone.run(["fold", "session-meta", id, "--json"])).stdout);
    expect(meta).toMatchObject({ id, title: "one", userMessages: 2 });
    expect(Object.keys(meta)).not.toContain("tally");
    const turn = await alone.run(["fold", "turn-state", `${id}@2`]);
    expect(JSON.parse(turn.stdout)).toMatchObject({ objective: "one", turns: 1 });
    expect(JSON.parse((await alone.run(["fold", "conversation", "--json"])).stdout)).toMatchObject({
      messages: [{ role: "user", content: [{ text: "one" }, { text: "two" }] }],
      callIds: [],
    });
    const usage = await alone.run(["fold", "usage", `${id}@2`, "--json"]);
    expect(JSON.parse(usage.stdout)).toMatchObject({ seq: 2, entries: [], cache: { hit_share: null } });
    const context = await alone.run(["fold", "context", id, "--json"]);
    expect(JSON.parse(context.stdout)).toMatchObject({ messages: 1, blocks: { user_text: { blocks: 2 } } });
    expect(JSON.parse((await alone.run(["fold", "changes", id])).stdout)).toMatchObject({ counts: { files: 0 } });
    const slip = await alone.run(["fold", "turnstate"]);
    expect([slip.code, slip.stderr]).toEqual([EXIT_USAGE, expect.stringContaining("did you mean turn-state?")]);
  }));

test("how large the window is, as the address says that a session here would ask; unknown where that cannot be told", () =>
  own(async (alone) => {
    const id = await session(alone, "one");
    const [gateway, configured] = ["https://gateway.example", "https://configured.example"];
    const models = [{ id: "claude-opus-5-5", contextWindow: 40_000 }];
    const windowIn = async (env: Readonly<Record<string, string>>) =>
      JSON.parse((await alone.run(["fold", "context", id, "--json"], { env })).stdout).window_tokens;
    writeModelsCache(alone.state, { fetchedAt: 0, models }, gateway);
    expect([await windowIn({ ANTHROPIC_BASE_URL: gateway }), await windowIn({})]).toEqual([40_000, 1_000_000]);
    writeModelsCache(alone.state, { fetchedAt: 0, models }, configured);
    writeFileSync(join(alone.state, "config.json"), JSON.stringify({ baseUrl: configured }));
    expect(await windowIn({})).toBe(40_000);
    writeFileSync(join(alone.state, "config.json"), "{ no configuration");
    expect(await windowIn({})).toBeNull();
  }));
