/** The gate's share of the turn state: what changed, which checks ran over it, and how often they were asked for. */
import type { DurableEvent, Payload } from "../../shared/index.ts";
import type { TurnState, VerificationState } from "../types.ts";

export const NO_VERIFICATION: VerificationState = {
  changedFiles: [],
  lastCodeChangeSeq: 0,
  attempts: 0,
  results: [],
  nudged: false,
  refused: false,
};

/** What a new turn has to answer for: the changes that no completion has spoken of, and what is known of them. */
export function nextVerification(before: VerificationState): VerificationState {
  const { settled, changedFiles, lastCodeChangeSeq, results } = before;
  return settled ? NO_VERIFICATION : { ...NO_VERIFICATION, changedFiles, lastCodeChangeSeq, results };
}

/** Who stops the turn at the question whether a check may run does not want to be asked again in the next. */
export function interruptedVerification({ verification, permissions }: TurnState): VerificationState {
  const isAsking = permissions.some(({ toolUseId }) => toolUseId === undefined);
  return isAsking ? { ...verification, settled: true } : verification;
}

/** Files that no check can prove or break: prose, and what stands beside it in a folder for it. A program there is a program. */
const DOCUMENTATION =
  /\.(md|mdx|markdown|txt|rst|adoc)$|(^|\/)(LICENSE|NOTICE|AUTHORS)$|(^|\/)(docs?|documentation)\/.*\.(png|jpe?g|gif|svg|webp|html?|css|pdf)$/i;

/** Prose by its name, but programs read it: what a build depends on, and what tests compare with. */
const READ_BY_PROGRAMS =
  /(^|\/)(CMakeLists|[\w.-]*(requirements|constraints)[\w.-]*)\.txt$|(^|\/)(tests?|__tests__|specs?|fixtures?|testdata|snapshots?|__snapshots__|golden)\//i;

const isDocumentation = (path: string): boolean => DOCUMENTATION.test(path) && !READ_BY_PROGRAMS.test(path);

/** What runs leave behind and nobody wrote: caches, coverage, logs. As such they count only where a command left them. */
const BY_PRODUCT =
  /(^|\/)(__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.nyc_output|\.turbo|\.cache)\/|(^|\/)\.coverage$|\.(py[co]|tsbuildinfo|log|profraw|gcda|gcno)$/i;

/** Below the sources a folder of that name holds sources. */
const COVERAGE = /^(?!(.*\/)?(src|lib|app|internal|pkg|tests?)\/)(.*\/)?(coverage|htmlcov)\//i;

const isByProduct = (path: string): boolean => BY_PRODUCT.test(path) || COVERAGE.test(path);

const isCode = ({ path, operation }: Payload<"file.modified">): boolean =>
  !isDocumentation(path) && !(operation === "exec" && isByProduct(path));

export const verificationHandlers = {
  "file.modified": (state: TurnState, { payload, seq }: DurableEvent<"file.modified">): TurnState => {
    const { verification } = state;
    const known = verification.changedFiles.includes(payload.path);
    return {
      ...state,
      verification: {
        ...verification,
        changedFiles: known ? verification.changedFiles : [...verification.changedFiles, payload.path],
        lastCodeChangeSeq: isCode(payload) ? seq : verification.lastCodeChangeSeq,
      },
    };
  },
  "task.verification-requested": (
    state: TurnState,
    { payload, seq }: DurableEvent<"task.verification-requested">,
  ): TurnState => ({
    ...state,
    verification: {
      ...state.verification,
      attempts: payload.attempt,
      requested: { seq, detectedChecks: payload.detectedChecks },
      nudged: false,
      refused: false,
    },
  }),
  "verify.result": (state: TurnState, { payload, seq }: DurableEvent<"verify.result">): TurnState => ({
    ...state,
    verification: {
      ...state.verification,
      results: [
        ...state.verification.results.filter(({ command, cwd }) => command !== payload.command || cwd !== payload.cwd),
        { ...checkResult(payload), cwd: payload.cwd, seq, coversSeq: payload.coversSeq },
      ],
    },
  }),
};

const checkResult = ({ command, exitCode, summary, durationMs }: Payload<"verify.result">) => ({
  command,
  exitCode,
  summary,
  durationMs,
});
