import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  type ConfigLayer,
  loadConfig,
  persistPermissionGrant,
  problemText,
  type ResolvedConfig,
  trustProject,
} from "../../src/config/index.ts";
import { CONFIG_FILE } from "../../src/config/types.ts";
import { CAPABILITIES, explain, type PermissionRule } from "../../src/shared/index.ts";
import { openWorkshop, type Workshop } from "./workshop.ts";

let shop: Workshop;
beforeEach(() => {
  shop = openWorkshop();
});
afterEach(() => shop.remove());

const defaults = { model: "default-model", auxModel: "default-aux" };
const load = (flags: ConfigLayer = {}, env: Readonly<Record<string, string>> = {}, projectRoot = shop.projectRoot) =>
  loadConfig({ home: shop.home, projectRoot, env, flags, defaults });

async function resolved(...args: Parameters<typeof load>): Promise<ResolvedConfig> {
  const loaded = await load(...args);
  if (!loaded.ok) throw new Error(loaded.error.map(problemText).join("\n"));
  return loaded.value;
}
async function problems(...args: Parameters<typeof load>): Promise<readonly string[]> {
  const loaded = await load(...args);
  return loaded.ok ? [] : loaded.error.map(problemText);
}
const warnings = async (...args: Parameters<typeof load>) => (await resolved(...args)).warnings.map(problemText);

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
      },
      sources: {
        model: "default",
        auxModel: "default",
        thinking: "default",
        permissionMode: "default",
        "limits.maxTurns": "default",
      },
      warnings: [],
      files: [],
      untrustedRules: [],
    });
  });

  test("the command line beats the project, the project the user, the user the environment, that the defaults", async () => {
    const user = shop.write("home/.khaelor/config.json", { model: "u", effort: "low", thinking: "off" });
    const project = shop.write("project/.khaelor/config.json", { model: "p", effort: "high" });
    const env = { KHAELOR_MODEL: "e", KHAELOR_THINKING: "adaptive", KHAELOR_AUX_MODEL: "e-aux", KHAELOR_EFFORT: "" };
    const { config, sources, files } = await resolved({ model: "f" }, env);
    expect([config.model, config.effort, config.thinking, config.auxModel]).toEqual(["f", "high", "off", "e-aux"]);
    expect([sources.model, sources.effort, sources.thinking, sources.auxModel]).toEqual([
      "flag",
      "project",
      "user",
      "environment",
    ]);
    expect(files).toEqual([user, project]);
  });

  test("a limit of the command line wins over the user's file", async () => {
    shop.write("home/.khaelor/config.json", { limits: { maxTurns: 10 } });
    const { config, sources } = await resolved({ limits: { maxTurns: 3 } });
    expect([config.limits, sources["limits.maxTurns"]]).toEqual([{ maxTurns: 3 }, "flag"]);
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
    const { config, warnings: said, files } = await resolved({}, {}, shop.userHome);
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
      expect.stringMatching(/config\.json:1: modle: expected one of model, auxModel/),
      expect.stringMatching(/config\.json:1: Model: expected the key model, got a string$/),
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
      "the command line: maxOutputTokens",
      "the environment: effort",
    ]);
  });

  test("a pipe, a folder and a huge file are refused and not waited for", async () => {
    const path = shop.at("project/.khaelor/config.json");
    shop.write("project/.khaelor/x", "");
    execFileSync("mkfifo", [path]);
    expect((await problems())[0]).toContain("is not a regular file");
    const folder = join(shop.at("home"), "other");
    shop.write("home/other/.khaelor/config.json/x", "");
    expect((await problems({}, {}, folder))[0]).toContain("a readable file");
    shop.write("home/large/.khaelor/config.json", " ".repeat(1024 * 1024 + 1));
    expect((await problems({}, {}, shop.at("home/large")))[0]).toContain("at most 1 MiB");
  });
});

describe("grants", () => {
  const grant = (pattern: string, scope: "always-project" | "always-user" = "always-project") =>
    persistPermissionGrant(shop, scope, rule(pattern, "allow"));
  const file = (name: string) => readFileSync(shop.at(name), "utf8");

  test("are kept in khaelor's own folder, private, and never in the project", async () => {
    expect(await grant("npm test")).toEqual({ ok: true, value: undefined });
    expect(await grant("git status", "always-user")).toEqual({ ok: true, value: undefined });
    expect(rulesOf(await resolved())).toEqual(["allow git status grant", "allow npm test grant"]);
    expect(statSync(shop.at("home/.khaelor/permissions.json")).mode & 0o777).toBe(0o600);
    expect(execFileSync("find", [shop.projectRoot, "-type", "f"], { encoding: "utf8" })).toBe("");
  });

  test("of one project do not count in another", async () => {
    await grant("npm test");
    expect(rulesOf(await resolved({}, {}, shop.at("home")))).toEqual([]);
  });

  test("come behind what the files say, so that an answer of today beats a rule of yesterday", async () => {
    shop.write("home/.khaelor/config.json", { permissions: [rule("npm *", "ask")] });
    shop.write("project/.khaelor/config.json", { permissions: [rule("npm t*", "ask")] });
    await grant("npm test");
    expect(rulesOf(await resolved({ permissions: [rule("npm test", "deny")] }))).toEqual([
      "ask npm * user",
      "ask npm t* project",
      "allow npm test grant",
      "deny npm test flag",
    ]);
  });

  test("given at the same moment are all kept, each once", async () => {
    await Promise.all(["a", "b", "c", "a"].map((pattern) => grant(pattern)));
    expect(rulesOf(await resolved())).toEqual(["allow a grant", "allow b grant", "allow c grant"]);
  });

  test("survive trust, and trust survives grants", async () => {
    await grant("a");
    await trustProject(shop);
    await grant("b");
    shop.write("project/.khaelor/config.json", { permissions: [rule("x", "allow")] });
    expect(rulesOf(await resolved())).toEqual(["allow x project", "allow a grant", "allow b grant"]);
  });

  test("are not written over a file that cannot be understood, which also stops the start", async () => {
    const path = shop.write("home/.khaelor/permissions.json", '{"rules": [oops]}');
    const kept = await grant("a", "always-user");
    expect(kept.ok ? "" : kept.error).toContain("must be repaired first");
    expect(file("home/.khaelor/permissions.json")).toBe('{"rules": [oops]}');
    expect(await problems()).toEqual([`${path}:1: expected a value, got "o"`]);
  });

  test("moved from another project are refused", async () => {
    await grant("a");
    const other = shop.at("home");
    const [path = ""] = execFileSync("find", [shop.home, "-name", "permissions.json"], { encoding: "utf8" }).split(
      "\n",
    );
    const text = readFileSync(path, "utf8");
    await persistPermissionGrant({ home: shop.home, projectRoot: other }, "always-project", rule("b", "allow"));
    const paths = execFileSync("find", [shop.home, "-name", "permissions.json"], { encoding: "utf8" })
      .trim()
      .split("\n");
    for (const each of paths.filter((name) => name !== path)) shop.write(each.slice(shop.at("/").length), text);
    expect((await problems({}, {}, other))[0]).toContain("project: expected ");
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
