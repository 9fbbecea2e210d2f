/** Where settings come from beside the two files: profiles, a settings file, assignments, variables, and safe mode. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  type ConfigLayer,
  loadConfig,
  ownPrices,
  persistPermissionGrant,
  trustProject,
} from "../../src/config/index.ts";
import { loading, openWorkshop, type Workshop } from "./workshop.ts";

let shop: Workshop;
beforeEach(() => {
  shop = openWorkshop();
});
afterEach(() => shop.remove());

const { resolved, problems, warnings, load } = loading(() => shop);

const own = (value: object | string) => shop.write("home/.khaelor/config.json", value);
const project = (value: object | string) => shop.write("project/.khaelor/config.json", value);
const settings = (value: object | string) => shop.write("home/run.json", value);
const rule = (pattern: string, action: "allow" | "ask" | "deny") =>
  ({ capability: "process.execute", pattern, action }) as const;

describe("a profile", () => {
  test("counts just above the file it stands in, and below the project", async () => {
    own({ model: "u", effort: "low", profiles: { fast: { model: "p", effort: "high", limits: { maxTurns: 3 } } } });
    project({ model: "project" });
    const { config, origins } = await resolved({}, {}, { chosen: { profile: "fast" } });
    expect([config.model, config.effort, config.limits.maxTurns]).toEqual(["project", "high", 3]);
    expect(origins.effort).toEqual({
      source: "profile",
      file: shop.at("home/.khaelor/config.json"),
      line: 1,
      name: "fast",
    });
    expect((await resolved()).config.effort).toBe("low");
  });

  test("of a settings file counts above the rest of that file", async () => {
    own({ profiles: { fast: { model: "own-fast", effort: "low" } } });
    const file = settings({ model: "run", profiles: { fast: { model: "run-fast" } } });
    const { config } = await resolved({}, {}, { chosen: { profile: "fast", file } });
    expect([config.model, config.effort]).toEqual(["run-fast", "low"]);
  });

  test("that nobody has is an error, with the nearest name", async () => {
    expect(await problems({}, {}, { chosen: { profile: "fast" } })).toEqual([
      '--profile: expected a name that stands under "profiles" in your config file, where there is none, got "fast"',
    ]);
    own({ profiles: { careful: {}, fast: {} } });
    expect(await problems({}, {}, { chosen: { profile: "fsat" } })).toEqual([
      '--profile: expected a known profile (did you mean fast?), got "fsat"',
    ]);
    expect(await problems({}, {}, { chosen: { profile: "x1234567" } })).toEqual([
      '--profile: expected one of careful, fast, got "x1234567"',
    ]);
  });

  test("is checked like the rest of its file, also when it is not chosen", async () => {
    const path = own('{ "profiles": {\n "fast": { "modle": "x",\n "effort": 3 } } }');
    expect(await problems()).toEqual([
      `${path}:3: profiles.fast.effort: expected "low" or "medium" or "high" or "xhigh" or "max", got 3`,
      `${path}:2: profiles.fast.modle: expected a known key (did you mean model?), got an unknown one`,
    ]);
  });

  test("of a project is not taken", async () => {
    project({ profiles: { fast: { model: "p" } } });
    expect((await warnings()).join()).toContain("profiles: expected this only in your own config file");
    expect((await problems({}, {}, { chosen: { profile: "fast" } })).length).toBe(1);
  });
});

describe("what the command line brings", () => {
  test("flags beat assignments, these a settings file, that the project's and the user's", async () => {
    own({ model: "u", effort: "low", thinking: "off", maxOutputTokens: 1 });
    project({ effort: "medium" });
    const file = settings({ model: "s", effort: "high", thinking: "adaptive", maxOutputTokens: 2 });
    const chosen = { file, assignments: ["model=c", "effort=max", "maxOutputTokens=3", "limits.maxTurns=7"] };
    const { config, origins, files } = await resolved({ model: "f" }, {}, { chosen });
    const { model, effort, thinking, maxOutputTokens, limits } = config;
    expect([model, effort, thinking, maxOutputTokens, limits.maxTurns]).toEqual(["f", "max", "adaptive", 3, 7]);
    expect([origins.thinking, origins["limits.maxTurns"]]).toEqual([
      { source: "settings", file, line: 1 },
      { source: "flag", name: "--config" },
    ]);
    expect(files.at(-1)).toBe(file);
  });

  test("a value is JSON where it is some, and a word where only a word fits", async () => {
    const assignments = [
      "model=5",
      'passEnv=["A"]',
      'prices.my.model-1.5={"input":1,"output":2,"cacheRead":0}',
      "profiles.a.b.limits.maxTurns=4",
      "baseUrl=https://x/?a=b",
    ];
    const { config } = await resolved({}, {}, { chosen: { assignments } });
    expect(config).toMatchObject({
      model: "5",
      passEnv: ["A"],
      prices: { "my.model-1.5": { input: 1, output: 2, cacheRead: 0 } },
      profiles: { "a.b": { limits: { maxTurns: 4 } } },
      baseUrl: "https://x/?a=b",
    });
  });

  const refused: readonly (readonly [assignment: string, problem: string])[] = [
    ["limits.maxTurns=0", "--config: limits.maxTurns: expected a number of at least 1, got 0"],
    ["limits.maxTurns=", '--config: limits.maxTurns: expected an integer, got ""'],
    [
      "limts.maxTurns=3",
      "--config: limts.maxTurns: expected a known key (did you mean limits.maxTurns?), got an unknown one",
    ],
    ["maxTurns=3", "--config: maxTurns: expected a known key (did you mean limits.maxTurns?), got an unknown one"],
    ["MODEL=x", "--config: MODEL: expected a known key (did you mean model?), got an unknown one"],
    ["model", '--config: expected KEY=VALUE, got "model"'],
    ["=x", '--config: expected KEY=VALUE, got "=x"'],
    ["limits=3", "--config: limits: expected an object, got 3"],
    [
      "apiKey=sk-ant-secret",
      "--config: apiKey: expected no key to the API here (khaelor login keeps it, or set ANTHROPIC_API_KEY), got one",
    ],
    ["baseUrl=https://me:pw@x", "--config: baseUrl: expected an http(s) URL without a password, got a string"],
    ["limits.maxDayUsd=1e400", '--config: limits.maxDayUsd: expected a number, got "1e400"'],
    ['passEnv=["TOKEN=1"]', '--config: passEnv.0: expected the name of a variable, got "TOKEN=1"'],
    [
      'additionalDirectories=["../x"]',
      '--config: additionalDirectories.0: expected an absolute folder, or one that begins with ~/, got "../x"',
    ],
  ];
  for (const [assignment, problem] of refused) {
    test(`${assignment} is refused by the flag's name`, async () => {
      expect(await problems({}, {}, { chosen: { assignments: [assignment] } })).toEqual([problem]);
    });
  }

  test("a name that only ends like a secret's is a slip like any other", async () => {
    const [problem] = await problems({}, {}, { chosen: { assignments: ["nokey=1"] } });
    expect(problem).toMatch(/^--config: nokey: expected one of model, .*, got an unknown one$/);
  });

  test("a flag's own value is refused by the flag's name", async () => {
    const flags = { effort: "x", limits: { maxTurns: "many" } } as unknown as ConfigLayer;
    expect((await problems(flags)).map((text) => text.split(": expected")[0])).toEqual(["--effort", "--max-turns"]);
  });

  test("a settings file that is missing or broken is named with its flag", async () => {
    const missing = shop.at("home/none.json");
    expect(await problems({}, {}, { chosen: { file: missing } })).toEqual([
      `--settings ${missing}: expected a file, got nothing there`,
    ]);
    const file = settings('{\n "effort": "x" }');
    expect(await problems({}, {}, { chosen: { file } })).toEqual([
      `--settings ${file}:2: effort: expected "low" or "medium" or "high" or "xhigh" or "max", got "x"`,
    ]);
  });
});

describe("the environment", () => {
  test("is checked like a file, by the variable's name", async () => {
    expect(await problems({}, { KHAELOR_EFFORT: "huge", ANTHROPIC_BASE_URL: "ftp://x" })).toEqual([
      'KHAELOR_EFFORT: expected "low" or "medium" or "high" or "xhigh" or "max", got "huge"',
      "ANTHROPIC_BASE_URL: expected an http(s) URL without a password, got a string",
    ]);
  });

  test("may hold no name of ours that nobody reads, unless commands are meant to see it", async () => {
    const env = { KHAELOR_MODLE: "x", KHAELOR_HOME: "/h", KHAELOR_OWN_THING: "1" };
    own({ passEnv: ["KHAELOR_OWN_THING"] });
    expect(await warnings({}, env)).toEqual([
      "KHAELOR_MODLE: expected a known variable (did you mean KHAELOR_MODEL?), got one that nobody reads",
    ]);
  });
});

describe("the user's own file", () => {
  test("with a key that does not exist stops the start: whoever wrote it relies on it", async () => {
    const path = own('{\n "permisions": [],\n "limits": { "maxTurn": 5 } }');
    expect(await problems()).toEqual([
      `${path}:3: limits.maxTurn: expected a known key (did you mean maxTurns?), got an unknown one`,
      `${path}:2: permisions: expected a known key (did you mean permissions?), got an unknown one`,
    ]);
  });

  test("with a key that stands twice names both lines, and everything else that is wrong", async () => {
    const path = own('{\n "model": "a",\n "model": "b",\n "effort": 1 }');
    expect(await problems()).toEqual([
      `${path}:3: model: expected this key only once, got a second one (the first is in line 2)`,
      `${path}:4: effort: expected "low" or "medium" or "high" or "xhigh" or "max", got 1`,
    ]);
  });

  test("that is a link to nothing is no missing file", async () => {
    shop.link("home/.khaelor/config.json", "elsewhere.json");
    expect((await problems())[0]).toContain("expected a readable file");
  });

  test("repeats nothing that could be a secret", async () => {
    own({
      effort: "sk-ant-api03-abcdef",
      thinking: "abcDEF0123456789abcDEF",
      "sk-ant-key": 1,
      passEnv: ["A=hunter2 hunter2 hunter2 hunter2 hunter2"],
    });
    const loaded = await load();
    const said = JSON.stringify(await problems()) + JSON.stringify(loaded);
    expect(said).not.toMatch(/sk-ant|abcDEF0123|hunter2/);
    const explained = loaded.ok ? [] : await Promise.all(loaded.error.map(({ explain }) => explain?.()));
    expect(explained.join()).not.toMatch(/sk-ant|abcDEF0123|hunter2/);
  });
});

describe("safe mode", () => {
  const chosen = { isSafe: true };

  test("leaves every file out but for what protects", async () => {
    own({
      model: "u",
      permissionMode: "bypass",
      baseUrl: "https://gateway.example",
      limits: { maxTurns: 5 },
      permissions: [rule("rm *", "deny"), rule("npm *", "allow"), rule("git push", "ask")],
    });
    project({ model: "p", permissions: [rule("make *", "deny"), rule("x", "allow")] });
    await trustProject(shop);
    await persistPermissionGrant(shop, "always-user", rule("npm test", "allow"));
    const { config, origins, warnings: said } = await resolved({}, { KHAELOR_EFFORT: "low" }, { chosen });
    expect([config.model, config.permissionMode, config.effort, config.baseUrl, config.limits.maxTurns]).toEqual([
      "default-model",
      "ask",
      "low",
      "https://gateway.example",
      5,
    ]);
    expect(config.permissions.map(({ action, pattern }) => `${action} ${pattern}`)).toEqual([
      "deny rm *",
      "ask git push",
      "deny make *",
    ]);
    expect([origins["permissions.1"]?.source, said]).toEqual(["user", []]);
  });

  test("keeps the caps on money, and a project still only lowers them", async () => {
    own({ limits: { maxTurnUsd: 1, maxSessionUsd: 5 } });
    project({ limits: { maxTurnUsd: 0.5, maxSessionUsd: 50, maxDayUsd: 20 } });
    for (const options of [{}, { chosen }]) {
      const { config, warnings: said } = await resolved({}, {}, options);
      expect(config.limits).toMatchObject({ maxTurnUsd: 0.5, maxSessionUsd: 5, maxDayUsd: 20 });
      expect(said.map(({ key, expected, got }) => [key, expected, got])).toEqual([
        ["limits.maxSessionUsd", "at most 5", "50"],
      ]);
    }
  });

  test("starts also with files that cannot be understood, and says so", async () => {
    own('{ "effort": "x", "permissions": [{"capability": "process.execute", "pattern": "rm *", "action": "deny"}] }');
    shop.write("home/.khaelor/permissions.json", "oops");
    const { config, warnings: said } = await resolved({}, {}, { chosen });
    expect(config.permissions.map(({ pattern }) => pattern)).toEqual(["rm *"]);
    expect(said.map(({ got }) => got)).toEqual(['"x"; without it in safe mode', '"o"; without it in safe mode']);
  });

  test("stands without a profile and a settings file", async () => {
    expect(await problems({}, {}, { chosen: { ...chosen, profile: "x", file: "/x" } })).toEqual([
      "--profile: expected to stand without --safe-mode, got both",
      "--settings: expected to stand without --safe-mode, got both",
    ]);
  });
});

test("the user's prices are found without loading anything else, and a project's are not", async () => {
  const price = (input: number) => ({ input, output: 2, cacheRead: 0 });
  own({ prices: { a: price(1), b: price(2) }, effort: "wrong", profiles: { p: { prices: { b: price(3) } } } });
  project({ prices: { a: price(9) } });
  const chosen = { profile: "p", assignments: [`prices.c=${JSON.stringify(price(4))}`] };
  expect(ownPrices(shop.home, chosen)).toEqual({ a: price(1), b: price(3), c: price(4) });
  expect(ownPrices(shop.home)).toEqual({ a: price(1), b: price(2) });
  expect(ownPrices(shop.at("home/none"))).toEqual({});
  own({ prices: { a: price(1) } });
  const loaded = await loadConfig({
    home: shop.home,
    projectRoot: shop.projectRoot,
    env: {},
    flags: {},
    defaults: { model: "m", auxModel: "m" },
  });
  expect(loaded.ok && loaded.value.config.prices).toEqual({ a: price(1) });
});
