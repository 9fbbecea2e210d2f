/** How a turn ended, and what proves it. A turn that changed and checked nothing ends with its answer, and needs no more words. */
import type { DurableEvent } from "../../shared/index.ts";
import { settleStopped } from "./open-answer.ts";
import { push, type Timeline } from "./timeline-state.ts";

export function completeTask(state: Timeline, { id, seq, payload }: DurableEvent<"task.completed">): Timeline {
  const ended = { ...settleStopped(state), inTurn: false, failure: undefined };
  const { changedFiles, checks, unresolvedIssues: issues } = payload.evidence;
  if (changedFiles.length + checks.length + issues.length === 0) return ended;
  const told = checks.map(({ command, exitCode, durationMs }) => ({ command, exitCode, durationMs }));
  return push(ended, { id, seq, kind: "outcome", isDone: true, detail: "", changedFiles, checks: told, issues });
}

export function failTask(state: Timeline, { id, seq, payload }: DurableEvent<"task.failed">): Timeline {
  const ended = { ...settleStopped(state), inTurn: false, failure: undefined };
  const { detail } = payload;
  return push(ended, { id, seq, kind: "outcome", isDone: false, detail, changedFiles: [], checks: [], issues: [] });
}
