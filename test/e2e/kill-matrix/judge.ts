/** What must hold when a killed task has been resumed to its end, in words where it does not. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { EXIT, sha256 } from "../../../src/shared/index.ts";
import type { Simulator } from "../../../src/simulator/index.ts";
import { survivors } from "../processes.ts";
import { fsck, IN_ORDER, type Line, linesOf, type Stage } from "../stage.ts";
import type { FrontName } from "./front.ts";
import { type Part, sessionLog, wholeLines } from "./part.ts";
import { FILES, FINAL } from "./task.ts";

export interface Judgement {
  readonly isFinished: boolean;
  readonly refused: number;
  readonly orphans: number;
  readonly missingLines: number;
  /** Everything that is wrong, the four above included. */
  readonly problems: readonly string[];
}

interface Case {
  readonly stage: Stage;
  readonly simulator: Simulator;
  readonly parts: readonly Part[];
  readonly front: FrontName;
}

export async function judge({ stage, simulator, parts, front }: Case): Promise<Judgement> {
  const { path, text } = sessionLog(stage) ?? { path: "", text: "" };
  const more = stage.logs().filter((log) => log !== path && readFileSync(log, "utf8").includes("\n"));
  const missing = parts.flatMap((part) => missingFrom(text, part));
  const orphans = [...(await survivors(parts.flatMap(({ children }) => children))), ...processesIn(stage.root)];
  const end = endingProblems(parts, front);
  const verdict = path === "" ? {} : await fsck(stage, path);
  const wrong = Object.entries(IN_ORDER).filter(([name, value]) => !Bun.deepEquals(verdict[name], value));
  const problems = [
    ...end,
    ...simulator.refusals.map(({ rule, message }) => `refused by ${rule}: ${message}`),
    ...orphans.map(({ pid, name }: { pid: number; name?: string }) => `process ${pid} is left ${name ?? ""}`),
    ...missing,
    ...more.map((log) => `one more log: ${log}`),
    ...wrong.map(([name]) => `fsck says ${name}: ${JSON.stringify(verdict[name])}`),
    ...fileProblems(stage.project, path === "" ? [] : linesOf(text), front),
  ];
  return {
    isFinished: end.length === 0,
    refused: simulator.refusals.length,
    orphans: orphans.length,
    missingLines: missing.length,
    problems,
  };
}

/** Each durable line that was printed stands in the log at its place, byte for byte; and no byte of the log was lost later. */
function missingFrom(text: string, { ran, log = "" }: Part): readonly string[] {
  const lines = text.split("\n");
  const kept = wholeLines(log);
  const lost = text.startsWith(kept) ? [] : ["the log does not begin with what it held at the kill"];
  const printed = ran.stdout.split("\n").slice(0, -1);
  const missing = printed.filter((line) => {
    const { seq } = JSON.parse(line) as Partial<Line>;
    return seq !== undefined && lines[seq - 1] !== line;
  });
  return [...lost, ...missing.map((line) => `printed and not in the log: ${line.slice(0, 160)}`)];
}

function endingProblems(parts: readonly Part[], front: FrontName): readonly string[] {
  const last = parts.at(-1);
  if (!last) return ["nothing ran"];
  const { ran, isLate } = last;
  const lines = ran.stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line & Result);
  const result = lines.findLast(({ type }) => type === "result");
  const refused = lines.filter(({ type }) => type === "input-refused");
  const odd = refused.filter(({ message = "" }) => !message.startsWith("compact: "));
  // A run that had nothing to do does not end like one that did it, and a compaction that made nothing smaller is a refused line.
  const due = isLate || (refused.length > 0 && front === "stream") ? EXIT.usage : EXIT.done;
  const ended = ran.code === due && result?.status === (isLate ? "idle" : "completed");
  return [
    ...(ended
      ? []
      : [`the last run ended with ${ran.code ?? ran.signal}, ${result?.status}: ${ran.stderr.slice(-400)}`]),
    ...(isLate || !result || result.verified === true ? [] : ["it ended unproved"]),
    ...odd.map(({ message }) => `refused line: ${message}`),
  ];
}

interface Result {
  readonly status?: string;
  readonly verified?: boolean;
  readonly message?: string;
}

/** The files are as they should be, and the recorded changes lead from the first state to the last without a gap or a repetition. */
function fileProblems(project: string, log: readonly Line[], front: FrontName): readonly string[] {
  const expected = front === "print" ? { ...FINAL, "counter.sh": "n=2\n" } : FINAL;
  return Object.entries(expected).flatMap(([name, content]) => {
    const found = readOr(join(project, name));
    const state = found === content ? [] : [`${name} holds ${JSON.stringify(found)}`];
    return [...state, ...historyProblems(name, FILES[name], content, log)];
  });
}

function historyProblems(
  name: string,
  before: string | undefined,
  after: string,
  log: readonly Line[],
): readonly string[] {
  const changes = log.filter(({ type, payload }) => type === "file.modified" && payload.path === name);
  const problems: string[] = [];
  let at: unknown = before === undefined ? null : sha256(Buffer.from(before));
  for (const { seq, payload } of changes) {
    const { beforeSha256: from, afterSha256: to } = payload;
    if (from !== undefined && from !== at)
      problems.push(`${name}: the change of ${seq} begins at another content than the one before it left`);
    if (to === at) problems.push(`${name}: the change of ${seq} is recorded twice`);
    at = to;
  }
  if (at !== sha256(Buffer.from(after)))
    problems.push(`${name}: ${changes.length} recorded changes do not lead to what it holds`);
  return problems;
}

function readOr(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** Whoever started them: they work in this folder. */
function processesIn(root: string): readonly { readonly pid: number; readonly name: string }[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const cwd = readlinkSync(`/proc/${pid}/cwd`);
      return cwd.startsWith(root)
        ? [{ pid: Number(pid), name: readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ") }]
        : [];
    } catch {
      return []; // gone, or not ours
    }
  });
}
