/**
 * How a headless run ended, as scripts are told: the final JSON of `--output-format json` and the `result` line of
 * `stream-json`. Its field names are a contract. Everything in it is read from what was recorded in this run.
 */
import { freshResults, isVerified } from "../agent/index.ts";
import type { SessionHandle, SessionState } from "../session/index.ts";
import {
  type CheckResult,
  EXIT,
  type ExitCode,
  type KhaelorEvent,
  type ModelUsage,
  type Payload,
} from "../shared/index.ts";
import type { RunEnd } from "./run-turn.ts";

export interface RunResult {
  readonly type: "result";
  readonly status: "completed" | "failed" | "interrupted" | "idle";
  readonly exit_code: ExitCode;
  /** The answer's text; empty when there is none. */
  readonly result: string;
  readonly session_id: string;
  readonly session_path: string;
  /** Answered requests of this run. */
  readonly num_turns: number;
  readonly duration_ms: number;
  /** Of this run; null when a model's price is unknown. */
  readonly total_cost_usd: number | null;
  readonly usage: {
    readonly input: number;
    readonly output: number;
    readonly cache_read: number;
    readonly cache_write: number;
  };
  readonly changed_files: readonly string[];
  readonly checks: readonly CheckResult[];
  /** Whether recorded exit codes over the final state say that all checks pass. Without a check: false. */
  readonly verified: boolean;
  readonly pending: { readonly permission?: { readonly id: string; readonly descriptor: string } };
  /** What was missing or went wrong, in words. */
  readonly issues: readonly string[];
}

/** Watches one run; `finish` is called once, after it. */
export interface RunWatch {
  readonly onEvent: (event: KhaelorEvent) => void;
  finish(end: RunEnd): RunResult;
}

export function watchRun(session: SessionHandle, now: () => number): RunWatch {
  const startedAt = now();
  const before = session.state().usage;
  const changed = new Set<string>();
  let responses = 0;
  let outcome: Outcome = {};
  return {
    onEvent(event) {
      if (event.type === "file.modified") changed.add(event.payload.path);
      if (event.type === "model.response-completed") responses++;
      outcome = seen(outcome, event);
    },
    finish(end) {
      const state = session.state();
      const { turn, usage } = state;
      const exitCode = exitCodeOf(end, outcome, state);
      const [asked] = turn.permissions;
      return {
        type: "result",
        status: statusOf(end, outcome),
        exit_code: exitCode,
        result: turn.lastResponse?.text ?? "",
        session_id: session.id,
        session_path: session.path,
        num_turns: responses,
        duration_ms: Math.max(0, now() - startedAt),
        total_cost_usd: difference(usage.costUsd, before.costUsd),
        usage: usageSince(usage.total, before.total),
        changed_files: [...changed],
        checks: freshResults(turn.verification).map(({ command, exitCode: code, summary, durationMs }) => ({
          command,
          exitCode: code,
          summary,
          durationMs,
        })),
        verified: isVerified(turn.verification),
        pending: asked ? { permission: { id: asked.permissionRequestId, descriptor: asked.descriptor } } : {},
        issues: issuesOf(end, outcome),
      };
    },
  };
}

interface Outcome {
  readonly completed?: Payload<"task.completed">;
  readonly failed?: Payload<"task.failed">;
  /** Something needed consent and nobody was there. */
  readonly unanswered?: true;
}

function seen(outcome: Outcome, event: KhaelorEvent): Outcome {
  if (event.type === "task.completed") return { ...withoutEnd(outcome), completed: event.payload };
  if (event.type === "task.failed") return { ...withoutEnd(outcome), failed: event.payload };
  if (event.type === "permission.denied" && event.payload.source === "timeout") return { ...outcome, unanswered: true };
  return outcome;
}

const withoutEnd = ({ unanswered }: Outcome): Outcome => (unanswered ? { unanswered } : {});

function statusOf(end: RunEnd, { completed, failed }: Outcome): RunResult["status"] {
  if (end.idle) return "idle";
  if (failed) return "failed";
  return completed ? "completed" : "interrupted";
}

/** A run without an answer never ends with 0. */
function exitCodeOf(end: RunEnd, outcome: Outcome, state: SessionState): ExitCode {
  if (end.idle) return EXIT.usage;
  if (outcome.failed) return failureCode(outcome.failed.reason, state);
  if (!outcome.completed)
    return end.signal === "SIGTERM" || end.signal === "SIGHUP" ? EXIT.terminated : EXIT.interrupted;
  if (outcome.unanswered) return EXIT.permission;
  const red = outcome.completed.evidence.checks.some((check) => check.exitCode !== 0);
  return red ? EXIT.notVerified : EXIT.done;
}

function failureCode(reason: Payload<"task.failed">["reason"], { turn }: SessionState): ExitCode {
  if (reason === "irreducible") return EXIT.irreducible;
  if (reason === "budget" || reason === "iteration-budget-exhausted") return EXIT.limit;
  const { kind, status } = turn.lastFailure ?? {};
  if (kind === "auth") return EXIT.auth;
  if (status === 404) return EXIT.usage;
  return status === 429 ? EXIT.rateLimited : EXIT.model;
}

function issuesOf(end: RunEnd, { completed, failed }: Outcome): readonly string[] {
  if (end.idle) return ["There was nothing to go on with: the last turn is finished. Give a prompt."];
  if (failed) return [failed.detail];
  return completed ? completed.evidence.unresolvedIssues : ["The run was interrupted; resume it with --resume."];
}

const usageSince = (after: ModelUsage, before: ModelUsage): RunResult["usage"] => ({
  input: after.inputTokens - before.inputTokens,
  output: after.outputTokens - before.outputTokens,
  cache_read: after.cacheReadTokens - before.cacheReadTokens,
  cache_write: after.cacheWriteTokens - before.cacheWriteTokens,
});

const difference = (after: number | null, before: number | null): number | null =>
  after === null || before === null ? null : after - before;
