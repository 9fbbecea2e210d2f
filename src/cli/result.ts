/**
 * How a headless run ended, as scripts are told: the final JSON of `--output-format json` and the `result` line of
 * `stream-json`. Its field names are a contract. Everything in it is read from what was recorded in this run.
 */
import { type CompactionOutcome, freshResults, isVerified } from "../agent/index.ts";
import type { SessionHandle, SessionState, UsageTotals } from "../session/index.ts";
import {
  type CheckResult,
  compactionBy,
  EXIT,
  type ExitCode,
  type KhaelorEvent,
  type ModelUsage,
  nearest,
  type Payload,
} from "../shared/index.ts";
import type { ResultOptions } from "./engine.ts";
import type { RunEnd } from "./run-turn.ts";
import { shellWord } from "./words.ts";

export interface RunResult {
  readonly type: "result";
  readonly status: "completed" | "failed" | "interrupted" | "idle";
  readonly exit_code: ExitCode;
  /** The answer's text; empty when the run did not come to one. */
  readonly result: string;
  readonly session_id: string;
  /** Null for a session that is not kept. */
  readonly session_path: string | null;
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
  /** Of the last turn, also before it was resumed, and of this run. */
  readonly changed_files: readonly string[];
  readonly checks: readonly CheckResult[];
  /** Whether recorded exit codes over the final state say that all checks pass. Without a check or an answer: false. */
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

export function watchRun(session: SessionHandle, now: () => number, options: ResultOptions = {}): RunWatch {
  const startedAt = now();
  const before = session.state().usage;
  const changed = new Set<string>();
  let unlisted = 0;
  let responses = 0;
  let replaced: readonly string[] = [];
  let outcome: Outcome = { asked: session.state().turn.permissions, unanswered: [] };
  return {
    onEvent(event) {
      if (event.type === "file.modified") {
        changed.add(event.payload.path);
        unlisted += event.payload.unlisted ?? 0;
      }
      if (event.type === "model.response-completed") responses++;
      if (event.type === "session.model-changed") replaced = [...replaced, ...fallenBack(event.payload)];
      outcome = seen(outcome, event);
    },
    finish(end) {
      const state = session.state();
      const { turn, usage } = state;
      const exitCode = exitCodeOf(end, outcome, state, options);
      const [asked] = turn.permissions;
      return {
        type: "result",
        status: statusOf(end, outcome),
        exit_code: exitCode,
        result: outcome.completed ? (turn.lastResponse?.text ?? "") : "",
        session_id: session.id,
        session_path: options.isThrownAway ? null : session.path,
        num_turns: responses,
        duration_ms: Math.max(0, Math.round(now() - startedAt)),
        total_cost_usd: costSince(usage, before),
        usage: usageSince(usage.total, before.total),
        changed_files: [...new Set([...turn.verification.changedFiles, ...changed])],
        checks: freshResults(turn.verification).map(({ command, exitCode: code, summary, durationMs }) => ({
          command,
          exitCode: code,
          summary,
          durationMs,
        })),
        verified: outcome.completed !== undefined && isVerified(turn.verification),
        pending: asked ? { permission: { id: asked.permissionRequestId, descriptor: asked.descriptor } } : {},
        issues: [
          ...replaced,
          ...issuesOf(end, outcome, options),
          ...advice(outcome, state, options),
          ...notListed(unlisted),
        ],
      };
    },
  };
}

interface Outcome {
  readonly completed?: Payload<"task.completed">;
  readonly failed?: Payload<"task.failed">;
  readonly asked: readonly Asked[];
  /** What needed consent when nobody was there, and files of a message that may not be given to the model. */
  readonly unanswered: readonly Asked[];
}

interface Asked
  extends Pick<
    Payload<"permission.requested">,
    "permissionRequestId" | "capability" | "descriptor" | "suggestion" | "mention"
  > {
  /** By a rule or the floor: asking would have changed nothing. */
  readonly isForbidden?: boolean;
}

function seen(outcome: Outcome, event: KhaelorEvent): Outcome {
  const { asked, unanswered } = outcome;
  switch (event.type) {
    case "task.completed":
      return { asked, unanswered, completed: event.payload };
    case "task.failed":
      return { asked, unanswered, failed: event.payload };
    case "permission.requested":
      return { ...outcome, asked: [...asked, event.payload] };
    case "permission.denied": {
      const { permissionRequestId, source } = event.payload;
      const about = asked.find((one) => one.permissionRequestId === permissionRequestId);
      const isForbidden = source === "policy" || source === "hardline";
      if (!about || !(source === "timeout" || (isForbidden && about.mention !== undefined))) return outcome;
      return { ...outcome, unanswered: [...unanswered, { ...about, isForbidden }] };
    }
    default:
      return outcome;
  }
}

function statusOf(end: RunEnd, { completed, failed }: Outcome): RunResult["status"] {
  if (end.idle) return "idle";
  if (failed || end.death) return "failed";
  return completed ? "completed" : "interrupted";
}

/** A run without an answer never ends with 0. */
function exitCodeOf(end: RunEnd, outcome: Outcome, state: SessionState, { requireVerified }: ResultOptions): ExitCode {
  if (end.death) return end.death.exitCode;
  if (outcome.failed) return failureCode(outcome.failed.reason, state);
  if (lateWords(end, outcome) !== undefined) return EXIT.limit;
  if (end.idle) return state.turn.permissions.length > 0 ? EXIT.permission : idleCode(end);
  if (!outcome.completed)
    return end.signal === "SIGTERM" || end.signal === "SIGHUP" ? EXIT.terminated : EXIT.interrupted;
  if (outcome.unanswered.length > 0) return EXIT.permission;
  const red = outcome.completed.evidence.checks.some((check) => check.exitCode !== 0);
  return red || (requireVerified && !isVerified(state.turn.verification)) ? EXIT.notVerified : EXIT.done;
}

/** A summary that was asked for is something to do, though no turn. */
function idleCode({ compaction }: RunEnd): ExitCode {
  if (!compaction) return EXIT.usage;
  if (compaction.ok) return EXIT.done;
  const { reason } = compaction.error;
  return reason === "stopped" ? EXIT.interrupted : (CODES[reason] ?? EXIT.model);
}

const CODES: Readonly<Partial<Record<string, ExitCode>>> = {
  irreducible: EXIT.irreducible,
  budget: EXIT.limit,
  "iteration-budget-exhausted": EXIT.limit,
};

function failureCode(reason: Payload<"task.failed">["reason"], { turn }: SessionState): ExitCode {
  const known = CODES[reason];
  if (known !== undefined) return known;
  const { kind, status, errorType, rateLimited } = turn.compactionFailure ?? turn.lastFailure ?? {};
  if (kind === "auth") return EXIT.auth;
  if (isNotThere({ status, errorType })) return EXIT.usage;
  return rateLimited || status === 429 || errorType === "rate_limit_error" ? EXIT.rateLimited : EXIT.model;
}

/** A stream has no status of its own for what went wrong in it. */
const isNotThere = ({
  status,
  errorType,
}: {
  readonly status?: number | undefined;
  readonly errorType?: string | undefined;
}) => status === 404 || errorType === "not_found_error";

/** Defined where the time was up and nothing else says how the run ended. */
const lateWords = ({ late, signal, death }: RunEnd, { completed, failed }: Outcome): string | undefined =>
  signal || death || completed || failed ? undefined : late;

function issuesOf(end: RunEnd, outcome: Outcome, { isThrownAway }: ResultOptions): readonly string[] {
  const { completed, failed, asked, unanswered } = outcome;
  const late = lateWords(end, outcome);
  if (late !== undefined) return [late];
  if (end.idle && asked.length > 0) return asked.map(({ descriptor }) => `A question is still open: ${descriptor}.`);
  if (end.idle) return [idleWords(end.compaction)];
  const refused = [...new Set(unanswered.map(notAllowed))];
  if (end.death) return [...refused, end.death.message];
  if (failed) return [...refused, failed.detail];
  if (completed) return [...refused, ...completed.evidence.unresolvedIssues];
  return [...refused, isThrownAway ? "The run was interrupted." : INTERRUPTED];
}

function idleWords(compaction: CompactionOutcome | undefined): string {
  if (!compaction) return "There was nothing to go on with: the last turn is finished. Give a prompt.";
  if (compaction.ok) return `There was no turn; the conversation was summed up, ${compactionBy(compaction.value)}.`;
  return `There was no turn, and the conversation was not summed up: ${compaction.error.message}`;
}

const INTERRUPTED = "The run was interrupted; go on with khaelor -p --resume.";

const notListed = (files: number): readonly string[] =>
  files === 0 ? [] : [`Commands may have changed ${files} more files that changed_files does not name.`];

const fallenBack = ({ from, to, reason }: Payload<"session.model-changed">): readonly string[] =>
  reason === "fallback" ? [`${from} did not answer: from there on it was ${to}.`] : [];

/** What the recorded words do not say: where models are listed, and that a proof was demanded. */
function advice({ failed, completed }: Outcome, { turn }: SessionState, options: ResultOptions): readonly string[] {
  if (failed && turn.lastFailure && isNotThere(turn.lastFailure)) {
    const meant = nearest(turn.model, options.knownModels ?? []);
    const guess = meant !== undefined && meant !== turn.model ? `Did you mean ${meant}? ` : "";
    return [
      `The model asked for was ${turn.model}. ${guess}"khaelor models" lists those that there are; -m names one.`,
    ];
  }
  const isProven = isVerified(turn.verification);
  if (!options.requireVerified || !completed || isProven || completed.evidence.unresolvedIssues.length > 0) return [];
  return ["Not verified, as --require-verified demands: no check is known to pass on the final state."];
}

/** With the flag that would have allowed it, where one rule is enough. A repeated call is no matter of rules. */
function notAllowed({ descriptor, capability, suggestion, isForbidden }: Asked): string {
  if (isForbidden) return `Not given to the model, for a rule forbids it: ${descriptor}.`;
  const refused = `Not allowed, and nobody was there to ask: ${descriptor}.`;
  if (capability === "loop.continue") return refused;
  if (!suggestion) return `${refused} See --allow, --permission-mode and --yolo in khaelor --help.`;
  const prefix = isCommand(suggestion.capability) ? "" : `${suggestion.capability}:`;
  return `${refused} To allow it: --allow ${shellWord(`${prefix}${suggestion.pattern}`)}.`;
}

const isCommand = (capability: string): boolean => capability === "process.execute" || capability === "git.modify";

const usageSince = (after: ModelUsage, before: ModelUsage): RunResult["usage"] => ({
  input: after.inputTokens - before.inputTokens,
  output: after.outputTokens - before.outputTokens,
  cache_read: after.cacheReadTokens - before.cacheReadTokens,
  cache_write: after.cacheWriteTokens - before.cacheWriteTokens,
});

/** An earlier run may have had an unknown price: then what is known of this one is what was spent since. */
function costSince(after: UsageTotals, before: UsageTotals): number | null {
  if (after.unpriced > before.unpriced) return null;
  if (after.costUsd !== null && before.costUsd !== null) return after.costUsd - before.costUsd;
  return after.spentUsd - before.spentUsd;
}
