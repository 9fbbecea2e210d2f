/**
 * Plays answers that others recorded of the real API through the real client, cut in several ways, and holds the message against
 * a second, naive reading and against the follow-up request where one was recorded; and asks the simulator's validator about every
 * recorded request. `scripts/bun scripts/recorded-streams.ts FOLDER… [--json] [--list]`: folders are repositories, with or without
 * a work tree, or exports of them. Needs git, no key and no network. Ends with 1 on any difference.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { readRecordings } from "./recorded-streams/formats.ts";
import { differences, renderReport, type SourceReport } from "./recorded-streams/report.ts";
import { type FileReport, runFile } from "./recorded-streams/run.ts";
import { findSource } from "./recorded-streams/sources.ts";
import type { Source } from "./recorded-streams/types.ts";

const USAGE = "usage: scripts/bun scripts/recorded-streams.ts FOLDER… [--json] [--list]";

const args = process.argv.slice(2);
const folders = args.filter((arg) => !arg.startsWith("--"));
const missing = folders.find((folder) => !existsSync(folder));
const isUnknown = args.some((arg) => arg.startsWith("--") && arg !== "--json" && arg !== "--list");
if (folders.length === 0 || isUnknown || missing !== undefined) {
  console.error(missing === undefined ? USAGE : `recorded-streams: there is no ${missing}`);
  process.exit(2);
}

const reports: SourceReport[] = [];
for (const folder of folders) reports.push(await runSource(findSource(resolve(folder))));
console.log(
  args.includes("--json") ? JSON.stringify(reports, undefined, 1) : renderReport(reports, args.includes("--list")),
);
const streams = reports.flatMap(({ files }) => files.flatMap((file) => file.streams));
process.exitCode = streams.length > 0 && reports.every((report) => differences(report).length === 0) ? 0 : 1;

async function runSource({ name, commit, files }: Source): Promise<SourceReport> {
  const done: FileReport[] = [];
  const unread: string[] = [];
  for (const file of files) {
    const bytes = file.read();
    try {
      const recorded = bytes && readRecordings(file.path, bytes);
      if (recorded) done.push(await runFile(recorded));
      if (bytes === undefined) unread.push(`${file.path}: not there, or too large`);
    } catch (error) {
      unread.push(`${file.path}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return { name, commit, files: done, unread };
}
