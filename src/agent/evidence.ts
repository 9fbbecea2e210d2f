/** The verification gate's judgement and the record it leaves: pure functions over what was recorded, never over prose. */
import type { TurnState, VerificationState } from "../session/index.ts";
import type { CheckResult, CompletionEvidence } from "../shared/index.ts";

export type GateStep =
  /** Nothing is left to do for the gate. */
  | { readonly kind: "complete" }
  /** Run the project's checks; `attempt` is recorded first, and absent for the last look after the last nudge. */
  | { readonly kind: "run"; readonly attempt?: 1 | 2 }
  /** A check is known to be red: withhold the answer under this attempt. */
  | { readonly kind: "withhold"; readonly attempt: 1 | 2 }
  /** Tell the model what failed. */
  | { readonly kind: "nudge"; readonly failing: CheckResult };

export function gateStep(verification: VerificationState): GateStep {
  const { lastCodeChangeSeq, attempts, requested, nudged, refused } = verification;
  if (lastCodeChangeSeq === 0) return { kind: "complete" };
  const fresh = freshResults(verification);
  const next = nextAttempt(attempts);
  if (fresh.length === 0) {
    const cannotRun = refused || (requested !== undefined && requested.detectedChecks.length === 0);
    if (cannotRun || (!next && isRestless(verification))) return { kind: "complete" };
    return { kind: "run", ...(next && !isUnderWay(verification) && { attempt: next }) };
  }
  const failing = fresh.find(({ exitCode }) => exitCode !== 0);
  if (!failing) return { kind: "complete" };
  if (requested && !nudged) return { kind: "nudge", failing };
  return next ? { kind: "withhold", attempt: next } : { kind: "complete" };
}

/** An attempt was begun over the present state and has no result: a crash cut it, and it does not count twice. */
const isUnderWay = ({ requested, results, lastCodeChangeSeq }: VerificationState): boolean =>
  requested !== undefined && requested.seq > lastCodeChangeSeq && results.every(({ seq }) => seq < requested.seq);

const nextAttempt = (attempts: number): 1 | 2 | undefined => (attempts === 0 ? 1 : attempts === 1 ? 2 : undefined);

/** Files changed while the newest check ran: it speaks of a state that is gone, and so would the next one. */
const isRestless = ({ results, lastCodeChangeSeq }: VerificationState): boolean =>
  results.some(({ seq }) => seq > lastCodeChangeSeq);

/** Results over the present state: nothing but documentation has changed since they ran. */
export const freshResults = ({ results, lastCodeChangeSeq }: VerificationState): VerificationState["results"] =>
  results.filter(({ coversSeq }) => coversSeq >= lastCodeChangeSeq);

/** Whether recorded exit codes over the present state say that all is well. */
export function isVerified(verification: VerificationState): boolean {
  const fresh = freshResults(verification);
  return fresh.length > 0 && fresh.every(({ exitCode }) => exitCode === 0);
}

export function completionEvidence({ objective, verification }: TurnState): CompletionEvidence {
  return {
    objective,
    changedFiles: [...verification.changedFiles],
    checks: freshResults(verification).map(({ command, exitCode, summary, durationMs }) => ({
      command,
      exitCode,
      summary,
      durationMs,
    })),
    unresolvedIssues: unresolved(verification),
  };
}

function unresolved(verification: VerificationState): string[] {
  const fresh = freshResults(verification);
  const red = fresh.filter(({ exitCode }) => exitCode !== 0);
  if (red.length > 0) return red.map(({ command, exitCode }) => `\`${command}\` fails with exit code ${exitCode}.`);
  if (fresh.length > 0 || verification.lastCodeChangeSeq === 0) return [];
  if (isRestless(verification)) return ["Not verified: files changed while the check ran."];
  const checks = verification.requested?.detectedChecks ?? [];
  if (checks.length === 0) return ["Not verified: no test command that can run here was found in this project."];
  if (!verification.refused) return ["Not verified: files changed after the check ran."];
  return [`Not verified: ${checks.map((check) => `\`${check}\``).join(", ")} was not allowed to run.`];
}
