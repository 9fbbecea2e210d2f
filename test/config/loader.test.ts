import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ResolvedConfig, trustProject } from "../../src/config/index.ts";
import { CONFIG_FILE } from "../../src/config/types.ts";
import { CAPABILITIES, explain, type PermissionRule } from "../../src/shared/index.ts";
import { loading, openWorkshop, type Workshop } from "./workshop.ts";

let shop: Workshop;
beforeEach(() => {
  shop = openWorkshop();
});
afterEach(() => shop.remove());

const { resolved, problems, warnings } = loading(() => shop);

const rule = (pattern: string, action: PermissionRule["action"]): PermissionRule => ({
  capability: "process.execute",
  pattern,
  action,
});
const rulesOf = ({ config }: ResolvedConfig) => config.permissions.map((r) => `${r.action} ${r.pattern} ${r.source}`);

describe("precedence", () => {
  test("without any source there are defaults", async () => {
    expect(await resolved()).toEqual({
      config: {
        model: "default-model",
        auxModel: "default-aux",
        thinking: "adaptive",
        permissionMode: "ask",
        permissions: [],
        limits: { maxTurns: 500 },
        passEnv: [],
        additionalDirectories: [],
        prices: {},
        profiles: {},
        compaction: { route: "aux", auto: true },
        theme: "auto",
        keybindings: {},
        terminal: { mouse: true, vim: false, alternateScreen: true, notifications: true, screenReader: false },
      },
      origins: {
        model: { source: "default" },
        auxModel: { source: "default" },
        thinking: { source: "default" },
        permissionMode: { source: "default" },
        "limits.maxTurns": { source: "default" },
        "compaction.route": { source: "default" },
        "compaction.auto": { source: "default" },
        theme: { source: "default" },
        ...Object.fromEntries(
          ["mouse", "vim", "alternateScreen", "notifications", "screenReader"].map((name) => [
            `terminal.${name}`,
            { source: "default" },
          ]),
        ),
      },
      warnings: [],
      files: [],
      untrustedRules: [],
    });
  });

  test("a file without a value in it says nothing, as one that is not there", async () => {
    for (const text of ["", " \n", "\uFEFF// later\n/* or\nnever */\n"]) {
      const path = shop.write("home/.khaelor/config.json", text);
      const { config, warnings: told, files } = await resolved();
      expect([config.model, told, files]).toEqual(["default-model", [], [path]]);
    }
  });

  test("the command line beats the project, the project the user, the user the environment, that the defaults", async () => {
    const user = shop.write("home/.khaelor/config.json", { model: "u", effort: "low", thinking: "off" });
    const project = shop.write("project/.khaelor/config.json", { model: "p", effort: "high" });
    const env = { KHAELOR_MODEL: "e", KHAELOR_THINKING: "adaptive", KHAELOR_AUX_MODEL: "e-aux", KHAELOR_EFFORT: "" };
    const { config, origins, files } = await resolved({ model: "f" }, env);
    expect([config.model, config.effort, config.thinking, config.auxModel]).toEqual(["f", "high", "off", "e-aux"]);
    expect([origins.model, origins.effort, origins.thinking, origins.auxModel]).toEqual([
      { source: "flag", name: "--model" },
      { source: "project", file: project, line: 1 },
      { source: "user", file: user, line: 1 },
      { source: "environment", name: "KHAELOR_AUX_MODEL" },
    ]);
    expect(files).toEqual([user, project]);
  });

  test("a limit of the command line wins over the user's file", async () => {
    shop.write("home/.khaelor/config.json", { limits: { maxTurns: 10 } });
    const { config, origins } = await resolved({ limits: { maxTurns: 3 } });
    expect([config.limits, origins["limits.maxTurns"]]).toEqual([
      { maxTurns: 3 },
      { source: "flag", name: "--max-turns" },
    ]);
  });

  test("limits are merged one by one, and each has its bound", async () => {
    const path = shop.write("home/.khaelor/config.json", { limits: { maxBudgetUsd: 5, maxSeconds: 60 } });
    expect((await resolved({ limits: { maxSeconds: 9.5 } })).config.limits).toEqual({
      maxTurns: 500,
      maxBudgetUsd: 5,
      maxSeconds: 9.5,
    });
    shop.write("home/.khaelor/config.json", { limits: { maxBudgetUsd: 0 } });
    expect(await problems()).toEqual([`${path}:1: limits.maxBudgetUsd: expected a number greater than 0, got 0`]);
  });

  test("a project that is the user's home has one file, and it is the user's", async () => {
    shop.write("home/.khaelor/config.json", { baseUrl: "https://gateway.example" });
    const { config, warnings: said, files } = await resolved({}, {}, { projectRoot: shop.userHome });
    expect([config.baseUrl, said.length, files.length]).toEqual(["https://gateway.example", 0, 1]);
  });
});

describe("a project's file", () => {
  const project = (value: object) => shop.write("project/.khaelor/config.json", value);

  test("cannot set where the key goes, or what commands see", async () => {
    project({ baseUrl: "https://evil.example", passEnv: ["ANTHROPIC_API_KEY"] });
    const { config } = await resolved();
    expect([config.baseUrl, config.passEnv]).toEqual([undefined, []]);
    const said = await warnings();
    expect(said.map((text) => /: (\w+): expected this only in your own/.exec(text)?.[1])).toEqual([
      "baseUrl",
      "passEnv",
    ]);
  });

  test("is told that it may hold no key, proxy or header, without repeating the value", async () => {
    project({ apiKey: "sk-secret", proxy: "http://u:pw@x", headers: { authorization: "Bearer sk-secret" } });
    const said = await warnings();
    expect(said.length).toBe(3);
    expect(said.join()).not.toMatch(/sk-secret|pw@/);
  });

  test("can only make the mode stricter", async () => {
    project({ permissionMode: "bypass" });
    expect((await resolved()).config.permissionMode).toBe("ask");
    expect((await warnings())[0]).toContain('permissionMode: expected a mode stricter than ask, got "bypass"');
    project({ permissionMode: "plan" });
    expect((await resolved()).config.permissionMode).toBe("plan");
    expect((await resolved({ permissionMode: "accept-edits" })).config.permissionMode).toBe("accept-edits");
  });

  test("can only lower limits", async () => {
    shop.write("home/.khaelor/config.json", { limits: { maxTurns: 10 } });
    project({ limits: { maxTurns: 1000 } });
    const { config, warnings: said } = await resolved();
    expect(config.limits).toEqual({ maxTurns: 10 });
    expect(said.map(({ key }) => key)).toEqual(["limits.maxTurns"]);
  });

  test("adds deny and ask rules; its allow rules wait for trust", async () => {
    shop.write("home/.khaelor/config.json", { permissions: [rule("npm *", "allow")] });
    project({ permissions: [rule("npm publish", "deny"), rule("rm *", "allow"), rule("npm test", "ask")] });
    const before = await resolved();
    expect(rulesOf(before)).toEqual(["allow npm * user", "deny npm publish project", "ask npm test project"]);
    expect(before.untrustedRules).toEqual([rule("rm *", "allow")]);
    expect(before.warnings.map(({ key, line }) => [key, line])).toEqual([["permissions.1", 1]]);
    await trustProject(shop);
    const after = await resolved();
    expect(rulesOf(after)).toEqual([
      "allow npm * user",
      "deny npm publish project",
      "allow rm * project",
      "ask npm test project",
    ]);
    expect([after.untrustedRules, after.warnings]).toEqual([[], []]);
  });

  test("with one wrong key is still obeyed in the others, because unknown keys are only reported", async () => {
    project({ modle: "x", Model: "y", effort: "high" });
    expect((await resolved()).config.effort).toBe("high");
    expect(await warnings()).toEqual([
      expect.stringMatching(
        /config\.json:1: modle: expected a known key \(did you mean model\?\), got an unknown one$/,
      ),
      expect.stringMatching(
        /config\.json:1: Model: expected a known key \(did you mean model\?\), got an unknown one$/,
      ),
    ]);
  });
});

describe("a file that cannot be understood stops the start", () => {
  const cases: readonly (readonly [text: string, problem: string])[] = [
    ['{\n "model": "m"\n "effort": "low" }', ':3: expected "," or "}", got "\\""'],
    ['{\n "effort": "hgih" }', ':2: effort: expected "low" or "medium" or "high" or "xhigh" or "max", got "hgih"'],
    ['{\n "limits": {\n "maxTurns": 0 } }', ":3: limits.maxTurns: expected a number of at least 1, got 0"],
    [
      '{ "permissions": [\n {"capability": "git.modify", "pattern": "x", "action": "permit"}] }',
      ':2: permissions.0.action: expected "allow" or "ask" or "deny", got "permit"',
    ],
    ["[]", ":1: expected an object, got a list"],
    ['{ "baseUrl": "https://me:secret@x" }', ":1: baseUrl: expected an http(s) URL without a password, got a string"],
    ['{ "baseUrl": "file:///x" }', ":1: baseUrl: expected an http(s) URL without a password, got a string"],
  ];
  for (const [text, problem] of cases) {
    test(problem, async () => {
      const path = shop.write("project/.khaelor/config.json", text);
      expect(await problems()).toEqual([path + problem]);
    });
  }

  test("all problems of all sources are told at once", async () => {
    shop.write("home/.khaelor/config.json", { thinking: "maybe", passEnv: "PATH" });
    const flags = { maxOutputTokens: -1 };
    expect((await problems(flags, { KHAELOR_EFFORT: "huge" })).map((text) => text.split(": expected")[0])).toEqual([
      `${shop.at("home/.khaelor/config.json")}:1: thinking`,
      `${shop.at("home/.khaelor/config.json")}:1: passEnv`,
      "KHAELOR_EFFORT",
      "the command line: maxOutputTokens",
    ]);
  });

  test("bytes that are no text: a rule with one of them would never match", async () => {
    const bytes = Buffer.from(
      '{"permissions": [{"capability": "git.modify", "pattern": "\xff", "action": "deny"}]}',
      "latin1",
    );
    for (const name of [
      "home/.khaelor/config.json",
      "project/.khaelor/config.json",
      "home/.khaelor/permissions.json",
    ]) {
      const path = shop.write(name, "");
      writeFileSync(path, bytes);
      expect(await problems()).toEqual([`${path}: expected text in UTF-8, got other bytes`]);
      rmSync(path);
    }
  });

  test("a pipe, a folder and a huge file are refused and not waited for", async () => {
    const path = shop.at("project/.khaelor/config.json");
    shop.write("project/.khaelor/x", "");
    execFileSync("mkfifo", [path]);
    expect((await problems())[0]).toContain("is not a regular file");
    const folder = join(shop.at("home"), "other");
    shop.write("home/other/.khaelor/config.json/x", "");
    expect((await problems({}, {}, { projectRoot: folder }))[0]).toContain("a readable file");
    shop.write("home/large/.khaelor/config.json", " ".repeat(1024 * 1024 + 1));
    expect((await problems({}, {}, { projectRoot: shop.at("home/large") }))[0]).toContain("at most 1 MiB");
  });
});

test("the capabilities of the file are those of the house", () => {
  const [{ capability }] = CONFIG_FILE["permissions?"];
  expect<string>(capability).toBe(CAPABILITIES.map((name) => `'${name}'`).join(" | "));
});

test("the definitions can be explained in full", async () => {
  const wrong = { limits: { maxTurns: 0 }, permissions: [{ capability: "x" }] };
  expect(await explain(CONFIG_FILE, wrong)).toMatch(/limits\.maxTurns.*at least 1/s);
});
