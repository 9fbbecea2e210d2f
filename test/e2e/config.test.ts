/** `khaelor config`, `login` and `logout`, and what the command line says about settings, through the compiled program. */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { openStage, RUN_TIMEOUT_MS, type Stage, withModel } from "./stage.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

async function onStage(work: (stage: Stage) => Promise<void>): Promise<void> {
  const stage = await openStage();
  try {
    await work(stage);
  } finally {
    stage.close();
  }
}

const rowsOf = (text: string): readonly { readonly key: string; readonly value: unknown; readonly source: string }[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

test("a value that is set is listed with its place, and a flag's stands above it", () =>
  onStage(async ({ run, state }) => {
    const file = join(state, "config.json");
    const set = await run(["config", "set", "limits.maxTurns", "20"]);
    expect(set).toMatchObject({ code: 0, stdout: `limits.maxTurns = 20 in ${file}\n`, stderr: "" });
    expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual([
      '{\n  "limits": {\n    "maxTurns": 20\n  }\n}\n',
      0o600,
    ]);
    const rows = rowsOf((await run(["config", "list", "--json", "--effort", "low"])).stdout);
    expect(rows.filter(({ source }) => source !== "default")).toEqual([
      { key: "effort", value: "low", source: "flag", name: "--effort" },
      { key: "limits.maxTurns", value: 20, source: "user", file, line: 3 },
    ] as never);
    const covered = await run(["config", "set", "effort", "low"], { env: { KHAELOR_EFFORT: "max" } });
    expect(covered).toMatchObject({ code: 0, stderr: "" }); // the user's file is stronger than a variable
    const weaker = await run(["config", "set", "effort", "low", "--effort", "high"]);
    expect(weaker).toMatchObject({
      code: 0,
      stderr: "khaelor: here something stronger says otherwise: flag --effort\n",
    });
    expect(rows.find(({ key }) => key === "fallbackModel")).toMatchObject({ value: null, source: "default" });
    const got = await run(["config", "get", "limits.maxTurns"], { env: { KHAELOR_MODLE: "x" } });
    expect(got).toMatchObject({ code: 0, stdout: "20\n" });
    expect(got.stderr).toContain("KHAELOR_MODLE: expected a known variable (did you mean KHAELOR_MODEL?)");
    const strange = await run(["config", "get", "limits.maxTurn"]);
    expect([strange.code, strange.stdout, strange.stderr]).toEqual([
      2,
      "",
      expect.stringContaining("limits.maxTurns?"),
    ]);
  }));

test("what does not fit is explained in full, ends with 2, and changes nothing", () =>
  onStage(async ({ run, state, project }) => {
    mkdirSync(state);
    mkdirSync(join(project, ".khaelor"));
    const file = join(state, "config.json");
    writeFileSync(file, '{\n  "thinking": "maybe", // who knows\n  "modle": "x"\n}\n');
    writeFileSync(join(project, ".khaelor/config.json"), '{ "limits": { "maxTurns": "many" } }');
    const listed = await run(["config"]);
    expect([listed.code, listed.stdout]).toEqual([2, ""]);
    expect(listed.stderr).toBe(
      [
        `khaelor: ${file}:2: thinking: expected "adaptive" or "off", got "maybe"`,
        '    must be "adaptive" or "off" (was "maybe")',
        `${file}:3: modle: expected a known key (did you mean model?), got an unknown one`,
        `${project}/.khaelor/config.json:1: limits.maxTurns: expected an integer, got "many"`,
        "    must be a number (was a string)",
        "",
      ].join("\n"),
    );
    const asked = await run(["-p", "hello"]);
    expect([asked.code, asked.stdout]).toEqual([2, ""]);
    expect(asked.stderr.trimEnd().split("\n").slice(1)).toEqual(
      listed.stderr
        .trimEnd()
        .replace("khaelor: ", "")
        .split("\n")
        .filter((line) => !line.startsWith(" ")),
    );
    const set = await run(["config", "set", "effort", "hgih"]);
    expect([set.code, set.stderr]).toEqual([2, expect.stringContaining('effort: expected "low" or')]);
    expect(readFileSync(file, "utf8")).toContain('"maybe", // who knows');
    const files = await run(["config", "path"]);
    expect(files.stdout).toMatch(/^user +\S+config\.json\nproject +\S+config\.json\ngrants +\S+ {2}\(missing\)\n/);
  }));

test("a key that is piped in is kept unseen and used; logout drops it, and tells of the variable", () =>
  withModel({ script: () => ({ content: [{ type: "text", text: "Hello." }] }) }, async ({ run, state, simulator }) => {
    const env = { ANTHROPIC_BASE_URL: simulator.url };
    const none = await run(["-p", "hello"], { env });
    expect([none.code, none.stderr]).toEqual([3, expect.stringMatching(/khaelor login.*ANTHROPIC_API_KEY/)]);
    const file = join(state, "credentials.json");
    const kept = await run(["login"], { stdin: "sk-secret-0123\n" });
    expect(kept).toMatchObject({ code: 0, stdout: `The key is kept in ${file}, for you alone.\n`, stderr: "" });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await run(["-p", "hello"], { env })).stdout).toBe("Hello.\n");
    const long = "sk-secret-4567".repeat(10_000);
    for (const stdin of [
      "",
      "two words",
      "export ANTHROPIC_API_KEY=sk-secret-4567",
      '"sk-secret-4567"',
      "short",
      long,
    ]) {
      const refused = await run(["login"], { stdin });
      expect([refused.code, refused.stdout]).toEqual([2, ""]);
      expect(refused.stderr).not.toContain("4567");
    }
    expect(readFileSync(file, "utf8")).toContain("0123");
    const gone = await run(["logout"], { env: { ANTHROPIC_API_KEY: "sk-other-89" } });
    expect([gone.code, gone.stderr]).toEqual([
      0,
      "khaelor: the variable ANTHROPIC_API_KEY is still set, and still counts\n",
    ]);
    expect(existsSync(file)).toBe(false);
    const typed = await run(["login", "sk-secret-4567"]);
    expect([typed.code, typed.stderr.includes("4567"), existsSync(file)]).toEqual([2, false, false]);
  }));

test("safe mode runs where a file is broken; a prompt of one's own goes out, and only in a new session", () =>
  withModel(
    { script: () => ({ content: [{ type: "text", text: "Hello." }] }), files: { "AGENTS.md": "Say please." } },
    async ({ ask, state, simulator }) => {
      mkdirSync(state);
      writeFileSync(join(state, "config.json"), "{ oops }");
      expect((await ask(["-p", "hello"])).code).toBe(2);
      const safe = await ask(["-p", "hello", "--safe-mode", "--system-prompt", "Be brief."]);
      expect([safe.code, safe.stdout]).toEqual([0, "Hello.\n"]);
      expect(safe.stderr).toContain("without it in safe mode");
      expect(simulator.requests.at(-1)?.body).toMatchObject({ system: [{ text: "Be brief." }] });
      const before = simulator.requests.length;
      const again = await ask(["-p", "more", "--continue", "--safe-mode", "--append-system-prompt", "x"]);
      expect([again.code, simulator.requests.length]).toEqual([2, before]);
      expect(again.stderr).toContain("--append-system-prompt is for a new session");
    },
  ));

test("a file that may not be written is named, and stays", () =>
  onStage(async ({ run, state }) => {
    if (process.getuid?.() === 0) return expect(process.getuid()).toBe(0); // whom nothing is forbidden
    mkdirSync(state);
    writeFileSync(join(state, "config.json"), "{}");
    chmodSync(state, 0o500);
    const set = await run(["config", "set", "model", "x"]);
    chmodSync(state, 0o700);
    expect([set.code, set.stderr]).toEqual([2, expect.stringContaining("cannot be written")]);
    expect(readFileSync(join(state, "config.json"), "utf8")).toBe("{}");
  }));

test("a project's values stay on their lines, also where they hold line ends", async () => {
  const stage = await openStage({
    ".khaelor/config.json": JSON.stringify({
      model: "m\npermissionMode  bypass  (user)",
      permissions: [{ capability: "file.read", pattern: "x\n  allow  *", action: "deny" }],
    }),
  });
  try {
    const list = await stage.run(["config", "list"]);
    expect(list.stdout.match(/^permissionMode/gm)).toHaveLength(1);
    expect((await stage.run(["permissions", "list"])).stdout).not.toMatch(/^ {2}allow/m);
    const told = await stage.run(["permissions", "list", "--json"], { env: { KHAELOR_MODLE: "x" } });
    expect(told.stderr).toContain("KHAELOR_MODLE"); // programs are told as well, on the other stream
  } finally {
    stage.close();
  }
});
