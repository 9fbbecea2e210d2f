/** What the build promises of the executable, over a small stand-in program. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const ROOT = join(import.meta.dir, "../..");
const TIMEOUT_MS = 60_000;

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "khaelor-build-"));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(command: readonly string[], cwd = folder): Promise<{ output: string; status: number }> {
  const child = Bun.spawn([...command], { cwd, stdio: ["ignore", "pipe", "pipe"] });
  const [out, errors, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { output: out + errors, status };
}

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

const build = (entry: string, outfile: string) =>
  run([process.execPath, join(ROOT, "scripts/build.ts"), join(folder, entry), join(folder, outfile)]);

test(
  "the executable knows its version, carries its prose, loads lazily, and takes nothing from where it is started",
  async () => {
    write({
      "ok/main.ts": `
        import prose from "./prose.md" with { type: "text" };
        const { createTwoFilesPatch } = await import("diff");
        const evaluated = (() => { try { return new Function("return 1")(); } catch { return "refused"; } })();
        const planted = await import(process.argv[2] ?? "").then(() => "loaded", () => "refused");
        const diff = createTwoFilesPatch("a", "b", "x", "y").length > 0;
        console.log(JSON.stringify({ version: typeof KHAELOR_VERSION, prose, diff, evaluated, planted, env: process.env.PLANTED }));`,
      "ok/prose.md": "Read *this*.\n",
      "hostile/.env": "PLANTED=1\n",
      "hostile/bunfig.toml": 'preload = ["./planted.ts"]\n',
      "hostile/planted.ts": 'console.log("planted code ran");\n',
      "hostile/package.json": '{ "type": "commonjs" }\n',
      "hostile/tsconfig.json": "{ broken",
    });
    const made = await build("ok/main.ts", "out/program");
    expect([made.status, made.output]).toEqual([0, expect.stringContaining("2 modules at start")]);
    const { output } = await run([join(folder, "out/program"), "./planted.ts"], join(folder, "hostile"));
    expect(JSON.parse(output)).toEqual({
      version: "string",
      prose: "Read *this*.\n",
      diff: true,
      evaluated: "refused",
      planted: "refused",
    });
  },
  TIMEOUT_MS,
);

test(
  "a heavy package at start, also by way of a shared chunk, and a package left to run time stop the build",
  async () => {
    write({
      "heavy.ts": 'import { diffLines } from "diff";\nawait import("./lazy.ts");\nconsole.log(diffLines("a", "b"));\n',
      "lazy.ts": 'import { createTwoFilesPatch } from "diff";\nconsole.log(createTwoFilesPatch("a", "b", "x", "y"));\n',
      "loose.ts": 'try { await import("not-installed"); } catch {}\n',
    });
    const heavy = await build("heavy.ts", "out/heavy");
    const loose = await build("loose.ts", "out/loose");
    expect([heavy.status, heavy.output]).toEqual([1, expect.stringContaining("node_modules/diff/libesm/index.js")]);
    expect([loose.status, loose.output]).toEqual([1, expect.stringContaining("left to run time: not-installed")]);
    expect([existsSync(join(folder, "out/heavy")), existsSync(join(folder, "out/loose"))]).toEqual([false, false]);
  },
  TIMEOUT_MS,
);

test(
  "the same sources give the same bytes, wherever they lie",
  async () => {
    const { output, status } = await run([process.execPath, join(ROOT, "scripts/build.ts"), "--check-reproducible"]);
    expect([status, output]).toEqual([
      0,
      expect.stringMatching(/^two builds from two folders are the same: sha256 [0-9a-f]{64}$/m),
    ]);
  },
  TIMEOUT_MS,
);
