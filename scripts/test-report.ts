/**
 * Runs the test suite and ends with one line, `N passed, N failed`, that no accident can make too good: a crash, an exit
 * inside a test, a file that reported nothing, an empty run and a test that asserts nothing all count as failed.
 * Arguments go to `bun test` as they are.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const LOOPBACK = "127.0.0.1,localhost,::1";

/**
 * Tests speak to servers on loopback, which no proxy may come between, and must not find a key or a setting of the person
 * who runs them. CI makes a forgotten `.only` and a new snapshot an error.
 */
function environment(): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(ANTHROPIC_|KHAELOR_)/.test(name));
  const noProxy = [process.env.NO_PROXY, LOOPBACK].filter(Boolean).join(",");
  return { ...Object.fromEntries(inherited), CI: "true", NO_PROXY: noProxy, no_proxy: noProxy };
}

/** The test files of a whole run, or none when arguments narrow it. */
function expectedFiles(args: readonly string[]): readonly string[] {
  if (args.length > 0 || !existsSync("test")) return [];
  return [...new Bun.Glob("test/**/*.test.ts").scanSync(".")];
}

interface Case {
  readonly name: string;
  readonly outcome: "passed" | "failed" | "skipped" | "asserts nothing";
}

function readCases(xml: string): readonly Case[] {
  const found = xml.matchAll(/<testcase name="([^"]*)"([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g);
  return [...found].map(([, name = "", attributes = "", body = ""]) => {
    if (/<(failure|error)\b/.test(body)) return { name, outcome: "failed" };
    if (body.includes("<skipped")) return { name, outcome: "skipped" };
    return { name, outcome: /\bassertions="[1-9]/.test(attributes) ? "passed" : "asserts nothing" };
  });
}

const args = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "khaelor-report-"));
const report = join(folder, "junit.xml");
// `--todo` runs what is known not to hold: it counts as skipped while it fails, and as failed once it holds. The limit of a test is
// for what hangs: on a machine that is busy with other things, a second of work takes ten.
const flags = ["--todo", "--timeout=20000", "--reporter=junit", `--reporter-outfile=${report}`];
const child = Bun.spawn([process.execPath, "test", ...flags, ...args], {
  stdio: ["ignore", "inherit", "inherit"],
  env: environment(),
});
const status = await child.exited;
const xml = existsSync(report) ? readFileSync(report, "utf8") : "";
rmSync(folder, { recursive: true, force: true });

const cases = readCases(xml);
const count = (outcome: Case["outcome"]) => cases.filter((one) => one.outcome === outcome).length;
const silent = expectedFiles(args).filter((file) => !xml.includes(`file="${file}"`));
for (const file of silent) console.log(`reported no test: ${file}`);
for (const { name, outcome } of cases) if (outcome === "asserts nothing") console.log(`asserts nothing: ${name}`);
if (xml === "") console.log("the run ended without a report: a test ended the process, or Bun crashed");

const known = count("failed") + count("asserts nothing") + silent.length;
const broken = status !== 0 || cases.length === 0;
const failed = broken ? Math.max(1, known) : known;
const skipped = count("skipped");
console.log(`${count("passed")} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exit(failed > 0 ? status || 1 : 0);
