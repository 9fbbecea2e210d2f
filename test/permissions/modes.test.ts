/** Modes, rules, suggestions and what a verdict tells: the policy around the acceptance data. */
import { describe, expect, test } from "bun:test";
import { evaluatorFor, HOME, linkedResolver, PROJECT, verdictOn } from "./ground.ts";

const read = (path: string) => ({ kind: "path", op: "read", path }) as const;
const write = (path: string) => ({ kind: "path", op: "write", path }) as const;
const loop = { kind: "loop", call: "bash npm test" } as const;

describe("modes", () => {
  const table: readonly (readonly [string, Readonly<Record<"ask" | "accept-edits" | "plan" | "bypass", string>>])[] = [
    ["ls", { ask: "allow", "accept-edits": "allow", plan: "allow", bypass: "allow" }],
    ["npm test", { ask: "ask", "accept-edits": "ask", plan: "deny", bypass: "allow" }],
    ["echo x > a", { ask: "ask", "accept-edits": "allow", plan: "deny", bypass: "allow" }],
    ["mkdir -p a/b && cp x a/b", { ask: "ask", "accept-edits": "allow", plan: "deny", bypass: "allow" }],
    ["sed -i s/a/b/ src/x", { ask: "ask", "accept-edits": "allow", plan: "deny", bypass: "allow" }],
    ["rm x", { ask: "ask", "accept-edits": "ask", plan: "deny", bypass: "allow" }],
    ["echo x > ../a", { ask: "ask", "accept-edits": "ask", plan: "deny", bypass: "allow" }],
    ["echo x > .git/hooks/pre-commit", { ask: "ask", "accept-edits": "ask", plan: "deny", bypass: "allow" }],
    ["cat /etc/hostname", { ask: "ask", "accept-edits": "ask", plan: "ask", bypass: "allow" }],
    ["git push --force", { ask: "ask", "accept-edits": "ask", plan: "deny", bypass: "allow" }],
    ["git commit -m x", { ask: "ask", "accept-edits": "ask", plan: "deny", bypass: "allow" }],
    ["curl http://x", { ask: "ask", "accept-edits": "ask", plan: "deny", bypass: "allow" }],
    ["rm -rf /", { ask: "deny", "accept-edits": "deny", plan: "deny", bypass: "deny" }],
    ["echo 'x", { ask: "ask", "accept-edits": "ask", plan: "deny", bypass: "ask" }],
    ["$X y", { ask: "ask", "accept-edits": "ask", plan: "deny", bypass: "allow" }],
  ];
  for (const [command, expected] of table) {
    test(command, () => {
      const actual = Object.fromEntries(
        (["ask", "accept-edits", "plan", "bypass"] as const).map((mode) => [mode, verdictOn(command, { mode }).action]),
      );
      expect<Readonly<Record<string, string>>>(actual).toEqual(expected);
    });
  }

  test("plan lets files be read and nothing be written, in words that say what to do instead", () => {
    const evaluator = evaluatorFor({
      mode: "plan",
      rules: [{ capability: "file.write.project", pattern: "*", action: "allow" }],
    });
    expect(evaluator.evaluate(read("src/a.ts")).action).toBe("allow");
    const { action, tier, because } = evaluator.evaluate(write("src/a.ts"));
    expect({ action, tier }).toEqual({ action: "deny", tier: "mode" });
    expect(because).toContain("Plan mode is read-only");
  });

  test("accept-edits lets a file of the project be written, and no other", () => {
    const evaluator = evaluatorFor({ mode: "accept-edits" });
    expect(
      [write("src/a.ts"), write("../a.ts"), write(".git/config"), write("~/.ssh/x")].map(
        (access) => evaluator.evaluate(access).action,
      ),
    ).toEqual(["allow", "ask", "ask", "deny"]);
  });

  test("bypass keeps deny rules, also on paths", () => {
    const rules = [
      { capability: "process.execute", pattern: "npm publish *", action: "deny" },
      { capability: "file.read", pattern: ".env", action: "deny" },
    ] as const;
    const evaluator = evaluatorFor({ mode: "bypass", rules });
    const judged = [
      evaluator.evaluate({ kind: "command", command: "CI=1 npm publish", cwd: PROJECT }),
      evaluator.evaluate(read(".env")),
      evaluator.evaluate({ kind: "command", command: "cat .env", cwd: PROJECT }),
      evaluator.evaluate(read("src/a.ts")),
    ];
    expect(judged.map(({ action, tier }) => [action, tier])).toEqual([
      ["deny", "rule"],
      ["deny", "rule"],
      ["deny", "rule"],
      ["allow", "mode"],
    ]);
  });

  test("a loop is asked about, but not under bypass", () => {
    expect(evaluatorFor().evaluate(loop)).toMatchObject({
      action: "ask",
      capability: "loop.continue",
      tier: "default",
    });
    expect(evaluatorFor({ mode: "bypass" }).evaluate(loop).action).toBe("allow");
    expect(evaluatorFor({ mode: "plan" }).evaluate(loop).action).toBe("ask");
  });
});

describe("rules", () => {
  test("one added later stands behind all others", () => {
    const evaluator = evaluatorFor({ rules: [{ capability: "process.execute", pattern: "npm *", action: "deny" }] });
    const access = { kind: "command", command: "npm test", cwd: PROJECT } as const;
    expect(evaluator.evaluate(access).action).toBe("deny");
    evaluator.addRule({ capability: "process.execute", pattern: "npm test", action: "allow" });
    expect(evaluator.evaluate(access)).toMatchObject({
      action: "allow",
      tier: "rule",
      because: 'The rule allow process.execute "npm test" matches.',
    });
  });

  test("a path is named from the project, from home or from the root, and by where a link leads", () => {
    const named = (pattern: string, path: string) =>
      evaluatorFor({
        rules: [
          { capability: "file.read", pattern, action: "deny" },
          { capability: "filesystem.outsideProject", pattern, action: "allow" },
        ],
        resolvePath: linkedResolver({ [`${PROJECT}/link`]: `${PROJECT}/secret` }),
      }).evaluate(read(path)).action;
    expect([
      named("src/*", "src/a"),
      named("./src/*", "src/a"),
      named(`${PROJECT}/src/*`, "src/a"),
      named("secret", "link"),
    ]).toEqual(["deny", "deny", "deny", "deny"]);
    expect([
      named("~/docs/*", "~/docs/a"),
      named(`${HOME}/docs/*`, "~/docs/a"),
      named("~/docs/*", "~/other/a"),
    ]).toEqual(["allow", "allow", "ask"]);
  });

  test("an exact rule lets a guarded path through, one with a star does not", () => {
    const guarded = (pattern: string) =>
      evaluatorFor({ rules: [{ capability: "filesystem.outsideProject", pattern, action: "allow" }] }).evaluate(
        read("~/.netrc"),
      );
    expect(guarded("*")).toMatchObject({ action: "ask", tier: "guarded" });
    expect(guarded("~/.netrc").action).toBe("allow");
    expect(guarded(`${HOME}/.netrc`).action).toBe("allow");
  });

  test("an exact rule for the whole text gives way to a later one that asks or denies", () => {
    const rules = [
      { capability: "process.execute", pattern: "sudo ls", action: "allow" },
      { capability: "process.execute", pattern: "sudo *", action: "ask" },
    ] as const;
    expect(verdictOn("sudo ls", { rules }).action).toBe("ask");
    expect(verdictOn("sudo ls", { rules: [...rules].reverse() }).action).toBe("allow");
  });
});

describe("verdicts", () => {
  test("name each part and what decided", () => {
    const verdict = verdictOn("cat README.md && npm install > log.txt");
    expect(verdict).toMatchObject({
      action: "ask",
      tier: "default",
      capability: "process.execute",
      because: "No rule matches.",
    });
    expect(verdict.descriptor).toBe("Run `cat README.md && npm install > log.txt`");
    expect(verdict.parts.map(({ text, capability, action }) => [text, capability, action])).toEqual([
      ["cat README.md", "file.read", "allow"],
      ["read README.md", "file.read", "allow"],
      ["npm install", "process.execute", "ask"],
      ["write log.txt", "file.write.project", "ask"],
    ]);
  });

  const suggestions: readonly (readonly [string, string | undefined])[] = [
    ["npm install", "npm install *"],
    ["npm run build -- --watch", "npm run build *"],
    ["git commit -m 'a; b'", "git commit *"],
    ["pytest -k foo", "pytest *"],
    ["cd src && npm test", "npm test *"],
    ["python3 x.py", "python3 x.py"],
    ["rm x", undefined],
    ["'a b' c", undefined],
    ["npm install && npm test", undefined],
    ["npm test | tee log", undefined],
    ["sudo ls", undefined],
    ["$X", undefined],
    ["curl https://api.example.com/v1", "api.example.com"],
    ["cat /etc/hostname", "/etc/hostname"],
    ["echo x > src/a.ts", "src/*"],
    ["echo 'x", undefined],
    ["ls", undefined],
  ];
  for (const [command, pattern] of suggestions) {
    test(`suggest ${pattern ?? "nothing"} for ${command}`, () => {
      expect(verdictOn(command).suggestion?.pattern).toBe(pattern);
    });
  }

  test("do not depend on a resolver that fails: what cannot be judged is asked", () => {
    const broken = evaluatorFor({
      resolvePath: (path) => {
        if (path === PROJECT) return path;
        throw new Error("disk on fire");
      },
    });
    expect(broken.evaluate(read("src/a.ts"))).toMatchObject({
      action: "ask",
      because: "It could not be judged: disk on fire.",
    });
    expect(broken.evaluate({ kind: "command", command: "cat x", cwd: PROJECT }).action).toBe("ask");
  });

  test("an empty command is refused, and a path that no system knows", () => {
    const evaluator = evaluatorFor();
    expect(
      [verdictOn(" \n"), evaluator.evaluate(read("")), evaluator.evaluate(read("a\0b"))].map(({ action }) => action),
    ).toEqual(["deny", "deny", "deny"]);
  });
});

describe("a project's own rule", () => {
  const npm = (action: "allow" | "ask" | "deny", onlyTightens?: true) =>
    ({ capability: "process.execute", pattern: "npm *", action, ...(onlyTightens && { onlyTightens }) }) as const;

  test("tightens what the user allowed, until the user allows it again", () => {
    expect(verdictOn("npm test", { rules: [npm("allow"), npm("ask", true)] }).action).toBe("ask");
    expect(verdictOn("npm test", { rules: [npm("allow"), npm("deny", true)] }).action).toBe("deny");
    expect(verdictOn("npm test", { rules: [npm("ask", true), npm("allow")] }).action).toBe("allow");
  });

  test("never takes the place of the user's stricter one, in no mode", () => {
    for (const mode of ["ask", "accept-edits", "plan", "bypass"] as const) {
      expect(verdictOn("npm test", { mode, rules: [npm("deny"), npm("ask", true)] }).action).toBe("deny");
    }
  });
});

describe("folders that the user added", () => {
  const added = { additionalRoots: ["/srv/other"] } as const;
  const actions = (
    options: Parameters<typeof evaluatorFor>[0],
    accesses: readonly ReturnType<typeof read | typeof write>[],
  ) => accesses.map((access) => evaluatorFor(options).evaluate(access).action);

  test("what lies there is read, and written under accept-edits, like the project; their neighbours are not", () => {
    const asked = [read("/srv/other/a"), write("/srv/other/a"), read("/srv/others/a"), read("/srv/other/../x")];
    expect(actions({ ...added, mode: "accept-edits" }, asked)).toEqual(["allow", "allow", "ask", "ask"]);
    expect(actions({ mode: "accept-edits" }, asked)).toEqual(["ask", "ask", "ask", "ask"]);
    const wipe = evaluatorFor({ ...added, mode: "accept-edits" }).evaluate({
      kind: "command",
      command: "rm -rf /srv/other",
      cwd: PROJECT,
    });
    expect([wipe.action, wipe.parts.some(({ tier }) => tier === "guarded")]).toEqual(["ask", true]);
  });

  test("their hooks are guarded too, and a rule of the project's own relative names does not reach them", () => {
    const rules = [{ capability: "file.write.project", pattern: "src/*", action: "allow" }] as const;
    const asked = [write("src/a"), write("/srv/other/src/a"), write("/srv/other/.git/hooks/pre-commit")];
    expect(actions({ ...added, rules }, asked)).toEqual(["allow", "ask", "ask"]);
    const named = [{ capability: "file.write.project", pattern: "/srv/other/src/*", action: "allow" }] as const;
    expect(actions({ ...added, rules: named }, asked)).toEqual(["ask", "allow", "ask"]);
  });
});
