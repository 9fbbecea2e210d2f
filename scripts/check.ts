/** Everything that can be judged without running the program, at once: types, style, documents, house rules. Says what failed. */
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");
const bin = (name: string) => join(ROOT, "node_modules/.bin", name);

/** What to run, each with this Bun. */
const CHECKS: Readonly<Record<string, readonly string[]>> = {
  types: [bin("tsc"), "--noEmit"],
  style: [bin("biome"), "check", "--error-on-warnings", "."],
  documents: ["scripts/docs.ts", "--check"],
  "house rules": ["test", "./test/architecture.test.ts"],
};

async function run(args: readonly string[]): Promise<{ readonly ok: boolean; readonly output: string }> {
  const child = Bun.spawn([process.execPath, ...args], { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  const [out, errors, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { ok: status === 0, output: `${out}${errors}`.trim() };
}

const results = await Promise.all(Object.entries(CHECKS).map(async ([name, args]) => ({ name, ...(await run(args)) })));
const failed = results.filter(({ ok }) => !ok);
for (const { name, output } of failed) console.log(`--- ${name} ---\n${output}\n`);
console.log(
  failed.length === 0
    ? `check: ${results.map(({ name }) => name).join(", ")} are in order`
    : `check: ${failed.map(({ name }) => name).join(", ")} failed`,
);
process.exit(failed.length === 0 ? 0 : 1);
