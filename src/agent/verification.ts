/**
 * The verification gate's hands: runs the project's own check through the permission gate, or recognises the model's run of
 * it, and records the true exit code either way. What that means for the turn is decided in evidence.ts.
 */
import type { SessionHandle, SessionState } from "../session/index.ts";
import { byteSuffix, type NewId, type Payload, type Result, sha256, sortedJson } from "../shared/index.ts";
import type { FileContent, FileError, Workspace } from "../workspace/index.ts";
import type { ChangeWatch } from "./change-watch.ts";
import { checkOutcome, summaryOf } from "./check-outcome.ts";
import { freshResults, type GateStep, isVerified } from "./evidence.ts";
import type { PermissionGate } from "./permission-gate.ts";
import { publishAll } from "./recording.ts";
import { nudgeText } from "./texts.ts";
import { unlessAborted } from "./tool-run.ts";
import type { ObservedCommand } from "./tool-runtime.ts";

export interface VerificationGate {
  /** Does one step and records it. An aborted check records nothing. */
  take(step: Exclude<GateStep, { kind: "complete" }>, signal: AbortSignal): Promise<void>;
  /** Records a command of the model's that was a check and whose exit code is that check's own. */
  observe(observed: ObservedCommand): Promise<void>;
  /**
   * Records what else happened to the files that a claim over `state` rests on, so that a green check over older bytes proves
   * nothing. Returns the state that may be claimed, once it is the present one: `state`, or what the last attempt has left.
   */
  lookAgain(state: SessionState): Promise<SessionState>;
}

export interface VerificationDeps {
  readonly session: SessionHandle;
  readonly workspace: Workspace;
  readonly gate: PermissionGate;
  /** Looks at the project around the gate's own checks. */
  readonly watch: Pick<ChangeWatch, "before">;
  readonly newId: NewId;
  /** Where the checks are found and run: the project's root. */
  readonly root: string;
  /** The project's own check commands that this machine can start, most specific first. */
  readonly detectChecks: () => Promise<readonly string[]>;
  /**
   * The folder in which this shell text runs a check of the project as the command that decides its exit code; undefined when it
   * runs none. Asked of every command that ended.
   */
  readonly checkedFolder: (command: string) => Promise<string | undefined>;
}

const CHECK_TIMEOUT_MS = 10 * 60_000;
const KEPT_OUTPUT_BYTES = 64 * 1024;
const EXCERPT_BYTES = 4 * 1024;

export function createVerificationGate(deps: VerificationDeps): VerificationGate {
  /** The end of the newest output of a check, for the nudge that follows; after a restart the recorded summary serves. */
  let newest = NOTHING_SEEN;
  return {
    async take(step, signal) {
      if (step.kind === "run") {
        newest = await runCheck(deps, step.attempt, signal);
      } else if (step.kind === "withhold") {
        const known = freshResults(deps.session.state().turn.verification).map(({ command }) => command);
        withhold(deps.session, step.attempt, known);
      } else {
        const text = nudgeText(step.failing, newest.command === step.failing.command ? newest.excerpt : "");
        deps.session.publish({ type: "user.message-created", payload: { text, mentions: [], by: "kernel" } });
      }
    },
    async observe({ output, ...ran }) {
      const cwd = await deps.checkedFolder(ran.command);
      if (cwd === undefined) return;
      const summary = summaryOf(output, ran.exitCode);
      record(deps, { ...ran, cwd, summary, observedFrom: "tool" });
      newest = { command: ran.command, excerpt: byteSuffix(output, EXCERPT_BYTES) };
    },
    lookAgain: (state) => lookAgain(deps, state),
  };
}

/** After the last attempt no check runs any more, or a file that never rests would be checked for ever: the claim says so. */
async function lookAgain({ session, workspace }: VerificationDeps, state: SessionState): Promise<SessionState> {
  const { verification } = state.turn;
  if (!isVerified(verification)) return state; // a red check stays red
  const found: Payload<"file.modified">[] = [];
  for (const path of verification.changedFiles) {
    const beforeSha256 = state.files.changes[path]?.lastAfterSha256;
    if (beforeSha256 === undefined) continue;
    const after = hashNow(await workspace.readFile(path));
    if (after === "too-large" || after.afterSha256 === beforeSha256) continue;
    // The bytes between are not kept: that the file changed is all that can be said.
    found.push({ path, operation: "exec", beforeSha256, ...after, diffStats: { added: 0, removed: 0 } });
  }
  if (session.state() !== state) return state;
  publishAll(
    session,
    found.map((payload) => ({ type: "file.modified", payload })),
  );
  return verification.attempts === 2 ? session.state() : state;
}

/** Null: no file is there any more. Absent: it cannot be read, and is not known to be what it was. */
function hashNow(file: Result<FileContent, FileError>): Pick<Payload<"file.modified">, "afterSha256"> | "too-large" {
  if (!file.ok) return NO_FILE.has(file.error.kind) ? { afterSha256: null } : {};
  const { bytes, sizeBytes } = file.value;
  return bytes.length < sizeBytes ? "too-large" : { afterSha256: sha256(bytes) };
}

const NO_FILE: ReadonlySet<string> = new Set<FileError["kind"]>(["not-found", "is-directory", "not-regular"]);

function withhold(session: SessionHandle, attempt: 1 | 2, detected: readonly string[]): void {
  const withheldCandidateSeq = session.state().turn.lastResponse?.textSeq ?? 0;
  const payload = { attempt, detectedChecks: [...detected], withheldCandidateSeq };
  session.publish({ type: "task.verification-requested", payload });
}

interface Seen {
  readonly command: string;
  readonly excerpt: string;
}

const NOTHING_SEEN: Seen = { command: "", excerpt: "" };

/** Runs the most specific check and returns the end of its output. */
async function runCheck(deps: VerificationDeps, attempt: 1 | 2 | undefined, signal: AbortSignal): Promise<Seen> {
  const { session, workspace, root: cwd } = deps;
  const detected = await deps.detectChecks();
  const [command] = detected;
  // That there is nothing left to run must be recorded, or the gate would look again for ever.
  if (attempt !== undefined || command === undefined) withhold(session, attempt ?? 2, detected);
  if (command === undefined) return NOTHING_SEEN;
  const accesses = [{ kind: "command", command, cwd }] as const;
  const { allowed } = await deps.gate.authorize(accesses, undefined, signal);
  if (!allowed || signal.aborted) return NOTHING_SEEN;
  const watched = await unlessAborted(deps.watch.before(accesses), signal);
  if (signal.aborted) return NOTHING_SEEN;
  const startSeq = session.state().lastSeq;
  await session.sync();
  const options = { command, cwd, timeoutMs: CHECK_TIMEOUT_MS, signal, maxOutputBytes: KEPT_OUTPUT_BYTES };
  const { output, exitCode, durationMs } = checkOutcome(await workspace.exec(options));
  await watched?.record();
  if (signal.aborted) return NOTHING_SEEN;
  const coversSeq = watched?.coversSeq() ?? startSeq;
  const summary = summaryOf(output, exitCode);
  record(deps, { command, cwd, exitCode, durationMs, summary, coversSeq, observedFrom: "khaelor" });
  return { command, excerpt: byteSuffix(output, EXCERPT_BYTES) };
}

function record(
  { session, newId }: VerificationDeps,
  ran: Omit<Payload<"verify.result">, "runId" | "trigger" | "treeHash" | "spillFile">,
): void {
  const { changes } = session.state().files;
  const tree = Object.values(changes).map(({ path, lastAfterSha256 }) => [path, lastAfterSha256 ?? null]);
  const about = { runId: newId(), trigger: "gate" as const, treeHash: sha256(sortedJson(tree)) };
  session.publish({ type: "verify.result", payload: { ...about, ...ran } });
}
