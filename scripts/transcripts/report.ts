/** The table at the end: per source what was found, what became of it, what was refused; and the longest conversation's figures. */
import type { Checked } from "./checks.ts";
import type { Measured } from "./measure.ts";
import type { Played } from "./playback.ts";

export interface FileReport {
  readonly source: string;
  readonly name: string;
  /** Its format, or why it is left out. */
  readonly format?: string;
  readonly leftOut?: string;
  readonly answers: number;
  readonly turns: number;
  /** Sent for the checks, the playback not counted. */
  readonly requests: number;
  readonly checked?: Checked;
  /** As the program does it by itself, and with a will to prune. */
  readonly played?: Played;
  readonly pruning?: Played;
  readonly problems: readonly string[];
  /** What of the transcript is not in the log, or is there in another way. */
  readonly tally: Readonly<Record<string, number>>;
  readonly sessionId?: string;
}

export interface Report {
  readonly files: readonly FileReport[];
  readonly longest?: Measured & { readonly name: string; readonly turns: number };
  readonly seconds: number;
  readonly peakMb: number;
}

export const problemsOf = ({ files }: Report): readonly string[] =>
  files.flatMap(({ source, name, problems }) => problems.map((problem) => `${source}: ${name}: ${problem}`));

/** Bounded: a table is read by people. */
const SHOWN_PROBLEMS = 40;

export function renderReport(report: Report): string {
  const { files, longest } = report;
  const sources = [...new Set(files.map(({ source }) => source))];
  const rows = [...sources.map((source) => rowOf(source, files)), rowOf(undefined, files)];
  const problems = problemsOf(report);
  return [
    table([HEADING, ...rows]),
    "",
    "Left out, by reason:",
    ...tallied(files.flatMap(({ leftOut }) => (leftOut === undefined ? [] : [[leftOut, 1] as const]))),
    "",
    "Not in the logs, or there in another way:",
    ...tallied(files.flatMap(({ tally }) => Object.entries(tally))),
    "",
    ...(longest ? [longestLine(longest), ""] : []),
    `${report.seconds.toFixed(0)} s; peak memory of the whole run, server included: ${report.peakMb.toFixed(0)} MB`,
    ...(problems.length === 0 ? ["nothing was refused, and nothing differs"] : [`${problems.length} PROBLEMS`]),
    ...problems.slice(0, SHOWN_PROBLEMS).map((problem) => `  ${problem.slice(0, 500)}`),
  ].join("\n");
}

const HEADING = [
  ...["source", "files", "logs", "left out", "turns", "answers", "events", "MB", "safe cuts", "pruned", "compacted"],
  ...["requests", "played", "prunes", "compactions", "in a loop", "played early", "prunes", "compactions", "problems"],
];

function rowOf(source: string | undefined, all: readonly FileReport[]): readonly string[] {
  const files = all.filter((file) => source === undefined || file.source === source);
  const sum = (count: (file: FileReport) => number): string =>
    String(files.reduce((total, file) => total + count(file), 0));
  const bytes = files.reduce((total, { checked }) => total + (checked?.bytes ?? 0), 0);
  return [
    source ?? "all",
    String(files.length),
    sum(({ checked }) => (checked ? 1 : 0)),
    sum(({ leftOut }) => (leftOut === undefined ? 0 : 1)),
    sum(({ turns }) => turns),
    sum(({ answers }) => answers),
    sum(({ checked }) => checked?.events ?? 0),
    (bytes / 1e6).toFixed(1),
    sum(({ checked }) => checked?.safeCuts ?? 0),
    sum(({ checked }) => (checked?.pruned === undefined ? 0 : 1)),
    sum(({ checked }) => checked?.compacted.length ?? 0),
    sum(({ requests }) => requests),
    sum(({ played }) => played?.requests ?? 0),
    sum(({ played }) => played?.prunes ?? 0),
    sum(({ played }) => played?.compactions ?? 0),
    sum(({ played }) => played?.inLoop ?? 0),
    sum(({ pruning }) => pruning?.requests ?? 0),
    sum(({ pruning }) => pruning?.prunes ?? 0),
    sum(({ pruning }) => pruning?.compactions ?? 0),
    sum(({ problems }) => problems.length),
  ];
}

function longestLine(longest: NonNullable<Report["longest"]>): string {
  const { name, turns, events, messages, bytes, foldMs, selectMs, pruneMs, compactMs, foldedMb, peakMb } = longest;
  const ms = (value: number | undefined): string => (value === undefined ? "nothing to do" : `${value.toFixed(1)} ms`);
  return [
    `The longest, ${name}: ${turns} turns, ${events} events, ${messages} messages, ${(bytes / 1e6).toFixed(2)} MB;`,
    `fold ${ms(foldMs)}, first request ${ms(selectMs)}, prune ${ms(pruneMs)}, compact ${ms(compactMs)} (without the model's time);`,
    `peak memory ${foldedMb.toFixed(0)} MB once folded, ${peakMb.toFixed(0)} MB in the end, in a process of its own`,
  ].join("\n  ");
}

function tallied(counts: readonly (readonly [string, number])[]): readonly string[] {
  const sums = new Map<string, number>();
  for (const [reason, times] of counts) sums.set(reason, (sums.get(reason) ?? 0) + times);
  const rows = [...sums]
    .sort(([, a], [, b]) => b - a)
    .map(([reason, times]) => `${String(times).padStart(8)}  ${reason}`);
  return rows.length > 0 ? rows : ["  nothing"];
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_cell, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join("  ");
  return rows.map(line).join("\n");
}
