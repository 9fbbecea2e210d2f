/**
 * Takes the pending calls in order, one at a time: looks the tool up, checks its input, asks the gate, runs it, and records
 * every fact. A tool knows nothing of this; the kernel knows nothing more.
 */
import type { PendingCall, SessionHandle } from "../session/index.ts";
import { type Access, type Clock, errorMessage, type Logger, steadyNow } from "../shared/index.ts";
import type { SpillRoom, ToolContext, ToolDefinition, ToolResult } from "../tools/index.ts";
import { unknownEnd } from "./after-failure.ts";
import type { ChangeWatch, Watched } from "./change-watch.ts";
import { isDoomLoop } from "./doom-loop.ts";
import type { PermissionGate } from "./permission-gate.ts";
import { type ResultBudget, resultBudget } from "./result-budget.ts";
import { CANCELLED, LOOP_REFUSED } from "./texts.ts";
import { inputProblem, unknownTool } from "./tool-input.ts";
import { recordedPath, runWithGrace, type Settled, toolContext, unlessAborted } from "./tool-run.ts";

export interface ToolRuntime {
  /** Runs the pending calls until none is left, one needs another decision, or the signal aborts. */
  executeBatch(signal: AbortSignal): Promise<void>;
  /** Closes a call that an interrupt or the end of the time left open. */
  cancel(toolUseId: string): void;
  /**
   * Asks whether a call that repeats itself may go on, and then runs it; a refusal becomes its result. Without a call it is about
   * compactions: the recorded answer tells.
   */
  askAboutLoop(toolUseId: string | undefined, signal: AbortSignal): Promise<void>;
}

export interface ToolRuntimeDeps {
  readonly session: SessionHandle;
  readonly tools: { readonly all: readonly ToolDefinition[]; get(name: string): ToolDefinition | undefined };
  readonly gate: PermissionGate;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The working directory, absolute and real. */
  readonly cwd: string;
  /** Where whole outputs may be kept. */
  readonly spillFolder: string;
  /** How much of the next whole output may be kept; asked before a call that may have one. Absent: as much as of any output. */
  readonly spillRoom?: () => Promise<SpillRoom>;
  /** Called before a call that declares a write to a file. */
  readonly beforeWrite: () => Promise<void>;
  /** Looks at the project around every command that may write. */
  readonly watch: Pick<ChangeWatch, "before">;
  /** Called with each command that ended by itself: it may have been a check. */
  readonly observeCommand: (observed: ObservedCommand) => Promise<void>;
}

export interface ObservedCommand {
  readonly toolUseId: string;
  readonly command: string;
  readonly exitCode: number;
  readonly durationMs: number;
  readonly output: string;
  /** seq of the last event that the command saw the effects of, its own changes included. */
  readonly coversSeq: number;
}

interface Started {
  readonly seq: number;
  /** By the clock that nobody sets. */
  readonly atMs: number;
}

export function createToolRuntime(deps: ToolRuntimeDeps): ToolRuntime {
  const { session } = deps;
  const pending = (toolUseId: string) => session.state().turn.pending.find((call) => call.toolUseId === toolUseId);
  return {
    async executeBatch(signal) {
      for (;;) {
        const { turn } = session.state();
        const [call] = turn.pending;
        if (!call || signal.aborted || isDoomLoop(turn)) return;
        await execute(deps, call, signal);
      }
    },
    cancel(toolUseId) {
      const { reason, texts } = cancellation(session);
      const modelText = texts[pending(toolUseId)?.stage === "started" ? "running" : "pending"];
      session.publish({ type: "tool.cancelled", payload: { toolUseId, reason, modelText } });
    },
    async askAboutLoop(toolUseId, signal) {
      if (toolUseId === undefined) {
        await deps.gate.authorize([{ kind: "loop" }], undefined, signal);
        return;
      }
      const call = pending(toolUseId);
      if (!call) return;
      const description = `${call.toolName} ${JSON.stringify(call.input)}`.slice(0, 500);
      const answer = await deps.gate.authorize([{ kind: "loop", call: description }], toolUseId, signal);
      if (signal.aborted) return;
      if (answer.allowed) return execute(deps, call, signal); // a policy's consent leaves no trace that could be looked at
      fail(session, call, { errorKind: "permission-denied", text: `${answer.feedback}\n${LOOP_REFUSED}` });
    },
  };
}

async function execute(deps: ToolRuntimeDeps, call: PendingCall, signal: AbortSignal): Promise<void> {
  const { session, tools, gate } = deps;
  const { toolUseId, toolName } = call;
  const tool = tools.get(toolName);
  const problem = tool ? inputProblem(tool, call.input) : unknownTool(toolName, tools.all);
  if (!tool || problem) {
    fail(session, call, { errorKind: "invalid-input", text: problem ?? "" });
    return;
  }
  const accesses = touchedBy(deps, tool, call);
  if (!accesses) return;
  const authorization = await gate.authorize(accesses, toolUseId, signal);
  if (signal.aborted) return;
  if (!authorization.allowed) {
    fail(session, call, { errorKind: "permission-denied", text: authorization.feedback });
    return;
  }
  session.publish({ type: "tool.approved", payload: { toolUseId, via: authorization.via } });
  const isWrite = accesses.some((access) => access.kind === "path" && access.op === "write");
  if (isWrite) await unlessAborted(deps.beforeWrite(), signal);
  const watched = await unlessAborted(deps.watch.before(accesses), signal);
  const spillRoom = tool.readOnly ? undefined : await deps.spillRoom?.();
  if (signal.aborted) return;
  const picture = watched?.picture === undefined ? {} : { picture: watched.picture };
  const { seq } = session.publish({ type: "tool.started", payload: { toolUseId, toolName, ...picture } });
  const started = { seq, atMs: steadyNow(deps.clock) };
  if (!tool.readOnly) await session.sync(); // what is about to happen must be known after a crash
  if (signal.aborted) return;
  const budget = resultBudget(session.state().turn);
  const context = toolContext(deps, call, { signal, maxResultBytes: budget.maxBytes, spillRoom });
  // What it changed is looked for however it ends, before its result is recorded.
  const execution = run(tool, call, context).finally(() => watched?.record(toolUseId));
  const settled = await runWithGrace(execution, deps.clock, signal);
  if (settled !== "late") return finish(deps, call, { settled, started, signal, watched, budget });
  // The kernel closes the call now; what the tool did all the same is recorded when it is known.
  execution
    .then((result) => recordFacts(deps, toolUseId, result))
    .catch((error: unknown) => {
      deps.logger.warn("a cancelled tool ended badly", { tool: toolName, error: errorMessage(error) });
    });
}

/** The user's stop is in the log before it acts; beside it only an answer of unknown meaning and the time stop a turn. */
function cancellation(session: SessionHandle) {
  const { turn } = session.state();
  if (turn.phase === "interrupted") return { reason: "interrupted", texts: CANCELLED.interrupted } as const;
  if (unknownEnd(turn)) return { reason: "interrupted", texts: CANCELLED.unknown } as const;
  return { reason: "budget", texts: CANCELLED.budget } as const;
}

/** What the call declares to touch; undefined when even asking fails, which then is the call's result. */
function touchedBy(deps: ToolRuntimeDeps, tool: ToolDefinition, call: PendingCall): readonly Access[] | undefined {
  try {
    return tool.access(call.input, deps.cwd);
  } catch (thrown) {
    failInside(deps, call, thrown, 0);
    return undefined;
  }
}

/** A tool that throws before its first await is caught like any other. */
const run = async (tool: ToolDefinition, { input }: PendingCall, context: ToolContext): Promise<ToolResult> =>
  tool.execute(input, context);

interface Finish {
  readonly settled: Settled;
  readonly started: Started;
  readonly signal: AbortSignal;
  readonly watched: Watched | undefined;
  readonly budget: ResultBudget;
}

async function finish(
  deps: ToolRuntimeDeps,
  call: PendingCall,
  { settled, started, signal, watched, budget }: Finish,
): Promise<void> {
  const { session } = deps;
  const { toolUseId } = call;
  const durationMs = Math.max(0, Math.round(steadyNow(deps.clock) - started.atMs));
  if ("thrown" in settled) return failInside(deps, call, settled.thrown, durationMs);
  recordFacts(deps, toolUseId, settled);
  const { errorKind, spillFile, ui } = settled;
  const modelText = budget.fit(settled.modelText);
  if (errorKind && signal.aborted) {
    const { reason, texts } = cancellation(session);
    const text = `${texts.running}\n${modelText}`;
    session.publish({ type: "tool.cancelled", payload: { toolUseId, reason, modelText: text } });
  } else if (errorKind) {
    fail(session, call, { errorKind, text: modelText, durationMs });
  } else {
    const spilled = spillFile === undefined ? {} : { spillFile };
    session.publish({ type: "tool.completed", payload: { toolUseId, modelText, ...spilled, durationMs, ui } });
  }
  const command = commandOf(call.input);
  if (command === undefined || ui.exitCode === undefined || signal.aborted) return;
  const observed = { toolUseId, command, exitCode: ui.exitCode, durationMs, output: modelText };
  await deps.observeCommand({ ...observed, coversSeq: watched?.coversSeq() ?? started.seq });
}

function failInside({ session, logger }: ToolRuntimeDeps, call: PendingCall, thrown: unknown, durationMs: number) {
  const error = errorMessage(thrown);
  logger.warn("a tool threw", { tool: call.toolName, error });
  fail(session, call, { errorKind: "internal", text: `The tool failed inside: ${error}`, durationMs });
}

/** Tools name files by where they really lie; the log names those of the project as seen from the working directory. */
function recordFacts(
  { session, cwd }: ToolRuntimeDeps,
  toolUseId: string,
  { read = [], modified = [] }: ToolResult,
): void {
  for (const fact of read) {
    const payload = { ...fact, path: recordedPath(cwd, fact.path), toolUseId };
    session.publish({ type: "file.read", payload });
  }
  for (const fact of modified) {
    const payload = { ...fact, path: recordedPath(cwd, fact.path), toolUseId };
    session.publish({ type: "file.modified", payload });
  }
}

function fail(
  session: SessionHandle,
  { toolUseId }: PendingCall,
  failure: {
    readonly errorKind: NonNullable<ToolResult["errorKind"]>;
    readonly text: string;
    readonly durationMs?: number;
  },
): void {
  const { errorKind, text: modelText, durationMs = 0 } = failure;
  session.publish({ type: "tool.failed", payload: { toolUseId, modelText, errorKind, durationMs } });
}

function commandOf(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null || !("command" in input)) return undefined;
  return typeof input.command === "string" ? input.command : undefined;
}
