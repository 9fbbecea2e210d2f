/**
 * Volatile facts, captured when the user submits and recorded with the message: from then on they are sent as they stand.
 * What has not changed since it was last said is not said again.
 */
import type { GitSnapshot } from "../repository/index.ts";
import type { ProcessTable } from "../session/index.ts";

export interface CapturedContext {
  readonly name: string;
  readonly text: string;
}

export interface CaptureOptions {
  /** Epoch milliseconds. */
  readonly now: number;
  /** The day where the user is, yyyy-mm-dd, when the caller knows it already. */
  readonly today?: string | undefined;
  /** IANA name; the machine's own when left out. */
  readonly timezone?: string;
  readonly cwd: string;
  /** Undefined outside a repository, or when no snapshot is ready: then nothing is said about git. */
  readonly git: GitSnapshot | undefined;
  /** Absent: nothing is said about them. */
  readonly processes?: ProcessTable;
  /** The newest captured text by name: `state.turn.capturedContext`. */
  readonly previous: Readonly<Record<string, string>>;
}

/** The entries that are new or differ from `previous`, the date first. */
export function captureContext(options: CaptureOptions): readonly CapturedContext[] {
  const { git, processes, previous } = options;
  const lines = processes ? processLines(processes) : [];
  const entries = [
    wrapped("environment", environment(options)),
    ...(git ? [wrapped("git", gitLines(git))] : []),
    ...(lines.length > 0 ? [wrapped("processes", lines)] : []),
  ];
  return entries.filter(({ name, text }) => previous[name] !== text);
}

const wrapped = (name: string, lines: readonly string[]): CapturedContext => ({
  name,
  text: `<${name}>\n${lines.join("\n")}\n</${name}>`,
});

const environment = ({ now, today, timezone, cwd }: CaptureOptions): readonly string[] => [
  `date: ${today ?? day(now, timezone)}`,
  `working directory: ${shown(cwd)}`,
  `platform: ${process.platform}`,
];

/**
 * yyyy-mm-dd. Only the day: a clock time would differ in every message and tell the model nothing. The machine's own zone is
 * asked without Intl, whose first use takes ten milliseconds.
 */
function day(now: number, timeZone: string | undefined): string {
  if (timeZone === undefined) {
    const local = new Date(now);
    return [local.getFullYear(), local.getMonth() + 1, local.getDate()].map(twoDigits).join("-");
  }
  const parts = new Intl.DateTimeFormat("en-US", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" })
    .formatToParts(now)
    .map(({ type, value }) => [type, value] as const);
  const { year, month, day: dayOfMonth } = Object.fromEntries(parts);
  return `${year}-${month}-${dayOfMonth}`;
}

const twoDigits = (number: number): string => String(number).padStart(2, "0");

/** How many names of each kind are told; the model can run `git status` for the rest. */
const MAX_NAMES = 20;

function gitLines({ branch, head, dirtyFiles, untrackedFiles, cut }: GitSnapshot): readonly string[] {
  return [
    `branch: ${branch === null ? "(detached)" : shown(branch)}`,
    `head: ${head === null ? "(no commit yet)" : head.slice(0, 12)}`,
    ...names("changed", dirtyFiles, cut),
    ...names("untracked", untrackedFiles, cut),
  ];
}

function names(label: string, files: readonly string[], cut: boolean): readonly string[] {
  if (files.length === 0) return cut ? [] : [`${label}: none`];
  const listed = files.slice(0, MAX_NAMES).map((name) => `  ${shown(name)}`);
  const more = files.length - listed.length;
  const rest = cut ? ["  and more"] : more > 0 ? [`  and ${more} more`] : [];
  return [`${label}: ${files.length}${cut ? " or more" : ""}`, ...listed, ...rest];
}

/** Names come from whoever made the repository: anything unusual is quoted, so that a name stays one name on one line. */
const shown = (name: string): string => (/^[\w./@+~-]+$/.test(name) ? name : JSON.stringify(name));

const MAX_COMMAND_CHARACTERS = 80;

/** Neither age nor pid: they would differ in every message. */
function processLines({ live, ended }: ProcessTable): readonly string[] {
  return [
    ...ended.map((process) => `${shown(process.processId)}: ${endingOf(process)}: ${shortened(process.command)}`),
    ...live.map(({ processId, command }) => `${shown(processId)}: running: ${shortened(command)}`),
  ];
}

/** In words, also for a checkpoint. */
export function endingOf({ cause, exitCode, signal }: ProcessTable["ended"][number]): string {
  switch (cause) {
    case "stopped-by-tool":
      return "stopped";
    case "khaelor-shutdown":
      return "ended with the program, and its output is gone";
    case "crashed":
      return `killed by ${signal ?? "a signal"}`;
    default: // also a cause of a later version
      return exitCode === null ? "ended" : `exited with code ${exitCode}`;
  }
}

function shortened(command: string): string {
  const line = command.replace(/\s+/g, " ").trim();
  return shown(line.length > MAX_COMMAND_CHARACTERS ? `${line.slice(0, MAX_COMMAND_CHARACTERS)}…` : line);
}
