/**
 * Volatile facts, captured when the user submits and recorded with the message: from then on they are sent as they stand.
 * What has not changed since it was last said is not said again.
 */
import type { GitSnapshot } from "../repository/index.ts";

export interface CapturedContext {
  readonly name: string;
  readonly text: string;
}

export interface CaptureOptions {
  /** Epoch milliseconds. */
  readonly now: number;
  /** IANA name; the machine's own when left out. */
  readonly timezone?: string;
  readonly cwd: string;
  /** Undefined outside a repository, or when no snapshot is ready: then nothing is said about git. */
  readonly git: GitSnapshot | undefined;
  /** The newest captured text by name: `state.turn.capturedContext`. */
  readonly previous: Readonly<Record<string, string>>;
}

/** The entries that are new or differ from `previous`, the date first. */
export function captureContext(options: CaptureOptions): readonly CapturedContext[] {
  const { git, previous } = options;
  const entries = [wrapped("environment", environment(options)), ...(git ? [wrapped("git", gitLines(git))] : [])];
  return entries.filter(({ name, text }) => previous[name] !== text);
}

const wrapped = (name: string, lines: readonly string[]): CapturedContext => ({
  name,
  text: `<${name}>\n${lines.join("\n")}\n</${name}>`,
});

const environment = ({ now, timezone, cwd }: CaptureOptions): readonly string[] => [
  `date: ${day(now, timezone)}`,
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
