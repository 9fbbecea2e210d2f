/**
 * Turns conversations that other agents recorded into logs, and tries on each what long context has to do: fold, cut, prune,
 * compact, go on. `scripts/bun scripts/transcripts.ts <folder> [--keep=FOLDER] [--only=WORDS] [--json]`: the folder of a repository
 * (with or without a work tree), of .jsonl files, or of several of these. Needs git, no key and no network; no part of the tests.
 */
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { openApi, openGround } from "./transcripts/ground.ts";
import { measureApart, peakMb } from "./transcripts/measure.ts";
import { obligingModel } from "./transcripts/model-words.ts";
import { type FileReport, problemsOf, type Report, renderReport } from "./transcripts/report.ts";
import { runFile } from "./transcripts/run.ts";
import { findSources } from "./transcripts/sources.ts";

const USAGE = "usage: scripts/bun scripts/transcripts.ts <folder> [--keep=FOLDER] [--only=WORDS] [--json]";
/** Room for the longest conversation that anybody has. */
const LARGE_WINDOW = 4_000_000;

const args = process.argv.slice(2);
const option = (name: string): string | undefined =>
  args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
const [folder, ...more] = args.filter((arg) => !arg.startsWith("--"));
const isKnown = (arg: string): boolean => /^--(keep|only)=./.test(arg) || arg === "--json" || !arg.startsWith("--");
if (folder === undefined || more.length > 0 || !existsSync(folder) || !args.every(isKnown)) {
  console.error(folder !== undefined && !existsSync(folder) ? `transcripts: there is no ${folder}` : USAGE);
  process.exit(2);
}

const keep = option("keep");
const only = option("only") ?? "";
const ground = openGround(keep === undefined ? mkdtempSync(join(tmpdir(), "transcripts-")) : resolve(keep));
const leave = (): never => {
  if (keep === undefined) ground.close();
  process.exit(130);
};
process.on("SIGINT", leave);
process.on("SIGTERM", leave);
const api = await openApi(ground.store, LARGE_WINDOW, obligingModel);
try {
  const report = await run();
  console.log(args.includes("--json") ? JSON.stringify(report, undefined, 1) : renderReport(report));
  process.exitCode = problemsOf(report).length === 0 && report.files.some(({ checked }) => checked) ? 0 : 1;
} finally {
  await api.close();
  if (keep === undefined) ground.close();
}

async function run(): Promise<Report> {
  const began = performance.now();
  const files: FileReport[] = [];
  for (const source of findSources(resolve(folder ?? ""))) {
    for (const file of source.files) {
      if (!`${source.name}/${file.name}`.includes(only)) continue;
      const report = await runFile(source.name, file, { ground, api });
      files.push(report);
      console.error(progress(report));
    }
  }
  const longest = files.filter(({ checked }) => checked).sort((a, b) => sizeOf(b) - sizeOf(a))[0];
  const measured =
    longest?.sessionId === undefined ? undefined : await measureApart(ground.home, await asWritten(longest));
  return {
    files,
    ...(longest && measured && { longest: { ...measured, name: longest.name, turns: longest.turns } }),
    seconds: (performance.now() - began) / 1000,
    peakMb: peakMb(),
  };
}

/** The log as it was before the checks made it smaller: a fork that ends there. */
async function asWritten({ sessionId = "", checked }: FileReport): Promise<string> {
  const { session, seq } = await ground.store.fork(sessionId, { seq: checked?.events ?? 1 });
  const fork = { sessionId, seq, kind: "fork" as const };
  const payload = { khaelorVersion: "0.0.0", replayedSeq: seq, model: session.state().turn.model, toolNames: [], fork };
  session.publish({ type: "session.resumed", payload });
  await session.close();
  return session.id;
}

function sizeOf({ checked }: FileReport): number {
  return checked?.events ?? 0;
}

function progress({ name, format, leftOut, checked, played, problems }: FileReport): string {
  if (leftOut !== undefined) return `${name}: left out: ${leftOut}`;
  const found = `${checked?.events ?? 0} events, ${played?.prunes ?? 0} prunes, ${played?.compactions ?? 0} compactions`;
  return `${name}: ${format}, ${found}${problems.map((problem) => `\n  ${problem}`).join("")}`;
}
