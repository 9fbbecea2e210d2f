/** `khaelor demo` on a fresh machine: what a first user sees, and that every word of it can be checked in the log. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { fsck, IN_ORDER, openStage, type Ran, RUN_TIMEOUT_MS, readLog, type Stage } from "./stage.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

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

  test("where there is no place for its folder, it says which one to set", async () => {
    const { code, stderr } = await stage.run(["demo"], { env: { TMPDIR: "/nonexistent/folder" } });
    expect([code, stderr]).toEqual([2, expect.stringContaining("Set TMPDIR")]);
  });

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
  test("keys, servers, models and proxies of the user play no part, and where it was started is left alone", async () => {
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
    const used = await openStage({ "README.md": "somebody's project\n" });
    const { code, stdout, stderr } = await used.run(["demo"], {
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
    expect(used.stateFiles().filter(({ text }) => /of-the-user/.test(text))).toEqual([]);
    expect(readdirSync(used.project)).toEqual(["README.md"]);
    used.close();
  });

  test("a second demo is a second session, also beside the first", async () => {
    const used = await openStage();
    const both = await Promise.all([used.run(["demo"]), used.run(["demo"])]);
    expect([both.map(({ code }) => code), used.logs().length]).toEqual([[0, 0], 2]);
    const all = await used.run(["fsck", "--all", "--json"]);
    expect([all.code, all.stdout.trim().split("\n").length]).toEqual([0, 2]);
    used.close();
  });

  test("without git on the PATH it works all the same", async () => {
    const used = await openStage();
    const { code, stdout } = await used.run(["demo"], { env: { PATH: gitlessPath(used) } });
    expect([code, /verified\s+yes/.test(stdout)]).toEqual([0, true]);
    used.close();
  });

  test("a terminal gets colours and lines of its width; NO_COLOR takes the colours away", async () => {
    const used = await openStage();
    const [colourful, plain] = await Promise.all([onTerminal(used, {}), onTerminal(used, { NO_COLOR: "1" })]);
    expect([colourful.code, plain.code]).toEqual([0, 0]);
    expect(colourful.text).toContain("\u001b[32m");
    expect(plain.text).not.toContain("\u001b");
    const long = plain.text.split(/\r?\n/).filter((line) => Bun.stringWidth(line) > COLUMNS && !/\/|^ {2}/.test(line));
    expect(long).toEqual([]);
    used.close();
  });
});

const COLUMNS = 50;

/** Runs the demo in a pseudo-terminal. */
async function onTerminal({ root, home }: Stage, env: Readonly<Record<string, string>>) {
  const decoder = new TextDecoder();
  let text = "";
  const child = Bun.spawn([await binary(), "demo"], {
    cwd: root,
    env: { PATH: process.env.PATH ?? "", HOME: home, TMPDIR: root, TERM: "xterm-256color", ...env },
    terminal: {
      cols: COLUMNS,
      rows: 20,
      data(_terminal, data) {
        text += decoder.decode(data, { stream: true });
      },
    },
  });
  return { code: await child.exited, text };
}

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
