/**
 * The engine as a front sees it: commands in, events out. One turn runs at a time; a message that comes while one runs is
 * steering. Commands are recorded before they act, so that a crash between the two loses nothing.
 */
import type { PermissionEvaluator } from "../permissions/index.ts";
import { openCalls, type SessionHandle, type SessionState } from "../session/index.ts";
import { CAPABILITIES, type KernelCommand, type Payload, type PermissionRule } from "../shared/index.ts";
import { type CompactionOutcome, createCompactionOnDemand, type OwnWish } from "./compaction-on-demand.ts";
import type { Deadline } from "./deadline.ts";
import { createIntake } from "./intake.ts";
import { type KernelDeps, runTurn } from "./kernel.ts";
import type { CaptureMentions } from "./mentions.ts";
import type { PermissionGate } from "./permission-gate.ts";
import { CONTINUATIONS } from "./texts.ts";
import { createTurnRunner, type TurnRunner } from "./turn-runner.ts";
import type { UserShell } from "./user-shell.ts";

export interface Agent {
  /** Records a command and acts on it. Returns at once; `settled` tells when the turn is over. */
  dispatch(command: KernelCommand): void;
  /**
   * Goes on with whatever the log leaves open: a cut turn, one that was stopped, that reached a limit or whose request failed,
   * a queue. False: there is nothing.
   */
  resume(): boolean;
  /** Resolves when no turn runs. Rejects with what ended the program, such as a StoreError. */
  settled(): Promise<void>;
  isBusy(): boolean;
  /** Sums the conversation up now, between two turns. Stopped by an interrupt; then nothing has changed. */
  compact(wish: OwnWish): Promise<CompactionOutcome>;
  /** Whether such a compaction is under way. */
  isCompacting(): boolean;
  /** How many messages and commands of the user's are not recorded yet, because what they mention is being captured. */
  waiting(): number;
  /** Nobody is there any more who could answer: open questions are refused, as are later ones, and the run goes on. */
  leave(): void;
}

export interface AgentDeps extends KernelDeps {
  readonly evaluator: PermissionEvaluator;
  readonly gate: PermissionGate;
  readonly captureMentions: CaptureMentions;
  readonly userShell: UserShell;
  /** The volatile context to record with a message; immediate, so that submitting never waits. */
  readonly captureContext: () => NonNullable<Payload<"user.message-created">["context"]>;
  /** Keeps an "always" for later sessions. Called after the grant is safe in the log. */
  readonly persistGrant: (scope: "always-project" | "always-user", rule: PermissionRule) => Promise<void>;
  /** When the run has to end. The policy says what is recorded then. */
  readonly deadline?: Deadline;
  /** Before each run of turns, so that the policy knows what it judges by; does not reject. Undefined: it knows. */
  readonly beforeTurn?: () => Promise<void> | undefined;
}

type Command<K extends KernelCommand["kind"]> = Extract<KernelCommand, { kind: K }>;

export function createAgent(deps: AgentDeps): Agent {
  const { session } = deps;
  rememberGrants(deps);
  let stoppedAt = session.state().turn.queued.at(-1)?.eventId ?? "";
  const compaction = createCompactionOnDemand(deps, () => runner);
  let isLeft = false;
  const loop = endable(session);
  const runner = createTurnRunner(async (signal) => {
    if (isLeft && session.state().turn.phase !== "interrupted") return; // who leaves begins nothing more
    const ready = deps.beforeTurn?.();
    if (ready !== undefined) await ready; // else not even a tick: an open question is taken up again before its answer is recorded
    const summing = compaction.carryOut(signal);
    if (summing !== undefined) return summing; // what was said meanwhile has asked for a run of its own
    if (!isLeft) beginAfterInterrupt(session, stoppedAt);
    await runTurn({ ...deps, session: loop.session }, signal);
  });
  deps.deadline?.onReached(() => runner.abort());
  const stopped = (eventId: string | undefined): void => {
    stoppedAt = eventId ?? stoppedAt;
  };
  const intake = createIntake({ ...deps, runner, onStopped: stopped });
  let persisted: Promise<void> = Promise.resolve();
  return {
    dispatch(command) {
      isLeft = command.kind === "quit";
      switch (command.kind) {
        case "submit-message":
        case "steer":
        case "shell":
          intake.take(command);
          break;
        case "withdraw":
          withdraw(deps, command);
          break;
        case "interrupt":
        case "quit":
          intake.interrupt();
          if (compaction.isUnderWay()) runner.abort();
          else stopped(interrupt(deps, runner, loop.end));
          break;
        case "permission-response": {
          const rule = answer(deps, runner, command);
          const { decision } = command;
          if (!rule || (decision !== "always-project" && decision !== "always-user")) break;
          // The record first: a rule in force whose grant a power cut took from the log could not be explained any more.
          persisted = persisted.then(() => session.sync()).then(() => deps.persistGrant(decision, rule));
          persisted.catch(() => undefined); // `settled` tells
          break;
        }
        case "slash":
          throw new Error("this front has no slash commands");
        default:
          command satisfies never;
      }
    },
    resume: () => resume(deps, runner),
    compact: (wish) => compaction.ask(wish),
    isCompacting: () => compaction.isUnderWay(),
    async settled() {
      do {
        await intake.settled();
        await runner.settled();
        await persisted; // inside the loop: in its tick a run may begin
      } while (intake.waiting() > 0 || runner.isBusy());
    },
    isBusy: () => runner.isBusy() || intake.waiting() > 0,
    waiting: () => intake.waiting(),
    leave: () => deps.gate.leave(),
  };
}

/**
 * Returns the id up to which everything that is queued waits for the user, or undefined when there was nothing to stop. A
 * turn that is being closed is stopped already, but what was queued meanwhile would begin the next one.
 */
function interrupt({ session }: AgentDeps, runner: TurnRunner, endLoop: (cause: unknown) => void): string | undefined {
  const { turn } = session.state();
  const newest = turn.queued.at(-1)?.eventId;
  if (!runner.isBusy()) return undefined;
  if (turn.phase === "interrupted" || (turn.phase === "idle" && newest === undefined)) return newest;
  const pendingToolUseIds = openCalls(turn).map((call) => call.toolUseId);
  try {
    return session.publish({ type: "user.interrupted", payload: { scope: "turn", pendingToolUseIds } }).id;
  } catch (cause) {
    endLoop(cause);
    throw cause;
  } finally {
    runner.abort(); // also where it cannot be recorded: what runs must not run on
  }
}

/**
 * The session as the loop reads it. A loop finds in the log that it was stopped; where that could not be recorded it would ask what
 * is next for ever, of services that do nothing any more. It ends with what prevented the record instead.
 */
function endable(session: SessionHandle): { readonly session: SessionHandle; end(cause: unknown): void } {
  let ended: { readonly cause: unknown } | undefined;
  const state = (): SessionState => {
    if (ended) throw ended.cause;
    return session.state();
  };
  return {
    session: Object.assign(Object.create(session), { state }), // all else is the session's own, also what is put in its place later
    end(cause) {
      ended ??= { cause };
    },
  };
}

/** What the user says after a stop begins the next turn; what was queued before stays until something is said. */
function beginAfterInterrupt(session: AgentDeps["session"], stoppedAt: string): void {
  const { turn, lastSeq: afterSeq } = session.state();
  const said = turn.queued.find(({ eventId }) => eventId > stoppedAt);
  if (turn.phase !== "interrupted" || !said) return;
  const payload = { queuedEventId: said.eventId, seam: "pre-model-call" as const, afterSeq };
  session.publish({ type: "user.steering-injected", payload });
}

/** What is delivered cannot be taken back: then nothing is recorded. */
function withdraw({ session }: AgentDeps, { queuedEventId }: Command<"withdraw">): void {
  const { turn, lastSeq: afterSeq } = session.state();
  if (!turn.queued.some(({ eventId }) => eventId === queuedEventId)) return;
  session.publish({ type: "user.steering-injected", payload: { queuedEventId, seam: "withdrawn", afterSeq } });
}

/** Records the answer to an open request and returns the rule that an "always" adds. A stale answer changes nothing. */
function answer(
  { session, evaluator }: AgentDeps,
  runner: TurnRunner,
  command: Command<"permission-response">,
): PermissionRule | undefined {
  const { requestId: permissionRequestId, decision, feedback } = command;
  const open = session.state().turn.permissions.find((entry) => entry.permissionRequestId === permissionRequestId);
  if (!open) return undefined;
  if (!runner.isBusy() && open.mention === undefined) runner.wake(); // a resumed turn: its gate takes the open request up again and waits for the answer
  if (decision === "deny") {
    const words = feedback?.trim() ? `The user refused: ${feedback}` : "The user refused.";
    session.publish({ type: "permission.denied", payload: { permissionRequestId, source: "user", feedback: words } });
    return undefined;
  }
  const rule = decision === "once" ? undefined : allowRule(open.suggestion);
  const scope = rule ? decision : "once"; // where no rule can say what was granted, nothing more than this call was
  session.publish({ type: "permission.granted", payload: { permissionRequestId, scope } });
  if (rule) evaluator.addRule(rule);
  return rule;
}

/** What was allowed for the session holds again when it is opened again. */
function rememberGrants({ session, evaluator }: AgentDeps): void {
  for (const granted of session.state().grants.rules) {
    const rule = allowRule(granted);
    if (rule) evaluator.addRule(rule);
  }
}

/** Capability names of other versions are not stored as rules. */
function allowRule(suggestion: Payload<"permission.requested">["suggestion"]): PermissionRule | undefined {
  const capability = CAPABILITIES.find((name) => name === suggestion?.capability);
  return capability && suggestion ? { capability, pattern: suggestion.pattern, action: "allow" } : undefined;
}

function resume({ session, policy }: AgentDeps, runner: TurnRunner): boolean {
  const { turn } = session.state();
  const failed = turn.lastFailure !== undefined || turn.limited;
  const isCut = turn.phase === "interrupted" || (turn.phase === "idle" && failed);
  const nothingOpen = turn.turns === 0 || (turn.phase === "idle" && !isCut && turn.queued.length === 0);
  if (runner.isBusy() || nothingOpen) return false;
  // The limit that ended it still stands: that is said again, and nothing is added to the conversation.
  const limit = turn.limited && policy.exceeded(session.state());
  if (limit) {
    session.publish({ type: "task.failed", payload: limit });
    return true;
  }
  if (isCut) {
    const payload = { text: CONTINUATIONS.resumed, mentions: [], by: "kernel" as const };
    session.publish({ type: "user.message-created", payload });
  }
  runner.wake();
  return true;
}
