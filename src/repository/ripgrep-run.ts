/**
 * One run of ripgrep: never with anybody's configuration, over hidden files but not over `.git`, with ignore files also outside
 * a git repository, no links followed, within limits of time and output.
 */
import { dirname, join, relative } from "node:path";
import { err, ok, type Result } from "../shared/index.ts";
import type { FileError, ProcessResult, Ripgrep, Workspace } from "../workspace/index.ts";
import { createSplitter, type TakeRecord } from "./splitter.ts";

export interface SearchPorts {
  readonly workspace: Workspace;
  readonly ripgrep: Ripgrep;
  /** Absolute and real. Its `.khaelorignore` counts for everything below it. */
  readonly projectRoot: string;
  /** Default 20 s. */
  readonly timeLimitMs?: number;
}

/** Where a search begins. */
export interface SearchPlace {
  /** Absolute and real. */
  readonly root: string;
  readonly isFolder: boolean;
}

/** Why there is no answer at all. */
export interface SearchTrouble {
  readonly kind: "unavailable" | "bad-pattern" | "cancelled" | "io";
  readonly message: string;
}

/** `time`, `size`: the run was ended at its limit, and what was found before is there. */
export type RunEnd = "complete" | "time" | "size";

export interface RunEnding {
  readonly end: RunEnd;
  /** Something below the root could not be opened. */
  readonly unreadable: boolean;
}

interface Run {
  readonly place: SearchPlace;
  /** Its options; the place comes behind them. */
  readonly options: readonly string[];
  /** What may begin with a dash. */
  readonly pattern?: string;
  readonly separator: "\n" | "\0";
  /** Called with each record of the output. False: that is enough. */
  readonly take: TakeRecord;
  readonly signal: AbortSignal;
}

const TIME_LIMIT_MS = 20_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
/** Only what it says when it refuses is kept as a whole; results are taken as they come. */
const KEPT_BYTES = 8 * 1024;

const FIXED = [
  "--no-config",
  "--color=never",
  "--hidden",
  "--glob=!.git",
  "--no-require-git",
  "--no-messages", // they would come between the results; the exit status tells that there were some
  "--no-ignore-messages",
];

/** The error is that of a read: a search can begin at a file or a folder. */
export async function placeAt(workspace: Workspace, root: string): Promise<Result<SearchPlace, FileError>> {
  const file = await workspace.readFile(root, { maxBytes: 0 });
  if (file.ok) return ok({ root, isFolder: false });
  return file.error.kind === "is-directory" ? ok({ root, isFolder: true }) : err(file.error);
}

export async function runRipgrep(ports: SearchPorts, run: Run): Promise<Result<RunEnding, SearchTrouble>> {
  const program = await ports.ripgrep.program();
  if (!program.ok) return err({ kind: "unavailable", message: program.error });
  const { cwd, target } = standpoint(ports.projectRoot, run.place);
  const enough = new AbortController();
  const output = createSplitter(run.separator, (record, cut) => {
    if (!run.take(record, cut)) enough.abort();
    return !enough.signal.aborted;
  });
  const operands = run.pattern === undefined ? [target] : [run.pattern, target];
  const ran = await ports.workspace.exec({
    command: [
      program.value,
      ...FIXED,
      ...(await ownIgnoreFile(ports.workspace, cwd)),
      ...run.options,
      "--",
      ...operands,
    ],
    cwd,
    timeoutMs: ports.timeLimitMs ?? TIME_LIMIT_MS,
    signal: AbortSignal.any([run.signal, enough.signal]),
    maxOutputBytes: KEPT_BYTES,
    exact: true, // paths are judged by it; what is shown is cleaned where it is recorded
    onOutput(chunk) {
      output.push(chunk);
      if (output.totalBytes() > MAX_OUTPUT_BYTES) enough.abort();
    },
  });
  if (run.signal.aborted) return err({ kind: "cancelled", message: "The search was interrupted." });
  if (!ran.ok) return err({ kind: "io", message: ran.error.message });
  return endingOf(ran.value, enough.signal.aborted);
}

/** ripgrep takes its ignore file's patterns from where it stands: at the project's root, or at the root of a search elsewhere. */
function standpoint(projectRoot: string, { root, isFolder }: SearchPlace): { cwd: string; target: string } {
  const inside = relative(projectRoot, root);
  const isInside = inside !== ".." && !inside.startsWith("../");
  if (isInside && (isFolder || inside !== "")) return { cwd: projectRoot, target: `./${inside}` };
  const cwd = isFolder ? root : dirname(root);
  return { cwd, target: `./${relative(cwd, root)}` };
}

/** The absolute path of a record's path. */
export const foundPath = (projectRoot: string, place: SearchPlace, path: string): string =>
  join(standpoint(projectRoot, place).cwd, path);

const IGNORE_FILE = ".khaelorignore";

async function ownIgnoreFile(workspace: Workspace, cwd: string): Promise<readonly string[]> {
  const file = await workspace.readFile(join(cwd, IGNORE_FILE), { maxBytes: 0 });
  return file.ok ? [`--ignore-file=${IGNORE_FILE}`] : [];
}

/** Exit code 2 means an error somewhere; only a refusal of the pattern leaves words in place of results. */
function endingOf({ ended, exitCode, head }: ProcessResult, stopped: boolean): Result<RunEnding, SearchTrouble> {
  if (stopped) return ok({ end: "size", unreadable: false });
  if (ended === "timeout") return ok({ end: "time", unreadable: false });
  if (exitCode === 0 || exitCode === 1) return ok({ end: "complete", unreadable: false });
  const said = new TextDecoder().decode(head);
  if (!said.startsWith("rg: ")) {
    if (exitCode === 2) return ok({ end: "complete", unreadable: true });
    return err({ kind: "io", message: `ripgrep ended with ${exitCode ?? "a signal"} before it was done.` });
  }
  return err({ kind: "bad-pattern", message: reasonIn(said) });
}

/** It tries two kinds of expression; the first one's words have the place marked. */
function reasonIn(said: string): string {
  const [, first] = said.split(/^~{5,}$/m);
  return (first ?? said.replace(/^rg: /, "")).trim();
}
