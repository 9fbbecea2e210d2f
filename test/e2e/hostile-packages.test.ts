/**
 * The compiled program among packages, programs and switches that somebody has planted under the names it knows: of every
 * package of the build, of ripgrep, and of the runtime's own variables. Whatever is planted leaves a mark when it runs.
 */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Script, sequence } from "../../src/simulator/index.ts";
import { KEY, SELF_SIGNED } from "../anthropic/certificates.ts";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { openStage, RUN_TIMEOUT_MS, readLog, type Served, type Stage, TEST_KEY, withModel } from "./stage.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

const INSTALLED = join(import.meta.dir, "../../node_modules");

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;

/** Every package that is installed, and every name that one of them or the program itself may ask for. */
function packageNames(): readonly string[] {
  const installed = readdirSync(INSTALLED)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) =>
      name.startsWith("@") ? readdirSync(join(INSTALLED, name)).map((part) => `${name}/${part}`) : name,
    );
  const asking = [join(INSTALLED, ".."), ...installed.map((name) => join(INSTALLED, name))].map(manifestOf);
  const asked = asking.flatMap((one) =>
    [one.dependencies, one.peerDependencies, one.optionalDependencies].flatMap((names) => Object.keys(names ?? {})),
  );
  return [...new Set([...installed, ...asked])].sort();
}

const marker = ({ root }: Stage) => join(root, "planted-code-ran");

function plantFile(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode });
}

const codeOf = (stage: Stage) => `require("node:fs").writeFileSync(${JSON.stringify(marker(stage))}, "");\n`;
const programOf = (stage: Stage) => `#!/bin/sh\necho "$0" >'${marker(stage)}'\n`;

/** In the project, above it and at home: a look-up climbs. */
function plantPackages(stage: Stage): void {
  const manifest = '{ "main": "index.js", "exports": { ".": "./index.js", "./*": "./index.js" } }\n';
  for (const folder of [stage.project, stage.root, stage.home]) {
    for (const name of packageNames()) {
      plantFile(join(folder, "node_modules", name, "index.js"), codeOf(stage));
      plantFile(join(folder, "node_modules", name, "package.json"), manifest);
      plantFile(join(folder, "node_modules", name, "bin/rg"), programOf(stage), 0o755);
    }
  }
}

function plantFiles(stage: Stage): void {
  const files = {
    ".env": "PLANTED=1\nANTHROPIC_BASE_URL=http://127.0.0.1:9\n",
    "bunfig.toml": 'preload = ["./planted.js"]\n',
    "planted.js": codeOf(stage),
    "tsconfig.json": '{ "compilerOptions": { "baseUrl": ".", "paths": { "*": ["./planted.js"] } } }\n',
    "package.json":
      '{ "imports": { "#*": "./planted.js" }, "exports": { "./*": "./planted.js" }, "main": "planted.js" }\n',
    ".ripgreprc": "--pre=./bin/rg\n--follow\n",
    ".gitignore": "node_modules/\nbin/\n",
    "notes.txt": "the needle\n",
  };
  for (const [name, text] of Object.entries(files)) plantFile(join(stage.project, name), text);
  plantFile(join(stage.home, ".bunfig.toml"), 'preload = ["./planted.js"]\n');
  plantFile(join(stage.project, "bin/rg"), programOf(stage), 0o755);
}

/** What is planted does run where somebody takes it up; otherwise its silence would prove nothing. */
function expectLive(stage: Stage, command: readonly string[], env: Readonly<Record<string, string | undefined>>): void {
  Bun.spawnSync([...command], { cwd: stage.project, env, stdio: ["ignore", "ignore", "ignore"] });
  expect([command, existsSync(marker(stage))]).toEqual([command, true]);
  rmSync(marker(stage));
}

const call = (name: string, input: Readonly<Record<string, unknown>>) => ({ type: "tool_use", name, input }) as const;

const everyTool = (): Script =>
  sequence([
    {
      content: [
        call("grep", { pattern: "needle" }),
        call("glob", { pattern: "*.txt" }),
        call("read", { file_path: "notes.txt" }),
      ],
    },
    { content: [call("edit", { file_path: "notes.txt", old_string: "the needle", new_string: "a needle" })] },
    {
      content: [call("write", { file_path: "made.txt", content: "made\n" }), call("bash", { command: "cat made.txt" })],
    },
    { content: [call("process", { action: "list" })] },
    { content: [{ type: "text", text: "Done." }] },
  ]);

/** `rg` is found first on the path, in the folder of the project. */
const pathOf = (served: Served) => `${join(served.project, "bin")}:.:${process.env.PATH}`;

const ripgrepOf = ({ state }: Stage): string => {
  const names = readdirSync(join(state, "cache")).filter((name) => name.startsWith("rg-"));
  expect(names.length).toBe(1);
  return join(state, "cache", names[0] ?? "");
};

test("every tool works, and of all that is planted nothing runs", () =>
  withModel({ script: everyTool() }, async (served) => {
    plantFiles(served);
    plantPackages(served);
    expect(packageNames().length).toBeGreaterThan(20);
    const env = { PATH: pathOf(served), RIPGREP_CONFIG_PATH: join(served.project, ".ripgreprc") };
    const shipped = join(INSTALLED, `@vscode/ripgrep-${process.platform}-${process.arch}/bin/rg`);
    expectLive(served, [process.execPath, "-e", "1"], env);
    expectLive(served, [process.execPath, "--config=/dev/null", "-e", "import('zod')"], env);
    expectLive(served, ["/bin/sh", "-c", "rg needle"], env);
    expectLive(served, [shipped, "needle"], env);
    const ran = await served.ask(["-p", "--permission-mode", "accept-edits", "go"], { env });
    expect([ran.code, existsSync(marker(served))]).toEqual([0, false]);
    const [log = ""] = served.logs();
    const results = readLog(log).filter(({ type }) => type === "tool.completed");
    expect(results.map(({ payload }) => payload.modelText).slice(0, 2)).toEqual(["notes.txt", "notes.txt"]);
    expect(results.length).toBe(7);
    expect(readFileSync(join(served.project, "notes.txt"), "utf8")).toBe("a needle\n");
    expect(readFileSync(ripgrepOf(served)).equals(readFileSync(shipped))).toBe(true);
  }));

test("a program that was put in the place of ripgrep is replaced, not run", () =>
  withModel({ script: everyTool() }, async (served) => {
    plantFiles(served);
    await served.ask(["-p", "--permission-mode", "accept-edits", "go"]);
    const kept = ripgrepOf(served);
    const whole = readFileSync(kept);
    writeFileSync(kept, programOf(served));
    expectLive(served, [kept], {});
    plantFile(join(served.project, "notes.txt"), "the needle\n");
    const again = await served.ask(["-p", "--permission-mode", "accept-edits", "go"]);
    expect([again.code, existsSync(marker(served)), readFileSync(kept).equals(whole)]).toEqual([0, false, true]);
  }));

test("where the state folder cannot be used for it, searching goes on", () =>
  withModel({ script: everyTool() }, async (served) => {
    plantFiles(served);
    plantFile(join(served.state, "cache"), "a file in the way");
    const ran = await served.ask(["-p", "--permission-mode", "accept-edits", "go"]);
    const [log = ""] = served.logs();
    const [grep] = readLog(log).filter(({ type }) => type === "tool.completed");
    expect([ran.code, grep?.payload.modelText]).toEqual([0, "notes.txt"]);
  }));

/** What the runtime would do with each; `refused` where it ends before a line of the program runs. */
const SWITCHES: readonly (readonly [name: string, value: string, outcome: "works" | "refused"])[] = [
  ["BUN_OPTIONS", "--preload=PROJECT/planted.js", "refused"],
  ["BUN_OPTIONS", "--config=PROJECT/bunfig.toml", "refused"],
  ["BUN_OPTIONS", "--disallow-code-generation-from-strings=off --preload=PROJECT/planted.js", "refused"],
  ["BUN_OPTIONS", "--env-file=PROJECT/.env", "works"],
  ["BUN_OPTIONS", "--inspect-wait=127.0.0.1:PORT", "works"],
  ["BUN_INSPECT", "127.0.0.1:0/x?wait=1", "refused"],
  ["BUN_INSPECT_PRELOAD", "PROJECT/planted.js", "refused"],
  ["BUN_INSPECT_CONNECT_TO", "tcp://127.0.0.1:PORT", "works"],
  ["BUN_INSPECT_NOTIFY", "tcp://127.0.0.1:PORT", "works"],
  ["BUN_CONFIG_VERBOSE_FETCH", "curl", "works"],
  ["BUN_CONFIG_HTTP_PROXY", "http://127.0.0.1:PORT", "works"],
  ["NODE_OPTIONS", "--require PROJECT/planted.js", "works"],
  ["NODE_PATH", "PROJECT/node_modules", "works"],
  ["NODE_DEBUG", "http,https,net,tls", "works"],
];

test.each(SWITCHES)(
  "%s=%s: nothing is loaded, nobody is connected to, and the key is not shown",
  (name, value, outcome) =>
    withModel({ script: () => ({ content: [{ type: "text", text: "Done." }] }) }, async (served) => {
      plantFiles(served);
      plantFile(join(served.project, "node_modules/ulid/index.js"), codeOf(served));
      let strangers = 0;
      const listener = Bun.listen({
        hostname: "127.0.0.1",
        port: 0,
        socket: { open: () => void strangers++, data() {} },
      });
      const env = { [name]: value.replaceAll("PROJECT", served.project).replaceAll("PORT", String(listener.port)) };
      const ran = await served.ask(["-p", "hello"], { env });
      listener.stop(true);
      expect([ran.code === 0, existsSync(marker(served)), strangers]).toEqual([outcome === "works", false, 0]);
      expect(ran.stdout.includes("Done.")).toBe(outcome === "works");
      expect(ran.stdout + ran.stderr).not.toContain(TEST_KEY);
      expect(served.simulator.requests.length).toBe(outcome === "works" ? 1 : 0);
    }),
);

test("a server that only the project's own files vouch for never sees the key", async () => {
  let asked = 0;
  const fetch = () => {
    asked++;
    return new Response("no", { status: 400 });
  };
  const stranger = Bun.serve({ port: 0, hostname: "127.0.0.1", tls: { cert: SELF_SIGNED, key: KEY }, fetch });
  const stage = await openStage({ "ca.pem": SELF_SIGNED });
  const usual = {
    ANTHROPIC_API_KEY: TEST_KEY,
    ANTHROPIC_BASE_URL: `https://localhost:${stranger.port}`,
    NO_PROXY: "localhost",
  };
  const run = async (env: Readonly<Record<string, string>>) => {
    const { code, stdout, stderr } = await stage.run(["-p", "hello"], { env: { ...usual, ...env } });
    expect(stdout + stderr).not.toContain(TEST_KEY);
    return [code, asked];
  };
  for (const name of ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"]) {
    for (const path of [join(stage.project, "ca.pem"), "ca.pem", "./ca.pem"]) {
      expect([name, path, await run({ [name]: path })]).toEqual([name, path, [2, 0]]);
    }
  }
  expect(await run({ NODE_TLS_REJECT_UNAUTHORIZED: "0" })).toEqual([8, 0]);
  writeFileSync(join(stage.home, "ca.pem"), SELF_SIGNED);
  expect(await run({ NODE_EXTRA_CA_CERTS: join(stage.home, "ca.pem") })).toEqual([8, 1]); // the user's own word counts
  await stranger.stop(true);
  stage.close();
});
