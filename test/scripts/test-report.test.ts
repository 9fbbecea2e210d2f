/** The closing line of the suite, over small suites that go wrong in every known way. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SCRIPT = join(import.meta.dir, "../../scripts/test-report.ts");
const GOOD = 'test("good", () => expect(1).toBe(1));';

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "khaelor-suites-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Outcome {
  readonly last: string | undefined;
  readonly status: number;
}

/** Runs the report over a suite of these files. */
async function report(files: Readonly<Record<string, string>>, ...args: string[]): Promise<Outcome> {
  const root = mkdtempSync(join(folder, "suite-"));
  mkdirSync(join(root, "test"));
  writeFileSync(join(root, "bunfig.toml"), '[test]\nroot = "test"\n');
  for (const [name, body] of Object.entries(files)) {
    writeFileSync(join(root, "test", name), `import { describe, expect, test } from "bun:test";\n${body}\n`);
  }
  const child = Bun.spawn([process.execPath, SCRIPT, ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, HTTP_PROXY: "http://127.0.0.1:9", NO_PROXY: "example.org", ANTHROPIC_API_KEY: "secret" },
  });
  const [out, , status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { last: out.trimEnd().split("\n").at(-1), status };
}

test("a green suite", async () => {
  expect(await report({ "a.test.ts": GOOD, "b.test.ts": GOOD })).toEqual({ last: "2 passed, 0 failed", status: 0 });
});

test("skipped tests are counted only when there are some", async () => {
  const suite = { "a.test.ts": `${GOOD} test.skip("later", () => {}); test.todo("some day");` };
  expect(await report(suite)).toEqual({ last: "1 passed, 0 failed, 2 skipped", status: 0 });
});

test("a known defect counts as skipped while it fails, and as failed once it is gone", async () => {
  const suite = (value: number) => ({ "a.test.ts": `${GOOD} test.todo("known", () => expect(${value}).toBe(1));` });
  expect(await report(suite(2))).toEqual({ last: "1 passed, 0 failed, 1 skipped", status: 0 });
  expect(await report(suite(1))).toEqual({ last: "1 passed, 1 failed", status: 1 });
});

test("a failing test among good ones, with markup in its name", async () => {
  const suite = {
    "a.test.ts": `${GOOD} describe("<a & \\"b\\">", () => test("<failure>/>", () => expect(1).toBe(2)));`,
  };
  expect(await report(suite)).toEqual({ last: "1 passed, 1 failed", status: 1 });
});

test("a test that asserts nothing has failed", async () => {
  const suite = { "a.test.ts": `${GOOD} test("empty", () => {});` };
  expect(await report(suite)).toEqual({ last: "1 passed, 1 failed", status: 1 });
});

test("a file that throws while it loads", async () => {
  expect(await report({ "a.test.ts": GOOD, "b.test.ts": 'throw new Error("no");' })).toMatchObject({
    last: "1 passed, 1 failed",
    status: 1,
  });
});

test("a test that ends the process with success", async () => {
  const { last, status } = await report({ "a.test.ts": GOOD, "b.test.ts": 'test("x", () => process.exit(0));' });
  expect([last?.endsWith("passed, 0 failed"), last?.includes(" failed"), status === 0]).toEqual([false, true, false]);
});

test("the same with files side by side", async () => {
  const suite = { "a.test.ts": GOOD, "b.test.ts": 'test("x", () => process.exit(0));', "c.test.ts": GOOD };
  const { last, status } = await report(suite, "--parallel=2");
  expect([last?.endsWith("passed, 0 failed"), last?.includes(" failed"), status === 0]).toEqual([false, true, false]);
});

test("a file without tests", async () => {
  expect(await report({ "a.test.ts": GOOD, "b.test.ts": "" })).toEqual({ last: "1 passed, 1 failed", status: 1 });
});

test("no test at all", async () => {
  expect(await report({})).toEqual({ last: "0 passed, 1 failed", status: 1 });
});

test("a rejection that nobody awaits", async () => {
  const suite = { "a.test.ts": `${GOOD} test("late", () => { Promise.reject(new Error("x")); expect(1).toBe(1); });` };
  expect((await report(suite)).status).not.toBe(0);
});

test("a forgotten .only", async () => {
  expect((await report({ "a.test.ts": `${GOOD} test.only("x", () => expect(1).toBe(1));` })).status).not.toBe(0);
});

test("arguments narrow the run", async () => {
  const suite = { "a.test.ts": GOOD, "b.test.ts": 'test("bad", () => expect(1).toBe(2));' };
  expect(await report(suite, "a.test.ts")).toEqual({ last: "1 passed, 0 failed", status: 0 });
});

test("tests reach loopback past a proxy, and see no key", async () => {
  const suite = {
    "a.test.ts": `test("env", async () => {
      const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("here") });
      const body = await (await fetch(server.url)).text();
      await server.stop(true);
      const { ANTHROPIC_API_KEY, CI, NO_PROXY } = process.env;
      expect({ body, ANTHROPIC_API_KEY, CI, NO_PROXY }).toEqual({
        body: "here", ANTHROPIC_API_KEY: undefined, CI: "true", NO_PROXY: "example.org,127.0.0.1,localhost,::1",
      });
    });`,
  };
  expect(await report(suite)).toEqual({ last: "1 passed, 0 failed", status: 0 });
});
