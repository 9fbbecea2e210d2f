/** One run of the task, up to its end or its kill: what is known of it, and whether the kill really came where it was to come. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../../src/shared/index.ts";
import type { Process } from "../processes.ts";
import { linesOf, type Ran, type Stage } from "../stage.ts";
import type { Trigger } from "./points.ts";
import { FILES, FINAL } from "./task.ts";

export interface Part {
  readonly ran: Ran;
  /** Whether the kill came where it was to come. */
  readonly isMet: boolean;
  /** How often each place of the three kinds came, up to the end. */
  readonly seen: Readonly<Record<Trigger["kind"], Readonly<Record<string, number>>>>;
  readonly children: readonly Process[];
  /** Every byte of the log behind the end of the run, if there was one. */
  readonly log: string | undefined;
  /** The task was at its end before the run began: there was nothing to do. */
  readonly isLate: boolean;
}

export const wholeLines = (text: string): string => text.slice(0, text.lastIndexOf("\n") + 1);

/** The log that holds something; a kill before the first whole line leaves one that holds nothing. */
export function sessionLog(stage: Stage): { readonly path: string; readonly text: string } | undefined {
  const all = stage.logs().map((path) => ({ path, text: readFileSync(path, "utf8") }));
  return all.find(({ text }) => text.includes("\n")) ?? all[0];
}

/** The state of a log that somebody killed inside a window: that it came to be is no matter of trust. */
export function isEvident({ kind, label }: Trigger, { project }: Stage, log = ""): boolean {
  if (kind !== "window") return true;
  if (label.startsWith("torn-write:log")) return !log.endsWith("\n");
  if (/^before-write:log:file\.modified$|^after-rename:file$/.test(label)) return hasUnrecordedChange(project, log);
  return true;
}

function hasUnrecordedChange(project: string, log: string): boolean {
  const recorded = new Map<unknown, unknown>(
    Object.entries(FILES).map(([name, content]) => [name, sha256(Buffer.from(content))]),
  );
  for (const { type, payload } of linesOf(wholeLines(log))) {
    if (type === "file.modified") recorded.set(payload.path, payload.afterSha256);
  }
  return Object.keys(FINAL).some((name) => hashOf(join(project, name)) !== recorded.get(name));
}

function hashOf(path: string): string | undefined {
  try {
    return sha256(readFileSync(path));
  } catch {
    return undefined; // not made yet
  }
}
