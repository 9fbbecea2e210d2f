/** `khaelor demo` on a fresh machine: what a first user sees, and that every word of it can be checked in the log. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { fsck, IN_ORDER, openStage, type Ran, readLog, type Stage } from "./stage.ts";

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

let stage: Stage;
let first: Ran;

describe("the demo in an empty home", () => {
  beforeAll(async () => {
    stage = await openStage();
    first = await stage.run(["demo"], { env: { KHAELOR_HOME: undefined } });
  });
  afterAll(() => stage.close());

  const sessionPath = () => /session\s+(\/\S+\.jsonl)/.exec(first.stdout)?.[1] ?? "";

  test("it ends well, says that the model is scripted, and complains of nothing", () => {
    expect([first.code, first.stderr]).toEqual([0, ""]);
    expect(first.stdout.split("\n")[0]).toContain("the model is scripted");
  });

  test("it shows the red run, the edit as a diff, the green run and the evidence, in this order", () => {
    const shown = [
      "▸ bash sh test.sh",
      "not ok 5 - 3909 seconds are 1h 05m 09s",
      "✗ check recorded: sh test.sh, exit code 1",
      "▸ edit lib/duration.sh",
      "-  minutes=$((total / 60))",
      "+  minutes=$((total % 3600 / 60))",
      "▸ bash sh test.sh",
      "ok 5 - 3909 seconds are 1h 05m 09s",
      "✓ check recorded: sh test.sh, exit code 0",
      "■ task.completed",
      "sh test.sh → exit code 0",
    ];
    let at = 0;
    const places = shown.map((words) => {
      at = first.stdout.indexOf(words, at);
      return at === -1 ? `missing: ${words}` : at++;
    });
    expect(places).toEqual(places.filter((place) => typeof place === "number"));
  });

  test("what it says of the end is what the log says", () => {
    const log = readLog(sessionPath());
    const end = log.findLast(({ type }) => type === "task.completed")?.payload as {
      readonly evidence: { readonly checks: readonly { readonly command: string; readonly exitCode: number }[] };
    };
    expect(end.evidence.checks).toMatchObject([{ command: "sh test.sh", exitCode: 0 }]);
    const usage = log.flatMap(({ type, payload }) =>
      type === "model.response-completed" ? [payload.usage as Record<string, number>] : [],
    );
    const sum = (...names: readonly string[]) =>
      usage.reduce((total, one) => total + names.reduce((part, name) => part + (one[name] ?? 0), 0), 0);
    const said = (label: string) => Number(new RegExp(`${label}\\s+(\\d+)`).exec(first.stdout)?.[1]);
    expect([said("tokens"), said("cache")]).toEqual([
      sum("inputTokens", "cacheReadTokens", "cacheWriteTokens"),
      sum("cacheReadTokens"),
    ]);
    expect(said("cache")).toBeGreaterThan(0);
    expect(first.stdout).toMatch(/verified\s+yes/);
  });

  test("the session lies in the home, and every request of it can be rebuilt", async () => {
    const path = sessionPath();
    expect(path).toStartWith(`${stage.home}/.khaelor/sessions/`);
    expect(await fsck(stage, path)).toMatchObject({ ...IN_ORDER, path });
  });

  test("a pipe gets plain text", () => {
    const plain = first.stdout.replaceAll("\n", "");
    expect([...plain].filter((char) => char < " " || (char >= "\u007f" && char <= "\u009f"))).toEqual([]);
  });

  test("its project is left behind for a look, its processes and locks are not", () => {
    const folder = /project\s+(\/\S+)/.exec(first.stdout)?.[1] ?? "";
    expect(readdirSync(folder).sort()).toEqual([".git", "README.md", "lib", "test.sh"]);
    expect(existsSync(sessionPath().replace(".jsonl", ".lock"))).toBe(false);
  });
});

describe("the demo on a machine that somebody uses", () => {
  beforeAll(async () => {
    stage = await openStage({ "README.md": "somebody's project\n" });
  });
  afterAll(() => stage.close());

  test("keys, servers, models and proxies of the user play no part, and what it was started in is left alone", async () => {
    let asked = 0;
    const trap = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch() {
        asked++;
        return new Response("no", { status: 500 });
      },
    });
    const elsewhere = `http://127.0.0.1:${trap.port}`;
    const { code, stdout, stderr } = await stage.run(["demo"], {
      env: {
        ANTHROPIC_API_KEY: "sk-of-the-user",
        ANTHROPIC_AUTH_TOKEN: "token-of-the-user",
        ANTHROPIC_BASE_URL: elsewhere,
        ANTHROPIC_MODEL: "no-such-model",
        HTTP_PROXY: elsewhere,
        http_proxy: elsewhere,
        HTTPS_PROXY: "http://127.0.0.1:9",
        ALL_PROXY: "http://127.0.0.1:9",
        NO_PROXY: "",
        no_proxy: "",
      },
    });
    await trap.stop(true);
    expect([code, stderr, asked]).toEqual([0, "", 0]);
    expect(stdout).toContain("■ task.completed");
    expect(stage.stateFiles().filter(({ text }) => /of-the-user/.test(text))).toEqual([]);
    expect(readdirSync(stage.project)).toEqual(["README.md"]);
  });

  test("a second demo is a second session", async () => {
    const before = stage.logs().length;
    const { code } = await stage.run(["demo"], { env: { NO_COLOR: "1", TERM: "xterm-256color" } });
    expect([code, stage.logs().length]).toEqual([0, before + 1]);
    const all = await stage.run(["fsck", "--all", "--json"]);
    expect([all.code, all.stdout.trim().split("\n").length]).toEqual([0, before + 1]);
  });

  test("without git on the PATH it works all the same", async () => {
    const { code, stdout } = await stage.run(["demo"], { env: { PATH: gitlessPath(stage) } });
    expect([code, /verified\s+yes/.test(stdout)]).toEqual([0, true]);
  });
});

/** A PATH with the few programs that the demo's project needs. */
function gitlessPath({ root }: Stage): string {
  const folder = `${root}/bin`;
  Bun.spawnSync(["mkdir", "-p", folder]);
  for (const name of ["sh", "dirname", "cat"]) {
    const path = Bun.which(name);
    if (path) Bun.spawnSync(["ln", "-sf", path, `${folder}/${name}`]);
  }
  return folder;
}
