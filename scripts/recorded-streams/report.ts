/** The table of what was played: a line for each source, then what differs, what was refused, and what becomes of each kind of block. */
import type { FileReport, StreamReport } from "./run.ts";

export interface SourceReport {
  readonly name: string;
  readonly commit: string | undefined;
  readonly files: readonly FileReport[];
  /** Files that hold no recording although their name says so. */
  readonly unread: readonly string[];
}

export const differences = ({ files }: SourceReport): readonly string[] =>
  files.flatMap(({ path, streams, requests }) => [
    ...streams.filter(({ outcome }) => outcome === "differs").map(({ at, why }) => `${path}#${at}: ${why}`),
    ...requests.disagreed.map((what) => `${path}#${what}`),
  ]);

/** `all`: also a line for each stream. */
export function renderReport(sources: readonly SourceReport[], all: boolean): string {
  const rows = [HEAD, ...sources.map(rowOf)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  const lines = rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return [...lines, ...sources.flatMap((source) => detailsOf(source, all))].join("\n");
}

const HEAD = [
  "source",
  "commit",
  "files",
  "streams",
  "same",
  "differ",
  "not whole",
  "echoes",
  "requests",
  "taken",
  "refused",
  "disagree",
];

function rowOf({ name, commit, files }: SourceReport): readonly string[] {
  const streams = files.flatMap((file) => file.streams);
  const count = (outcome: StreamReport["outcome"]): string =>
    String(streams.filter((stream) => stream.outcome === outcome).length);
  const echoed = streams.filter(({ echo }) => echo !== "none");
  const judged = files.map(({ requests }) => requests);
  const taken = judged.reduce((sum, requests) => sum + requests.taken, 0);
  const refused = judged.reduce((sum, requests) => sum + requests.refused.length, 0);
  const disagreed = judged.reduce((sum, requests) => sum + requests.disagreed.length, 0);
  return [
    name,
    commit?.slice(0, 12) ?? "–",
    String(files.length),
    String(streams.length),
    count("same"),
    count("differs"),
    count("refused"),
    `${echoed.filter(({ echo }) => echo === "same").length}/${echoed.length}`,
    String(taken + refused + disagreed),
    String(taken),
    String(refused),
    String(disagreed),
  ];
}

function detailsOf(source: SourceReport, all: boolean): readonly string[] {
  const { name, files, unread } = source;
  const streams = files.flatMap((file) => file.streams);
  const refused = streams
    .filter(({ outcome }) => outcome === "refused")
    .map(({ path, at, why }) => `${path}#${at}: ${why}`);
  const refusals = files.flatMap(({ path, requests }) => requests.refused.map((what) => `${path}#${what}`));
  return [
    ...section(`${name}: different`, differences(source)),
    ...section(`${name}: answers that do not count`, refused),
    ...section(`${name}: requests that the API refused, and so does the simulator`, refusals),
    ...section(`${name}: blocks of answers`, blockFates(streams)),
    ...section(`${name}: left out`, unread),
    ...section(`${name}: streams`, all ? streams.map(lineOf) : []),
  ];
}

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ["", title, ...lines.map((line) => `  ${line}`)];

/** How many of each type came, were recorded, and would be sent again. */
function blockFates(streams: readonly StreamReport[]): readonly string[] {
  const tally = (of: (stream: StreamReport) => readonly string[], type: string): number =>
    streams.flatMap(of).filter((one) => one === type).length;
  const types = new Set(streams.flatMap(({ recorded, leftOut }) => [...recorded, ...leftOut]));
  return [...types].sort().map((type) => {
    const recorded = tally((stream) => stream.recorded, type);
    const left = tally((stream) => stream.leftOut, type);
    return `${type}: ${recorded + left} came, ${recorded} recorded, ${tally(({ replayed }) => replayed, type)} sent again`;
  });
}

function lineOf({ path, at, outcome, stopReason, recorded, leftOut, replayed, echo }: StreamReport): string {
  const named = (what: string, types: readonly string[]): string =>
    types.length > 0 ? `, ${what} ${types.join(" ")}` : "";
  const blocks = `${named("recorded", recorded)}${named("left out", leftOut)}${named("sent again", replayed)}`;
  return `${path}#${at}: ${outcome}, ${stopReason ?? "no end"}${blocks}${echo === "none" ? "" : `, echo ${echo}`}`;
}
